internal import Faults

extension Effect.Kind {
    /// What is tried of an effect in the TLS of a connection.
    ///
    /// - Parameters:
    ///   - connection: under TLS.
    ///   - isFirst: whether none before it was; what a client is shown is tried once.
    /// - Returns: places with what happens there.
    func formsInTLS(
        of connection: BoundaryMap.Connection,
        isFirst: Bool
    ) -> [(place: Anchor.TLSPlace, effect: Effect)] {
        let records = Self.records(of: connection)
        switch self {
        case .reset, .finish, .hole, .stall:
            guard let effect = byteEffect else { return [] }
            let places = [.hello, .handshake] + (isCheap ? records : records.suffix(1))
            return places.map { ($0, effect) }
        case .corrupt: return records.map { ($0, .corrupt(within: nil)) }
        case .certificate where isFirst:
            return Effect.CertificateFlaw.allCases.map { (.hello, .certificate($0)) }
        case .alert where isFirst: return Self.alerts.map { (.hello, .alert($0)) }
        case .alpn where isFirst: return Effect.TakenProtocol.allCases.map { (.hello, .alpn($0)) }
        case .refuseTicket where !isFirst: return [(.hello, .refuseTicket)]
        case .rejectEarlyData where !isFirst: return [(.hello, .rejectEarlyData)]
        default: return []
        }
    }

    /// handshake_failure and internal_error.
    private static let alerts = [TLSAlert(40), TLSAlert(80)]

    /// The first record of content and the last one.
    private static func records(of connection: BoundaryMap.Connection) -> [Anchor.TLSPlace] {
        guard connection.downBytes > 0 else { return [] }
        let last = UInt32(clamping: (connection.downBytes - 1) / Anchor.TLSPlace.recordLength + 1)
        return last == 1 ? [.record(1)] : [.record(1), .record(last)]
    }
}
