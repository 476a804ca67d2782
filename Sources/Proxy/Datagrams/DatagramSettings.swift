package import Basics

/// How datagrams are forwarded: what is recorded of single ones, and the bounds of flows.
///
/// Made where options are read, and passed on as one value to `DatagramTools`.
package struct DatagramSettings: Hashable, Sendable {
    /// A file of QUIC secrets that is still being written during the run; nil for none.
    package var secrets: String?
    /// How many of each direction of a flow are recorded, the first ones.
    package var recorded: UInt64 = 0
    /// Whether the digest covers which of them were lost to faults and on the link.
    package var isDigested = false
    /// How long a flow is kept on which nothing comes: what RFC 4787 §4.3 asks of NATs.
    package var idleTime = Duration.seconds(120)
    /// The most datagrams that stalls and pauses hold in each direction of a flow: about 10 MB.
    package var mostHeld = 8_192

    package init() {}

    /// Whether anything of single datagrams is recorded.
    package var recordsDatagrams: Bool { secrets != nil || recorded > 0 }

    /// A copy that records nothing.
    var withoutRecords: Self {
        var settings = self
        settings.secrets = nil
        settings.recorded = 0
        settings.isDigested = false
        return settings
    }

    /// Throws if records of datagrams are requested but no datagrams are forwarded.
    func requireDatagrams(areCarried: Bool) throws(ProxyError) {
        guard recordsDatagrams, !areCarried else { return }
        throw ProxyError(
            .refused,
            "--quic-secrets and --record-datagrams are about datagrams,"
                + " \(FaultRegistry.lackOfDatagrams)"
        )
    }
}
