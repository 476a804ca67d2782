internal import Proxy
package import SystemIO

/// A place for trials: each has its own listener, its own server unless it is given one, its own
/// folder and, for a program, its own process group; many may be under way on one loop.
///
/// Everything happens on the loop's thread, and nothing waits. Call `close` before the loop ends.
package final class Sandbox {
    package let loop: EventLoop
    let settings: SandboxSettings
    package let alarms: TimerQueue
    /// Below which trials have their folders; made when the first one needs it.
    private var root: (folder: Folder, name: String)?
    private let parent: Folder
    private var trials: [ObjectIdentifier: RunningTrial] = [:]
    private var nextFolder = 1
    /// Made with the first program; nil before, and where it cannot be made.
    private var processGuard: ProcessGuard?
    private var runsPrograms = false
    private var serverPorts = ServerPorts()
    /// Made for the first trial under TLS.
    private var authority: SandboxAuthority?

    /// - Throws: `folder` if the temporary folder is not there, `internal` when the system has no
    ///   descriptor left.
    package init(loop: EventLoop, settings: SandboxSettings) throws(SandboxError) {
        self.loop = loop
        self.settings = settings
        do throws(SystemError) {
            parent = try Folder(settings.temporaryFolder)
        } catch {
            throw SandboxError(
                .folder,
                "cannot use the folder '\(settings.temporaryFolder)': \(error); set TMPDIR to one"
                    + " that is there"
            )
        }
        do throws(SystemError) {
            alarms = try TimerQueue(loop: loop)
        } catch {
            throw SandboxError(.internal, "cannot make a timer: \(error)")
        }
    }

    /// Trials that have not ended.
    package var runningTrials: Int { trials.count }

    /// Begins a trial.
    ///
    /// - Parameters:
    ///   - trial: what to run.
    ///   - onRecord: gets each record for the journal when it is made, also before this returns.
    ///   - onReady: called when the proxy accepts connections, right before the client starts;
    ///     what it throws ends the trial.
    ///   - completion: called once, on the loop and not before this returns, when everything that
    ///     the trial had open is closed and its folder, unless it was given, is gone.
    /// - Returns: the trial, to end it early.
    /// - Throws: why it cannot begin; a client that cannot be started is an outcome.
    @discardableResult
    package func start(
        _ trial: Trial,
        onRecord: @escaping (TrialRecord) -> Void = { _ in },
        onReady: (TrialPlace) throws(SandboxError) -> Void = { _ throws(SandboxError) in },
        completion: @escaping (TrialOutcome) -> Void
    ) throws(SandboxError) -> RunningTrial {
        let running = RunningTrial(trial, in: self, onRecord: onRecord) { [weak self] running in
            self?.trials[ObjectIdentifier(running)] = nil
            completion(running.outcome)
        }
        try running.prepare()
        do throws(SandboxError) {
            try onReady(running.outcome.place)
        } catch {
            running.closeAll()
            throw error
        }
        trials[ObjectIdentifier(running)] = running
        running.begin()
        return running
    }

    /// Passes a signal on to the clients of all trials; they end as `isInterrupted`.
    package func interrupt(_ signal: ChildProcess.Signal) {
        for trial in trials.values { trial.interrupt(signal) }
    }

    /// Kills all clients at once; their trials end without waiting for anything else.
    package func abandon() {
        for trial in trials.values { trial.abandon() }
    }

    /// Kills what still runs, without a call of any completion, and removes all folders.
    package func close() {
        for trial in trials.values { trial.closeAll() }
        trials.removeAll()
        alarms.close()
        processGuard?.close()
        guard let name = root?.name else { return }
        root = nil
        try? parent.removeTree(name)
    }

    // MARK: Servers

    /// What servers of this process's sandboxes were given lately, so that no two get the same.
    private static let lately = Locked([Int]())
    private static let latelyLimit = 512

    /// A server without a trial, with a folder and a port of its own; whoever asks for it closes it
    /// before the sandbox.
    package func makeServer(
        _ command: TrialCommand,
        crash: TrialCommand?
    ) throws(SandboxError) -> TrialServer {
        let folder = try makeFolder()
        do throws(SystemError) {
            let port = try takeServerPort()
            let place = TrialPlace(
                listen: .tcp(host: "127.0.0.1", port: UInt16(clamping: port)),
                folder: folder.path,
                seed: 0,
                schedule: ""
            )
            return TrialServer(command, crash: crash, port: port, at: place, in: self)
        } catch {
            throw SandboxError(.unavailable, "no port is free for the server: \(error)")
        }
    }

    /// A free port of the loopback for a trial's own server.
    func takeServerPort() throws(SystemError) -> Int {
        while true {
            let port = try serverPorts.take()
            let isNew = Self.lately.withLock { ports in
                guard !ports.contains(port) else { return false }
                ports.append(port)
                if ports.count > Self.latelyLimit { ports.removeFirst() }
                return true
            }
            if isNew { return port }
        }
    }

    // MARK: Processes

    /// A program will be started; answers what its environment must hold besides.
    func prepareForProgram() -> [String] {
        if !runsPrograms {
            runsPrograms = true
            processGuard = ProcessGuard(on: loop)
        }
        return processGuard.map { [$0.mark] } ?? []
    }

    /// What all programs of this sandbox have in their environment; nil without a guard.
    var programMark: String? { processGuard?.mark }

    /// A process group is there from now on, to be killed with this process.
    func guardGroup(_ group: Int) { processGuard?.add(group) }

    /// A process group is gone.
    func releaseGroup(_ group: Int) { processGuard?.remove(group) }

    // MARK: TLS

    /// What clients of trials under TLS trust.
    func trustedAuthority() throws(SandboxError) -> SandboxAuthority {
        if let authority { return authority }
        let folder: Folder
        do throws(SystemError) {
            folder = try ownRoot().folder
        } catch {
            throw unusable(error)
        }
        let made = try SandboxAuthority(in: folder, at: rootPath)
        authority = made
        return made
    }

    // MARK: Folders

    private func unusable(_ error: SystemError) -> SandboxError {
        SandboxError(
            .folder,
            "cannot make a folder in '\(settings.temporaryFolder)': \(error); set TMPDIR to one"
                + " that can be written"
        )
    }

    /// Makes a folder for a trial, and answers its path.
    func makeFolder() throws(SandboxError) -> (name: String, path: String) {
        do throws(SystemError) {
            let root = try ownRoot()
            let name = String(nextFolder)
            nextFolder += 1
            _ = try root.folder.makeFolder(name, permissions: 0o700)
            return (name, "\(rootPath)/\(name)")
        } catch {
            throw unusable(error)
        }
    }

    /// Where origins keep their files.
    var rootPath: String { "\(settings.temporaryFolder)/\(root?.name ?? "")" }

    /// Removes the folder of a trial; what cannot be removed now goes with the sandbox.
    func removeFolder(_ name: String) { try? root?.folder.removeTree(name) }

    private func ownRoot() throws(SystemError) -> (folder: Folder, name: String) {
        if let root { return root }
        let mark = SecureRandom.bytes(8).map { String($0, radix: 36) }.joined()
        let name = "linkcond-run-\(mark)"
        let made = (try parent.makeFolder(name, permissions: 0o700), name)
        root = made
        return made
    }
}
