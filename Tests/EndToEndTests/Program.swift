import Foundation
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

    func text(_ name: String) -> String {
        String(
            decoding: FileManager.default.contents(atPath: "\(path)/\(name)") ?? Data(),
            as: UTF8.self
        )
    }

    func bytes(_ name: String) -> [UInt8] {
        Array(FileManager.default.contents(atPath: "\(path)/\(name)") ?? Data())
    }
}

/// A process that was started, its output in files, so that it never waits for a reader.
final class Program {
    let workspace: Workspace
    private let process = Process()
    private let name = UUID().uuidString

    /// `linkcond`, beside the test bundle, or what LINKCOND_BINARY names.
    static let linkcond: String = {
        if let path = ProcessInfo.processInfo.environment["LINKCOND_BINARY"] { return path }
        let bundle =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: bundle).deletingLastPathComponent()
            .appendingPathComponent("linkcond").path
    }()

    /// Starts a program; its environment is only PATH, HOME and what is given.
    init(
        _ path: String,
        _ arguments: [String],
        environment: [String: String] = [:],
        in workspace: Workspace = Workspace(),
        input: String = ""
    ) throws {
        self.workspace = workspace
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: workspace.path)
        var variables = [
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
            "HOME": workspace.path, "LC_ALL": "C.UTF-8",
        ]
        for (name, value) in environment { variables[name] = value }
        process.environment = variables
        try workspace.write("\(name).in", input)
        process.standardInput = FileHandle(forReadingAtPath: "\(workspace.path)/\(name).in")
        process.standardOutput = try handle("out")
        process.standardError = try handle("err")
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    private func handle(_ kind: String) throws -> FileHandle {
        try workspace.write("\(name).\(kind)", "")
        return try #require(FileHandle(forWritingAtPath: "\(workspace.path)/\(name).\(kind)"))
    }

    var identifier: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }
    var output: String { workspace.text("\(name).out") }
    var errors: String { workspace.text("\(name).err") }

    func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for the end; a program that does not end in time is a failure, and is killed.
    func wait(seconds: Double = 30) throws -> Outcome {
        let isOver = Self.poll(seconds: seconds) { !self.process.isRunning }
        if !isOver {
            signal(SIGKILL)
            process.waitUntilExit()
        }
        #expect(isOver, "did not end within \(seconds) s: \(process.arguments ?? [])\n\(errors)")
        let status = process.terminationStatus
        return Outcome(
            code: process.terminationReason == .uncaughtSignal ? 128 + status : status,
            output: output,
            errors: errors
        )
    }

    /// Waits until the standard output, or error, holds a text.
    func waitFor(_ text: String, inErrors: Bool = false, seconds: Double = 20) throws {
        let isThere = Self.poll(seconds: seconds) {
            (inErrors ? self.errors : self.output).contains(text) || !self.process.isRunning
        }
        try #require(isThere && (inErrors ? errors : output).contains(text), "\(output)\n\(errors)")
    }

    static func poll(seconds: Double, _ isDone: () -> Bool) -> Bool {
        let end = Date().addingTimeInterval(seconds)
        while Date() < end {
            if isDone() { return true }
            usleep(5_000)
        }
        return isDone()
    }

    /// Runs a program to its end.
    static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        in workspace: Workspace = Workspace(),
        input: String = ""
    ) throws -> Outcome {
        try Program(linkcond, arguments, environment: environment, in: workspace, input: input)
            .wait()
    }

    /// Runs curl; the body goes to the file `body` of its workspace.
    static func curl(
        _ arguments: [String],
        in workspace: Workspace = Workspace()
    ) throws -> Outcome {
        try Program("/usr/bin/curl", ["-sS", "-m", "30"] + arguments, in: workspace).wait()
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
