internal import Basics
internal import NameService
internal import SystemIO

/// A program that is the client of a trial, with all processes that it starts.
///
/// It has ended when no process of its group is left: those that outlive it are ended too.
final class CommandClient {
    private let command: TrialCommand
    private let place: TrialPlace
    private unowned let sandbox: Sandbox
    private let resolver: PrivateResolver?
    private let loop: EventLoop
    private let alarms: TimerQueue
    private let graceTime: Duration
    private let onEnd: (ClientEnding, _ leftProcesses: Bool) -> Void
    /// nil once no process of its group is left, whose number may be another's then.
    private var child: ChildProcess?
    private var ending: ClientEnding?
    private var leftProcesses = false
    private var killAlarm = TimerQueue.Token.none
    private var lookAlarm = TimerQueue.Token.none
    private var looks = 0

    /// Between two looks for processes that are left, and how many there are after a kill.
    private static let lookInterval = Duration.milliseconds(5)
    private static let maximumLooks = 200

    /// - Parameters:
    ///   - command: what to start.
    ///   - place: what its placeholders mean.
    ///   - sandbox: where it runs.
    ///   - resolver: what its name lookups ask; nil for what those of this process ask.
    ///   - onEnd: called once, on the loop, with how it ended and whether it left processes behind.
    init(
        _ command: TrialCommand,
        at place: TrialPlace,
        in sandbox: Sandbox,
        resolver: PrivateResolver? = nil,
        onEnd: @escaping (ClientEnding, _ leftProcesses: Bool) -> Void
    ) {
        self.command = command
        self.place = place
        self.sandbox = sandbox
        self.resolver = resolver
        loop = sandbox.loop
        alarms = sandbox.alarms
        graceTime = .milliseconds(clamping: sandbox.settings.graceMilliseconds)
        self.onEnd = onEnd
    }

    /// Starts the program; one that cannot be started has ended already.
    func start() {
        let words = command.words.map(place.expand)
        var settings =
            resolver?.start(words) ?? ChildProcess.Settings(words[0], Array(words.dropFirst()))
        settings.environment =
            place.environment(over: command.environment) + sandbox.prepareForProgram()
        settings.folder = command.folder.map(place.expand)
        settings.input = command.input
        settings.output = stream(command.output, "stdout")
        settings.error = stream(command.error, "stderr")
        settings.isDetached = true
        do throws(SystemError) {
            let child = try ChildProcess(settings, on: loop) { [weak self] in
                self?.leaderEnded($0)
            }
            self.child = child
            sandbox.guardGroup(child.number)
        } catch {
            let shown = "'\(words[0])'"
            ending =
                error == .noSuchFile
                ? .notFound("\(shown): \(error)") : .notStarted("\(shown): \(error)")
            finish()
        }
    }

    /// The number of its process group; nil before its start and after its end.
    var group: Int? { child?.number }

    private func stream(_ output: TrialCommand.Output, _ name: String) -> ChildProcess.Stream {
        switch output {
        case .inherited: .inherited
        case .kept: .file("\(place.folder)/\(command.filePrefix)\(name)")
        case .dropped: .none
        }
    }

    /// Sends a signal to all its processes.
    func send(_ signal: ChildProcess.Signal) { child?.sendToGroup(signal) }

    /// Tells it to end, and kills it if it does not within the time of grace.
    func end() {
        guard killAlarm == .none else { return }
        send(.terminate)
        killAlarm = alarms.set(after: graceTime) { [weak self] in
            self?.kill()
        }
    }

    /// Kills it with all its processes.
    func kill() { send(.kill) }

    /// Kills it and says nothing more.
    func close() {
        alarms.cancel(killAlarm)
        alarms.cancel(lookAlarm)
        kill()
        letGo()
    }

    private func letGo() {
        guard let child else { return }
        sandbox.releaseGroup(child.number)
        child.close()
        self.child = nil
    }

    // MARK: Ending

    private func leaderEnded(_ ending: ChildProcess.Ending) {
        self.ending =
            switch ending {
            case .exited(let code): notStarted ?? .exited(code)
            case .killed(let signal): .killed(signal: signal)
            }
        guard child?.isGroupAlive == true else { return finish() }
        // Once it was told to end, its processes are on their way.
        leftProcesses = killAlarm == .none
        end()
        look()
    }

    /// How it ended, if what was to start it has ended instead.
    private var notStarted: ClientEnding? {
        guard let objection = resolver?.objection(to: place.expand(command.words[0])) else {
            return nil
        }
        if objection.isMissing { return .notFound(objection.words) }
        let said = command.error == .kept ? LastWords.ofFile("\(place.folder)/stderr") : nil
        return .notStarted(objection.words + Self.otherWay + (said.map { ": \($0)" } ?? ""))
    }

    /// What needs neither port 53 nor a namespace.
    static let otherWay =
        "; a program that can be told of a name server needs none of it if its words have {dns}"

    /// Looks until no process of the group is left.
    private func look() {
        guard child?.isGroupAlive == true else { return finish() }
        looks += 1
        // After a kill only a zombie can be left that nobody waits for; it holds nothing.
        let limit = Self.maximumLooks + Int(graceTime / Self.lookInterval)
        guard looks < limit else { return finish() }
        lookAlarm = alarms.set(after: Self.lookInterval) { [weak self] in
            self?.look()
        }
    }

    private func finish() {
        alarms.cancel(killAlarm)
        letGo()
        if let ending { onEnd(ending, leftProcesses) }
    }
}
