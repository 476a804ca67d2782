internal import CLibuv
internal import CLibrary

/// What falls to the first process of a container (pid_namespaces(7)): it becomes the parent of every
/// orphan and must bury it, and a signal for which it has no handler does not end it.
@safe
package enum FirstProcess {
    /// Lets the first process of a container go on as a child of itself, as programs expect to run.
    ///
    /// The first one forwards signals, reaps orphaned processes and ends as the child does. Any other process
    /// just goes on. No thread may run yet.
    package static func stepAside() {
        guard getpid() == 1 else { return }
        var all = sigset_t()
        var before = sigset_t()
        _ = unsafe sigfillset(&all)
        _ = unsafe sigprocmask(SIG_SETMASK, &all, &before)
        let child = linkcond_fork()
        // Without a second process the program does what it can as the first.
        if child > 0 { attend(child, signals: &all) }
        _ = unsafe sigprocmask(SIG_SETMASK, &before, nil)
        if child == 0 { adoptSockets() }
    }

    /// Sockets that were meant for process 1 (sd_listen_fds(3)) are the child's.
    private static func adoptSockets() {
        guard CurrentProcess.environment("LISTEN_PID") == "1" else { return }
        _ = unsafe setenv("LISTEN_PID", "\(getpid())", 1)
    }

    private static func attend(_ child: pid_t, signals: inout sigset_t) {
        while true {
            var details = unsafe siginfo_t()
            let signal = unsafe sigwaitinfo(&signals, &details)
            if signal == SIGCHLD {
                bury(until: child)
            } else if signal > 0, !reachesGroup(signal, unsafe details.si_code) {
                _ = kill(child, signal)
            }
        }
    }

    /// Whether the terminal has sent a signal, which it does to all processes in its foreground.
    private static func reachesGroup(_ signal: CInt, _ code: CInt) -> Bool {
        code == LINKCOND_FROM_KERNEL && [SIGINT, SIGQUIT, SIGTSTP, SIGWINCH].contains(signal)
    }

    /// Takes note of every process that has ended; once `child` has, ends as it did.
    private static func bury(until child: pid_t) {
        var status: CInt = 0
        while true {
            let process = unsafe waitpid(-1, &status, WNOHANG)
            guard process > 0 else { return }
            guard process == child else { continue }
            let signal = status & 0x7f
            _exit(signal == 0 ? status >> 8 & 0xff : 128 + signal)
        }
    }
}
