import Foundation
import Testing

/// The architecture as a test: who imports whom, what is pure, where `unsafe` may stand.
///
/// Which module may use which is in `Package.swift` alone: the package manager refuses cycles, and
/// the build (`--explicit-target-dependency-import-check error`) imports that are not declared.
@Suite struct ArchitectureTests {
    /// Modules without clock, socket, file, environment or Foundation.
    private static let pure: Set<String> = [
        "Analysis", "Basics", "DNS", "DNSWire", "Faults", "HTTP2", "HTTPWire", "Journal",
        "LinkEngine",
        "LinkProfile",
        "Planning", "Profiles", "QUICWire", "ResumableClient", "ResumableServer", "Toxics",
        "YAML",
    ]

    /// The folders of `Sources` with Swift in them, and the profiles.
    static let modules = Set(
        Repository.files(in: "Sources", endingIn: ".swift").map {
            String($0.split(separator: "/")[1])
        } + ["Profiles"]
    )

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

    static func imports(of module: String) -> Set<String> {
        Set(files(of: module).flatMap { Repository.lines($0).compactMap(imported) })
    }

    /// Swift modules that `Package.swift` lets `module` use: the first list after its name.
    private static func declared(_ module: String) -> Set<String> {
        let manifest = Repository.text("Package.swift")
        guard
            let start = manifest.range(
                of: "module\\(\\s*\"\(module)\",\\s*\\[",
                options: .regularExpression
            ),
            let end = manifest[start.upperBound...].firstIndex(of: "]")
        else { return [] }
        let names = manifest[start.upperBound..<end].split { !$0.isLetter && !$0.isNumber }
        return modules.intersection(names.map(String.init))
    }

    @Test func `every folder of sources is a target`() {
        let manifest = Repository.text("Package.swift")
        for module in Self.modules { #expect(manifest.contains("\"\(module)\""), "\(module)") }
        #expect(Self.modules.isSuperset(of: Self.pure))
    }

    @Test(arguments: modules.subtracting(["Profiles", "linkcond"]).sorted())
    func `a module uses every module that it declares`(module: String) {
        let used = Self.imports(of: module).intersection(Self.modules)
        #expect(Self.declared(module) == used)
    }

    @Test(arguments: pure.sorted())
    func `a pure module imports only pure ones`(module: String) {
        let allowed = Self.pure.union(["CNghttp2", "CYAML"])
        #expect(Self.imports(of: module).subtracting(allowed).isEmpty)
    }

    @Test(arguments: modules.sorted())
    func `the system and Foundation are imported only where that is allowed`(module: String) {
        let libraries = ["CLibuv", "CNghttp2", "CYAML", "COpenSSL", "CZstandard"]
        let ours = Self.modules.union(libraries).subtracting(["CLibrary"])
        let files = Self.files(of: module)
        #expect(!files.isEmpty)
        for file in files {
            for name in Repository.lines(file).compactMap(Self.imported) where !ours.contains(name)
            {
                #expect(Self.mayImport(name, module, file), "\(file) imports \(name)")
            }
        }
    }

    /// Not in SystemIO: the program would be larger for something that only tests of others use.
    private static let executorFile = "Sources/LinkcondTesting/TaskThreads.swift"

    /// Users of the library have Foundation; the program has not.
    private static let foundationFile = "Sources/LinkTransfer/FoundationTypes.swift"

    /// The C library only where system calls live; Foundation nowhere else.
    private static func mayImport(_ name: String, _ module: String, _ file: String) -> Bool {
        switch name {
        case "CLibrary": module == "SystemIO" || file == "Sources/Commands/CommandLineTool.swift"
        case "Glibc", "Darwin": module == "CLibrary"
        case "Testing": module == "LinkcondTesting"
        case "Foundation": file == foundationFile
        case "Dispatch": file == executorFile
        case "FoundationEssentials": !pure.contains(module)
        default: false
        }
    }

    /// Strict memory safety makes the compiler ask for `unsafe` at every use of a pointer, so where
    /// the word stands is where memory could go wrong.
    @Test
    func `unsafe stands only in SystemIO, at C libraries, in one copy and where tasks run`() {
        let others = [
            "Sources/YAML/YAMLReader.swift", "Sources/HTTP2/Fields/FieldCompression.swift",
            "Sources/HTTP2/Session/HTTP2Session.swift",
            "Sources/HTTP2/Session/HTTP2Session+Callbacks.swift",
            "Sources/HTTPWire/SpanCopy.swift", Self.executorFile,
        ]
        for module in Self.modules.sorted() where module != "SystemIO" {
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

    /// The portable build leaves out a folder, and must find nothing of Linux's own elsewhere.
    @Test func `what only Linux has is in its folder, and has a portable counterpart`() {
        let calls = [
            "accept4", "close_range", "epoll_", "EPOLL", "eventfd", "fallocate", "getrandom",
            "inotify_", "memfd_", "mmsg", "openat2", "pipe2", "prctl", "renameat2", "signalfd",
            "splice(", "sendfile", "timerfd", "AF_NETLINK", "IP_MTU_DISCOVER", "MSG_MORE",
            "O_PATH", "O_TMPFILE", "SOCK_CLOEXEC", "SOCK_NONBLOCK", "SO_PEERCRED", "TCP_INFO",
            "UDP_GRO", "UDP_SEGMENT",
        ]
        let platform = "Sources/SystemIO/Platform/"
        for file in Repository.files(in: "Sources", endingIn: ".swift")
        where !file.hasPrefix("\(platform)Linux/") {
            // Nothing else can call the system.
            let words = file.hasPrefix("Sources/SystemIO/") ? calls + ["/proc/"] : ["/proc/"]
            for (number, line) in Repository.lines(file).enumerated() {
                let code = line.range(of: "//").map { line[..<$0.lowerBound] } ?? line
                for word in words where code.contains(word) {
                    Issue.record("\(file):\(number + 1) says \(word)")
                }
            }
        }
        func names(_ folder: String) -> Set<String> {
            Set(
                Repository.files(in: platform + folder, endingIn: "+\(folder).swift").map {
                    String(
                        $0.dropFirst("\(platform)\(folder)/".count).dropLast(
                            "+\(folder).swift".count
                        )
                    )
                }
            )
        }
        #expect(!names("Linux").isEmpty)
        // What only the pairs use.
        let inner: Set = ["RunningProcesses", "WatchedDescriptor"]
        #expect(names("Linux").symmetricDifference(names("Portable")).subtracting(inner).isEmpty)
    }

    @Test func `only the command line reads arguments and environment and ends the process`() {
        let words = [
            "CommandLine.", "ProcessInfo", "exit(", "getenv(", "CurrentProcess.", "FileSystem.",
        ]
        for module in Self.modules.sorted()
        where !["Arguments", "Commands", "SystemIO"].contains(module) {
            for file in Self.files(of: module) {
                for word in words where Repository.text(file).contains(" \(word)") {
                    Issue.record("\(file) says \(word)")
                }
            }
        }
    }

    /// `nm -u` lists what an object needs from outside; a pure module needs no system call.
    @Test(arguments: pure.sorted())
    func `a pure module calls nothing of the system`(module: String) throws {
        let forbidden: Set<Substring> = [
            "open", "openat", "read", "write", "close", "socket", "connect", "clock_gettime",
            "time", "gettimeofday", "getenv", "random", "rand", "arc4random", "getrandom",
            "pthread_create",
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
