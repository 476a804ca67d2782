import Foundation
import Testing

/// The architecture as a test: who imports whom, what is pure, where `unsafe` may stand.
@Suite struct ArchitectureTests {
    /// What each module may import of ours.
    private static let arrows: [String: Set<String>] = [
        "LinkEngine": [], "Journal": [], "Profiles": [], "HTTPWire": [],
        "ResumableUpload": ["HTTPWire"],
        "Toxics": ["LinkEngine"],
        "FaultInjection": ["HTTPWire", "LinkEngine"],
        "LinkProfile": ["LinkEngine", "FaultInjection", "Profiles", "CYAML"],
        "Libuv": ["CLibuv", "COpenSSL"],
        "Proxy": [
            "LinkEngine", "Toxics", "FaultInjection", "HTTPWire", "LinkProfile", "Journal", "Libuv",
        ],
        "Analysis": ["Journal", "HTTPWire"],
        "HTTPTransport": ["HTTPWire", "Libuv"],
        "Transfer": [
            "ResumableUpload", "HTTPTransport", "HTTPWire", "Libuv", "LinkEngine", "Journal",
        ],
        "ControlAPI": [
            "HTTPTransport", "HTTPWire", "Proxy", "Toxics", "LinkProfile", "LinkEngine",
            "FaultInjection", "Journal", "Analysis", "Libuv",
        ],
        "Exploration": [
            "Proxy", "Analysis", "FaultInjection", "Journal", "Libuv", "LinkEngine", "LinkProfile",
            "HTTPWire", "HTTPTransport", "Transfer", "ResumableUpload",
        ],
        "CommandLineTool": [
            "LinkEngine", "FaultInjection", "LinkProfile", "Profiles", "Journal", "Libuv", "Proxy",
            "HTTPWire", "HTTPTransport", "ResumableUpload", "Transfer", "Analysis", "Exploration",
            "ControlAPI",
        ],
        "LinkcondTesting": [
            "Exploration", "Analysis", "FaultInjection", "Journal", "Libuv", "LinkProfile", "Proxy",
            "Transfer",
        ],
        "LinkTransfer": ["Transfer", "ResumableUpload", "HTTPWire", "Libuv"],
        "linkcond": ["CommandLineTool"],
    ]

    /// Modules without clock, socket, file, environment or Foundation.
    private static let pure: Set<String> = [
        "LinkEngine", "Journal", "FaultInjection", "LinkProfile", "Profiles", "HTTPWire",
        "ResumableUpload", "Analysis", "Toxics",
    ]

    private static func files(of module: String) -> [String] {
        Repository.files(
            in: module == "Profiles" ? "Profiles" : "Sources/\(module)",
            endingIn: ".swift"
        )
    }

    /// The module of an import line.
    private static func imported(_ line: Substring) -> String? {
        let words = line.split(separator: " ")
        guard let index = words.firstIndex(of: "import"), words[..<index].allSatisfy(isModifier)
        else {
            return nil
        }
        let rest = words[(index + 1)...]
        let kinds: Set<Substring> = ["struct", "class", "enum", "func", "var", "let", "protocol"]
        let name = rest.first.map { kinds.contains($0) ? rest.dropFirst().first ?? $0 : $0 }
        return name.map { String($0.prefix { $0 != "." }) }
    }

    private static func isModifier(_ word: Substring) -> Bool {
        word.hasPrefix("@")
            || ["internal", "package", "private", "fileprivate", "public"].contains(word)
    }

    @Test func `every module is in the plan`() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: "\(Repository.root)/Sources"
        )
        let modules = folders.filter { !["CLibuv", "CYAML", "COpenSSL"].contains($0) }
        #expect(Set(modules + ["Profiles"]) == Set(Self.arrows.keys))
    }

    @Test(arguments: arrows.keys.sorted())
    func `a module imports only what the plan says`(module: String) throws {
        let ours = Set(Self.arrows.keys).union(["CLibuv", "CYAML", "COpenSSL"])
        let allowed = try #require(Self.arrows[module])
        let files = Self.files(of: module)
        #expect(!files.isEmpty)
        for file in files {
            for name in Repository.lines(file).compactMap(Self.imported) {
                if ours.contains(name) {
                    #expect(allowed.contains(name), "\(file) imports \(name)")
                } else {
                    #expect(Self.mayImport(name, module, file), "\(file) imports \(name)")
                }
            }
        }
    }

    /// Not in Libuv: the program would be larger for something that only tests of others use.
    private static let executorFile = "Sources/LinkcondTesting/TaskThreads.swift"

    /// The C library only where system calls live; Foundation nowhere.
    private static func mayImport(_ name: String, _ module: String, _ file: String) -> Bool {
        switch name {
        case "Glibc": module == "Libuv" || file == "Sources/CommandLineTool/CommandLineTool.swift"
        case "Testing": module == "LinkcondTesting"
        case "Dispatch": file == executorFile
        case "FoundationEssentials": !pure.contains(module)
        default: false
        }
    }

    /// Strict memory safety makes the compiler ask for `unsafe` at every use of a pointer, so where
    /// the word stands is where memory could go wrong.
    @Test func `unsafe stands only in Libuv, where libyaml is walked, and where tasks are run`() {
        let others = ["Sources/LinkProfile/YAMLReader.swift", Self.executorFile]
        for module in Self.arrows.keys.sorted() where module != "Libuv" {
            for file in Self.files(of: module) where !others.contains(file) {
                for (number, line) in Repository.lines(file).enumerated() {
                    let code = line.split(
                        separator: "//",
                        maxSplits: 1,
                        omittingEmptySubsequences: false
                    )[0]
                    let words = code.split { !$0.isLetter && $0 != "@" && $0 != "(" }
                    let isUsed = words.contains("unsafe") || code.contains("nonisolated(unsafe)")
                    #expect(!isUsed, "\(file):\(number + 1)")
                    #expect(!code.contains("@unchecked"), "\(file):\(number + 1)")
                }
            }
        }
    }

    @Test func `only the command line reads arguments and environment and ends the process`() {
        let words = [
            "CommandLine.", "ProcessInfo", "exit(", "getenv(", "CurrentProcess.", "FileSystem.",
        ]
        for module in Self.arrows.keys.sorted()
        where module != "CommandLineTool" && module != "Libuv" {
            for file in Self.files(of: module) {
                for word in words where Repository.text(file).contains(" \(word)") {
                    Issue.record("\(file) says \(word)")
                }
            }
        }
    }

    /// `nm -u` lists what an object needs from outside; a pure module needs no system call.
    @Test(arguments: [
        "LinkEngine", "Journal", "FaultInjection", "LinkProfile", "HTTPWire", "ResumableUpload",
        "Analysis", "Toxics",
    ])
    func `a pure module calls nothing of the system`(module: String) throws {
        let forbidden: Set<Substring> = [
            "open", "openat", "read", "write", "close", "socket", "connect", "clock_gettime",
            "time",
            "gettimeofday", "getenv", "random", "rand", "arc4random", "getrandom", "pthread_create",
            "fopen", "uv_hrtime", "swift_stdlib_random", "nanosleep", "exit", "log", "exp", "pow",
        ]
        let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folder = URL(fileURLWithPath: bundle).deletingLastPathComponent()
            .appendingPathComponent("\(module).build").path
        let objects = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".o") }
        try #require(!objects.isEmpty)
        let nm = Process()
        nm.executableURL = URL(fileURLWithPath: "/usr/bin/nm")
        nm.arguments = ["-u"] + objects.map { "\(folder)/\($0)" }
        let pipe = Pipe()
        nm.standardOutput = pipe
        try nm.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        nm.waitUntilExit()
        let symbols = Set(
            text.split(separator: "\n").compactMap { $0.split(separator: " ").last }
                .map { $0.prefix { $0 != "@" } }
        )
        #expect(!symbols.isEmpty)
        #expect(symbols.isDisjoint(with: forbidden), "\(symbols.intersection(forbidden))")
    }
}
