package import Basics

/// How datagrams are forwarded: what is recorded of single ones, and the bounds of flows.
///
/// Made where options are read and handed on as it is, to `DatagramTools`.
package struct DatagramSettings: Hashable, Sendable {
    /// A file with the secrets of QUIC connections, which is written meanwhile; nil for none.
    package var secrets: String?
    /// How many of each direction of a flow are recorded, the first ones.
    package var recorded: UInt64 = 0
    /// Whether the digest has which of them were lost by faults and on the link.
    package var isDigested = false
    /// How long a flow is kept on which nothing comes: what RFC 4787 §4.3 asks of NATs.
    package var idleTime = Duration.seconds(120)
    /// Datagrams of a direction of a flow that stalls and pauses keep: 10 MB of the usual ones.
    package var mostHeld = 8_192

    package init() {}

    /// Whether anything of single datagrams is recorded.
    package var recordsDatagrams: Bool { secrets != nil || recorded > 0 }

    /// The same where no one takes records.
    var withoutRecords: Self {
        var settings = self
        settings.secrets = nil
        settings.recorded = 0
        settings.isDigested = false
        return settings
    }

    /// Throws if something is asked of datagrams where none are forwarded.
    func requireDatagrams(areCarried: Bool) throws(ProxyError) {
        guard recordsDatagrams, !areCarried else { return }
        throw ProxyError(
            .refused,
            "--quic-secrets and --record-datagrams are about datagrams,"
                + " \(FaultRegistry.lackOfDatagrams)"
        )
    }
}
