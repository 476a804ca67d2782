internal import CLibuv
internal import CLibrary

/// A program that this process has started.
@safe
package final class ChildProcess {
    /// What a standard descriptor of the child is.
    package enum Stream: Hashable, Sendable {
        /// `/dev/null`.
        case none
        /// The same as ours.
        case inherited
        /// A file, which is made if it is missing; output goes to its end.
        case file(String)
        /// The same as this descriptor of ours.
        case descriptor(Int32)
    }

    /// What to start, and how.
    package struct Settings: Hashable, Sendable {
        /// A path, or a name that is looked for in PATH.
        package var program: String
        /// Without the program's name.
        package var arguments: [String]
        /// `NAME=VALUE` each; nil for ours.
        package var environment: [String]?
        /// Where it works; nil for where we do.
        package var folder: String?
        package var input = Stream.inherited
        package var output = Stream.inherited
        package var error = Stream.inherited
        /// In a session and process group of its own: neither a terminal nor our end ends it, and
        /// all that it starts can be ended with it.
        package var isDetached = false

        package init(_ program: String, _ arguments: [String] = []) {
            self.program = program
            self.arguments = arguments
        }
    }

    /// How it ended.
    package enum Ending: Hashable, Sendable {
        case exited(Int)
        case killed(signal: Int)
    }

    package enum Signal: Hashable, Sendable {
        case interrupt, terminate, hangUp, quit, kill, stop, resume

        fileprivate var number: CInt {
            switch self {
            case .interrupt: SIGINT
            case .terminate: SIGTERM
            case .hangUp: SIGHUP
            case .quit: SIGQUIT
            case .kill: SIGKILL
            case .stop: SIGSTOP
            case .resume: SIGCONT
            }
        }
    }

    /// Its process number; remains after it has ended.
    package let number: Int
    /// nil while it runs.
    package private(set) var ending: Ending?
    /// Whether it leads a process group of its own.
    private let leadsGroup: Bool
    private let loop: EventLoop
    private let handle: Handle

    /// Starts a program.
    ///
    /// It gets no descriptor but the three standard ones, whatever this process has inherited, and
    /// may open as many as this process could when it was started.
    ///
    /// - Parameters:
    ///   - settings: what to start, and how.
    ///   - loop: where `onExit` runs.
    ///   - onExit: runs once when it has ended, unless this was closed before.
    /// - Throws: what the system says, such as "no such file or directory" for the program.
    package init(
        _ settings: Settings,
        on loop: EventLoop,
        onExit: @escaping (Ending) -> Void = { _ in }
    ) throws(SystemError) {
        self.loop = loop
        leadsGroup = settings.isDetached
        InheritedDescriptors.close()
        let plan = try SpawnPlan(settings)
        var status: CInt = 0
        // libuv wants a handle closed also if the program could not be started.
        handle = try unsafe loop.makeHandle(UV_PROCESS) { uv, memory in
            DescriptorLimit.asItWas {
                status = unsafe plan.spawn(uv, memory.assumingMemoryBound(to: uv_process_t.self))
            }
            return 0
        }
        number = status == 0 ? unsafe Int(uv_process_get_pid(Self.process(handle))) : 0
        guard status == 0 else {
            handle.close()
            loop.noteChange()
            throw .libuv(status)
        }
        handle.setEvent { [weak self] in
            guard let self else { return }
            let (status, signal) = handle.exit
            let ending: Ending =
                signal == 0 ? .exited(Int(status)) : .killed(signal: Int(signal))
            self.ending = ending
            onExit(ending)
        }
    }

    deinit { close() }

    package var isRunning: Bool { ending == nil }

    /// Sends it a signal; does nothing once it has ended.
    package func send(_ signal: Signal) {
        guard isRunning, !handle.isClosing else { return }
        _ = unsafe uv_process_kill(Self.process(handle), signal.number)
    }

    /// Sends a signal to all processes of its group, also after it has ended itself; only for one
    /// that is detached.
    ///
    /// - Returns: whether there was any. The group's number may mean another group some time after
    ///   there was none, so do not ask again then.
    @discardableResult
    package func sendToGroup(_ signal: Signal) -> Bool {
        leadsGroup && CLibrary.kill(-pid_t(number), signal.number) == 0
    }

    /// Whether a process of its group is left, itself included; the same holds as for `sendToGroup`.
    package var isGroupAlive: Bool { leadsGroup && CLibrary.kill(-pid_t(number), 0) == 0 }

    /// Stops hearing of it; it goes on.
    package func close() {
        guard !handle.isClosing else { return }
        handle.close()
        loop.noteChange()
        if isRunning, number > 0 { reap() }
    }

    /// Waits for its end elsewhere: without that it would stay in the table of processes, as
    /// something that every `waitid` of this process finds and nobody takes.
    private func reap() {
        let number = pid_t(number)
        // Without a thread it stays until this process ends.
        try? DetachedThread.start {
            var status: CInt = 0
            while unsafe waitpid(number, &status, 0) == -1, errno == EINTR {}
        }
    }

    private static func process(_ handle: Handle) -> UnsafeMutablePointer<uv_process_t> {
        unsafe handle.memory.assumingMemoryBound(to: uv_process_t.self)
    }
}
