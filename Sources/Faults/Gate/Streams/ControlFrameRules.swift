internal import Basics
internal import HTTP2

/// Which control frames are withheld: those that a fault keeps from the client, and the client's answers to
/// frames of ours.
struct ControlFrameRules {
    /// The content of pings of ours (RFC 9113 §6.7).
    static let mark = Array("linkcond".utf8)

    /// Whose SETTINGS the client has not acknowledged yet, in the order in which they were sent to it
    /// (RFC 9113 §6.5.3): true for ours.
    private var announcements: [Bool] = []
    /// Streams of which the client gets no more window; 0 for the connection.
    private var windows: Set<UInt32> = []
    /// Whether the client's pings are not answered.
    var holdsPings = false
    /// Whether the client has shown that it has read a GOAWAY of ours.
    private(set) var clientKnowsGoAway = false

    /// Notes that SETTINGS of ours go to the client before any frame that has not begun to pass.
    mutating func noteAnnouncement() { announcements.append(true) }

    /// Whether the client gets no more window of a stream, or with 0 of the connection.
    func stopsWindow(of stream: UInt32) -> Bool {
        windows.contains(0) || windows.contains(stream)
    }

    /// Stops the window of a stream, or with nil all of them.
    mutating func stopWindows(of stream: UInt32?) { windows.insert(stream ?? 0) }

    /// Notes a frame of the connection in the order in which it was read.
    ///
    /// - Returns: whether it shows that the client has read a GOAWAY of ours.
    mutating func noteRead(
        _ header: FrameHeader,
        _ payload: [UInt8],
        _ direction: Direction
    ) -> Bool {
        guard direction == .up, !clientKnowsGoAway, isAnswer(header, payload) else { return false }
        clientKnowsGoAway = true
        return true
    }

    /// Whether a frame is withheld.
    ///
    /// Call it once for each frame, before its first byte passes.
    mutating func withholds(
        _ header: FrameHeader,
        _ payload: [UInt8],
        _ direction: Direction
    ) -> Bool {
        let acknowledges = header.flags.contains(.acknowledges)
        switch (header.kind, direction) {
        case (.settings, .down) where !acknowledges:
            announcements.append(false)
            return false
        case (.settings, .up) where acknowledges && !announcements.isEmpty:
            return announcements.removeFirst()
        case (.ping, .up): return isAnswer(header, payload)
        case (.ping, .down): return acknowledges && holdsPings
        case (.windowUpdate, .down): return stopsWindow(of: header.stream)
        default: return false
        }
    }

    private func isAnswer(_ header: FrameHeader, _ payload: [UInt8]) -> Bool {
        header.kind == .ping && header.flags.contains(.acknowledges) && payload == Self.mark
    }
}
