internal import Arguments
internal import Basics
internal import Exploration
internal import SystemIO
internal import Trials

/// `linkcond explore --self-test`: whether this machine's explorations can be trusted.
struct SelfTestCommand {
    let console: Console

    /// What goes with it; anything else is about exploring a command.
    private static let companions: Set<String> = ["self-test", "runs", "no-color", "no-config"]
    private static let goodRuns = 1_000

    func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        if let word = invocation.program.first {
            throw Failure(.usage, "--self-test brings its own clients; leave '\(word)' out")
        }
        let others = invocation.options.filter { $0.origin == .commandLine }.map(\.long)
        if let other = others.first(where: { !Self.companions.contains($0) }) {
            throw Failure(.usage, "--\(other) has no effect with --self-test; leave it out")
        }
        let runs = try invocation.count("runs", in: 2...1_000_000) ?? Self.goodRuns
        let run = try SelfTestRun(
            SelfTestCase.all(goodRuns: runs),
            console: console,
            temporaryFolder: OriginCommand.temporaryFolder
        )
        return try run.runToEnd()
    }
}

/// One self-test, from the first case to the exit code.
private final class SelfTestRun {
    private let console: Console
    private let loop: EventLoop
    private let sandbox: Sandbox
    private let test: SelfTest
    private var watchers: [SignalWatcher] = []
    private var rows: [SelfTestRow] = []
    private var isEnded = false
    private var signal: ExitCode?
    private var failure: Failure?

    init(
        _ cases: [SelfTestCase],
        console: Console,
        temporaryFolder: String
    ) throws(Failure) {
        self.console = console
        loop = try .forRun()
        _ = DescriptorLimit.raise()
        do throws(SandboxError) {
            let settings = SandboxSettings(
                tool: "\(CommandSet.program) \(Version.number)",
                temporaryFolder: temporaryFolder
            )
            sandbox = try Sandbox(loop: loop, settings: settings)
        } catch {
            throw Failure(error)
        }
        do throws(SandboxError) {
            test = try SelfTest(cases, in: sandbox, folder: temporaryFolder)
        } catch {
            sandbox.close()
            loop.finishClosing()
            throw Failure(error)
        }
    }

    func runToEnd() throws(Failure) -> ExitCode {
        defer { shutDown() }
        let begin = loop.now
        try watch()
        test.onRow = { [weak self] in self?.printRow($0) }
        test.onEnd = { [weak self] _ in self?.isEnded = true }
        test.start()
        while !isEnded { loop.runOnce() }
        if let failure { throw failure }
        if let signal { return signal }
        let seconds = (loop.now - begin).wholeSeconds
        try console.write([Self.summary(rows) + ", in \(seconds) s"])
        return rows.allSatisfy(\.result.isRight) ? .success : .internalError
    }

    private func printRow(_ row: SelfTestRow) {
        rows.append(row)
        do throws(Failure) {
            try console.write([row.text])
        } catch {
            failure = error
            isEnded = true
        }
    }

    private static func summary(_ rows: [SelfTestRow]) -> String {
        let wrong = rows.count { !$0.result.isRight }
        guard wrong == 0 else {
            return "the self-test failed, no exploration here can be trusted: "
                + "\(wrong) of \(rows.count) clients misjudged"
        }
        let good = rows.filter { $0.result == .clean }
        let runs = good.reduce(0) { $0 + $1.runs }
        return "\(rows.count - good.count) planted bugs found, "
            + "nothing found in \(runs) runs of good clients"
    }

    private func watch() throws(Failure) {
        watchers = [
            try loop.watch(.interrupt) { [weak self] in self?.end(.interrupted) },
            try loop.watch(.terminate) { [weak self] in self?.end(.terminated) },
        ]
    }

    private func end(_ code: ExitCode) {
        signal = code
        isEnded = true
    }

    private func shutDown() {
        for watcher in watchers { watcher.close() }
        test.close()
        sandbox.close()
        loop.finishPendingWork()
        loop.finishClosing()
    }
}
