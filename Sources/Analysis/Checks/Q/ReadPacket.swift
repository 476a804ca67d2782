internal import Basics
internal import Journal

/// A QUIC packet, with what the checks need of its frames.
struct ReadPacket {
    private let report: QUICPacketReport
    let line: Int

    /// The data of its PATH_CHALLENGE frames.
    private(set) var challenges: [String] = []
    /// The data of its PATH_RESPONSE frames.
    private(set) var responses: [String] = []
    /// The first range of each ACK.
    private(set) var acknowledged: [ClosedRange<UInt64>] = []
    private(set) var hasHandshakeDone = false
    /// Whether it ends the connection.
    private(set) var isClosing = false
    /// Whether it may have frames that are not known.
    private(set) var isCut = false

    init(_ packet: Timed<QUICPacketReport>) {
        report = packet.value
        line = packet.line
        for frame in report.frames { take(frame) }
    }

    private mutating func take(_ frame: String) {
        let parts = frame.split(separator: "=", maxSplits: 1)
        let value = parts.count == 2 ? parts[1] : ""
        switch parts.first {
        case "path_challenge": challenges.append(String(value))
        case "path_response": responses.append(String(value))
        case "ack":
            let ends = value.split(separator: "-").compactMap { UInt64($0) }
            guard let first = ends.first, let last = ends.last, first <= last else { return }
            acknowledged.append(first...last)
        case "handshake_done": hasHandshakeDone = true
        case "connection_close", "application_close": isClosing = true
        case "unknown", "cut": isCut = true
        default: break
        }
    }

    var direction: Direction { report.direction }
    var path: UInt32 { report.path }
    var number: UInt64 { report.number }
    var cameAt: Instant { report.cameAt }
    var silence: Duration { report.silence ?? .zero }
    var serverIdleMilliseconds: UInt64? { report.idleMilliseconds }
    var is1RTT: Bool { report.type == "1rtt" }
    var isInitial: Bool { report.type == "initial" }

    /// Where its number counts (RFC 9000 §12.3): 0-RTT packets share one with 1-RTT packets.
    var numberSpace: String { report.type == "0rtt" ? "1rtt" : report.type }
}
