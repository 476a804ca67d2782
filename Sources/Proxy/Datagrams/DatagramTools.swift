internal import SystemIO

/// What all ports and flows of a proxy use.
final class DatagramTools {
    unowned let loop: EventLoop
    let timers: TimerQueue
    /// Records nothing if no one asked for records.
    let reporter: ProxyReporter
    let settings: DatagramSettings
    /// Whether the first packets of QUIC clients are read, for the journal.
    let readsGreetings: Bool
    /// Whether QUIC packets are counted by type, for the journal.
    let countsPackets: Bool
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
        _ configuration: ProxyConfiguration
    ) {
        self.loop = loop
        self.timers = timers
        self.reporter = reporter
        let isObserved = reporter.isObserved
        settings = isObserved ? configuration.datagrams : configuration.datagrams.withoutRecords
        readsGreetings = isObserved
        countsPackets = isObserved && configuration.observesRequests
        secrets = settings.secrets.map(QUICSecretsFile.init)
    }

    /// Datagrams were lost that no profile or fault had asked for.
    func lostByKernel(_ count: UInt64) { reporter.datagramsLost(count) }
}
