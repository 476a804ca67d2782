internal import CLibrary

extension ProcessIdentity {
    /// The process with this number now; nil if there is none.
    ///
    /// POSIX does not tell when a process started: one that has got the number of another since is
    /// taken for it.
    package init?(of number: Int) {
        guard number > 0, kill(pid_t(number), 0) == 0 || errno == EPERM else { return nil }
        self.init(number: number, startTicks: 0, boot: "")
    }
}
