internal import SystemIO

/// What all ports and flows of a proxy use.
final class DatagramTools {
    unowned let loop: EventLoop
    let timers: TimerQueue
    let reporter: ProxyReporter
    let observation: DatagramObservation
    /// What opens QUIC packets; nil if none are opened.
    let secrets: QUICSecretsFile?
    /// For what is received, and sent on as it is.
    let batch = DatagramBatch()
    /// For what is sent otherwise, while the other one may be in use.
    let sending = DatagramBatch()

    init(
        loop: EventLoop,
        timers: TimerQueue,
        reporter: ProxyReporter,
        _ observation: DatagramObservation
    ) {
        self.loop = loop
        self.timers = timers
        self.reporter = reporter
        self.observation = observation
        secrets = observation.secrets.map(QUICSecretsFile.init)
    }

    /// Datagrams were lost that no profile or fault had asked for.
    func lostByKernel(_ count: UInt64) { reporter.datagramsLost(count) }
}
