internal import SystemIO

/// What all ports and flows of a proxy use.
final class DatagramTools {
    unowned let loop: EventLoop
    let timers: TimerQueue
    let reporter: ProxyReporter
    /// For what is received, and sent on as it is.
    let batch = DatagramBatch()
    /// For what is sent otherwise, while the other one may be in use.
    let sending = DatagramBatch()

    init(loop: EventLoop, timers: TimerQueue, reporter: ProxyReporter) {
        self.loop = loop
        self.timers = timers
        self.reporter = reporter
    }

    /// Datagrams were lost that no profile or fault had asked for.
    func lostByKernel(_ count: UInt64) { reporter.datagramsLost(count) }
}
