import Foundation
import SystemIO
import Testing

/// How a program ended and what it wrote.
struct Outcome {
    /// The exit code; 128 plus the signal's number if a signal ended it.
    var code: Int32
    var output: String
    var errors: String

    var outputLines: [String] {
        output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}

/// A folder that is removed with its owner.
final class Workspace {
    let path: String

    init() {
        path = NSTemporaryDirectory() + "linkcond-test-\(UUID().uuidString)"
        try? FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ text: String) throws {
        let file = URL(fileURLWithPath: "\(path)/\(name)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: file)
    }

    func text(_ name: String) -> String { String(decoding: bytes(name), as: UTF8.self) }

    /// The content of a file; nothing if there is none.
    func bytes(_ name: String) -> [UInt8] {
        (try? FileSystem.read("\(path)/\(name)", limit: 1 << 30)) ?? []
    }
}

/// A process that was started, its output in files, so that it never waits for a reader.
///
/// Not Foundation's `Process`: that learns of the end through a socket which the child's own
/// children inherit, so that one of them that lives on hides it.
final class Program {
    let workspace: Workspace
    let identifier: pid_t
    private let name: String
    private let words: [String]
    /// What `waitpid` said once the process had ended.
    private var status: Int32?

    /// `linkcond`, beside the test bundle, or what LINKCOND_BINARY names.
    static let linkcond: String = {
        if let path = ProcessInfo.processInfo.environment["LINKCOND_BINARY"] { return path }
        let bundle =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: bundle).deletingLastPathComponent()
            .appendingPathComponent("linkcond").path
    }()

    private static let inherited = [
        "ASAN_OPTIONS", "LSAN_OPTIONS", "TSAN_OPTIONS", "LLVM_PROFILE_FILE", "LINKCOND_MUTANT",
    ]

    /// Starts a program; its environment is only what it needs and what is given.
    init(
        _ path: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        in workspace: Workspace = Workspace(),
        input: String = ""
    ) throws {
        self.workspace = workspace
        words = [path] + arguments
        name = "\(workspace.path)/\(UUID().uuidString)"
        try Data(input.utf8).write(to: URL(fileURLWithPath: "\(name).in"))
        var variables = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
            "HOME": workspace.path, "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
        ]
        // What sanitizers, coverage and mutants are told holds for the programs under test, too.
        for name in Self.inherited {
            variables[name] = ProcessInfo.processInfo.environment[name]
        }
        for (name, value) in environment { variables[name] = value }
        let assignments = variables.map { "\($0.key)=\($0.value)" }
        identifier = try Spawn.start(
            // env changes the folder and becomes the program.
            ["/usr/bin/env", "-C", workspace.path] + words,
            environment: assignments,
            files: name
        )
    }

    deinit {
        guard isRunning else { return }
        signal(SIGKILL)
        _ = Self.poll(seconds: 5) { !isRunning }
    }

    var isRunning: Bool {
        if status == nil { status = Spawn.status(of: identifier) }
        return status == nil
    }

    var output: String { Self.text("\(name).out") }
    var errors: String { Self.text("\(name).err") }

    private static func text(_ path: String) -> String {
        String(decoding: (try? FileSystem.read(path, limit: 1 << 30)) ?? [], as: UTF8.self)
    }

    func signal(_ number: Int32) {
        if isRunning { kill(identifier, number) }
    }

    /// Waits for the end; a program that does not end in time is a failure, and is killed.
    func wait(seconds: Double = 60) throws -> Outcome {
        let isOver = Self.poll(seconds: seconds) { !isRunning }
        if !isOver {
            signal(SIGKILL)
            _ = Self.poll(seconds: 5) { !isRunning }
        }
        #expect(isOver, "did not end within \(seconds) s: \(words)\n\(errors)")
        let status = status ?? 0
        // POSIX: the low seven bits hold the signal, the next byte the exit code.
        let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
        return Outcome(code: code, output: output, errors: errors)
    }

    /// Waits until the standard output, or error, holds a text.
    func waitFor(_ text: String, inErrors: Bool = false, seconds: Double = 30) throws {
        let isThere = Self.poll(seconds: seconds) {
            (inErrors ? errors : output).contains(text) || !isRunning
        }
        try #require(
            isThere && (inErrors ? errors : output).contains(text),
            "\(output)\n\(errors)"
        )
    }

    static func poll(seconds: Double, _ isDone: () -> Bool) -> Bool {
        let end = Date().addingTimeInterval(seconds)
        while Date() < end {
            if isDone() { return true }
            usleep(5_000)
        }
        return isDone()
    }

    /// Runs linkcond to its end.
    static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        in workspace: Workspace = Workspace(),
        input: String = ""
    ) throws -> Outcome {
        let program = try Program(
            linkcond,
            arguments,
            environment: environment,
            in: workspace,
            input: input
        )
        return try program.wait()
    }

    /// Runs curl in a workspace, where it leaves its files.
    static func curl(
        _ arguments: [String],
        in workspace: Workspace = Workspace()
    ) throws -> Outcome {
        try Program("/usr/bin/curl", ["-sS", "-m", "30"] + arguments, in: workspace).wait()
    }

    /// What a JUnit report has that its readers do not know, as lines for people.
    static func junitProblems(of name: String, in workspace: Workspace) throws -> String {
        var root = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        let schema = root.appendingPathComponent(".ci/junit.xsd").path
        let words = ["--noout", "--schema", schema, name]
        let outcome = try Program("/usr/bin/xmllint", words, in: workspace).wait()
        return outcome.code == 0 ? "" : outcome.errors
    }
}

/// A proxy that listens.
final class RunningProxy {
    let program: Program
    /// The words of the first line.
    let firstLine: [String]

    init(
        _ arguments: [String],
        environment: [String: String] = [:],
        in workspace: Workspace = Workspace()
    ) throws {
        program = try Program(
            Program.linkcond,
            arguments,
            environment: environment,
            in: workspace
        )
        try program.waitFor("\n")
        firstLine = program.output.split(separator: "\n")[0].split(separator: " ").map(String.init)
    }

    var address: String { firstLine[1] }

    func end(_ number: Int32 = SIGTERM) throws -> Outcome {
        program.signal(number)
        return try program.wait()
    }
}
