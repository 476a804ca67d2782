internal import Basics
internal import Journal

/// The datagrams of one flow that the journal holds one by one, as its client sent and received them.
struct SyntheticFlow {
    private(set) var packets: [CapturedPacket] = []

    private let flow: FlowTrace
    /// Where the packets are, by direction and number of their datagrams.
    private var places: [Source: Int] = [:]

    fileprivate struct Source: Hashable {
        let direction: Direction
        let number: UInt64
    }

    init(_ flow: FlowTrace) {
        self.flow = flow
        let seen = flow.datagrams.filter {
            $0.value.direction == .up || $0.value.fate == .delivered
        }
        .sorted { (Self.moment($0), $0.line) < (Self.moment($1), $1.line) }
        for datagram in seen {
            let (direction, number) = (datagram.value.direction, datagram.value.number)
            let source = Source(direction: direction, number: number)
            if places[source] == nil { places[source] = packets.count }
            packets.append(packet(datagram))
        }
        for fault in flow.faults where fault.value.isFired {
            if let place = place(of: fault) {
                packets[place].comments.append(SyntheticConnection.words(fault.value))
            }
        }
    }

    /// A client sends a datagram when it comes here, and gets one when it leaves here.
    private static func moment(_ datagram: Timed<DatagramReport>) -> Instant {
        datagram.value.direction == .up ? datagram.value.cameAt : datagram.at
    }

    private func packet(_ datagram: Timed<DatagramReport>) -> CapturedPacket {
        let report = datagram.value
        let client = SyntheticEndpoint.client(flow.id)
        let listener = SyntheticEndpoint.listener(flow.id, port: flow.isQUIC ? 443 : 80)
        let isUp = report.direction == .up
        var words = "u\(flow.id.ordinal) \(isUp ? "up" : "down")#\(report.number)"
        if !report.packets.isEmpty { words += ": QUIC \(report.packets.joined(separator: ", "))" }
        if report.fate != .delivered { words += "; \(Self.words(report.fate))" }
        let bytes = Int(clamping: report.bytes)
        return CapturedPacket(
            at: Self.moment(datagram),
            header: Self.header(isUp ? client : listener, isUp ? listener : client, bytes),
            contentBytes: bytes,
            comments: [words]
        )
    }

    private static func words(_ fate: DatagramReport.Fate) -> String {
        switch fate {
        case .delivered: "delivered"
        case .link: "lost on the link"
        case .fault: "lost by a fault"
        case .budget: "lost: the byte budget is spent"
        case .overflow: "lost: too many are held back"
        case .system: "lost by the system"
        case .pending: "on its way when the flow ended"
        }
    }

    /// IPv4 header (RFC 791 §3.1) and UDP header (RFC 768), without a checksum, which would cover what is
    /// not known.
    private static func header(
        _ from: SyntheticEndpoint,
        _ to: SyntheticEndpoint,
        _ count: Int
    ) -> [UInt8] {
        let length = UInt16(clamping: 8 + count)
        return SyntheticPacket.internetHeader(from, to, protocol: 17, length: 20 + Int(length))
            + SyntheticPacket.big(from.port) + SyntheticPacket.big(to.port)
            + SyntheticPacket.big(length) + [0, 0]
    }

    /// The datagram on which a fault acted if it is there, or else the last one before.
    private func place(of fault: Timed<FaultReport>) -> Int? {
        if let exact = Source(fault.value.address).flatMap({ places[$0] }) { return exact }
        guard !packets.isEmpty else { return nil }
        // Packets are by time.
        var range = packets.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if packets[middle].at <= fault.at {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return max(range.lowerBound - 1, 0)
    }
}

extension SyntheticFlow.Source {
    /// The datagram that the place of a fault names; nil for another place.
    fileprivate init?(_ address: String) {
        let parts = address.split(separator: "#", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = UInt64(parts[1]) else { return nil }
        switch parts[0] {
        case "up": self.init(direction: .up, number: number)
        case "down": self.init(direction: .down, number: number)
        default: return nil
        }
    }
}
