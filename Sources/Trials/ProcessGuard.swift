internal import SystemIO

/// A process that kills the process groups of clients if this process is killed, and so cannot.
///
/// It is a shell that reads which groups there are, and finds its input at an end when this process
/// has ended. Where there is no shell, there is no such guard.
final class ProcessGuard {
    /// What the environment of programs holds, `NAME=VALUE`, so that they can be found.
    let mark: String
    private let input: ChildInput
    private var shell: ChildProcess?

    /// What the shell does: `+ N` adds a group, `- N` takes it away, what is left at the end is killed.
    ///
    /// So is what has the mark in its environment: a program may run before its group is known here,
    /// and may have left it. The shell starts a second one that does this and ends itself, so that
    /// nobody has to wait for its end.
    private static let script = """
        exec 3<&0
        (
            trap '' HUP INT TERM QUIT
            groups=
            while read -r sign group; do
                case $sign in
                +) groups="$groups $group" ;;
                -)
                    others=
                    for other in $groups; do
                        [ "$other" = "$group" ] || others="$others $other"
                    done
                    groups=$others
                    ;;
                esac
            done
            for group in $groups; do kill -s KILL -- "-$group"; done
            for time in 0 0.2 1; do
                sleep $time
                for process in $(\(MarkedProcesses.shellSearch)); do
                    kill -s KILL "$process"
                done
            done
        ) <&3 3<&- &
        """

    /// Starts it; nil if that cannot be done.
    init?(on loop: EventLoop) {
        guard let input = try? ChildInput() else { return nil }
        self.input = input
        let number = SecureRandom.bytes(16).map { String($0, radix: 16) }.joined()
        mark = "LINKCOND_GUARD=\(number)"
        var settings = ChildProcess.Settings("/bin/sh", ["-c", Self.script, mark])
        settings.environment = ["PATH=/usr/bin:/bin"]
        settings.folder = "/"
        settings.input = .descriptor(input.readEnd)
        settings.output = .none
        settings.error = .none
        settings.isDetached = true
        shell = try? ChildProcess(settings, on: loop) { [weak self] _ in self?.close() }
        input.childHasStarted()
        guard shell != nil else { return nil }
    }

    deinit { close() }

    /// Stops hearing of the shell; its guarding goes on.
    func close() {
        shell?.close()
        shell = nil
    }

    /// A group is there from now on.
    func add(_ group: Int) { _ = input.write(Array("+ \(group)\n".utf8)) }

    /// A group is gone, and its number may be another's.
    func remove(_ group: Int) { _ = input.write(Array("- \(group)\n".utf8)) }
}
