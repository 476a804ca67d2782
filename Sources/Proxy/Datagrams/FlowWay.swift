internal import Basics
internal import Faults
internal import Journal
internal import SystemIO

/// A datagram on its way, and what is to become of it.
struct PassingDatagram {
    var bytes: [UInt8]
    /// The ECN field of its IP header.
    var ecn: UInt8
    var verdict = FlowGate.Verdict()
    /// Its number in this direction, from 1, and when it came.
    let number: UInt64
    let came: Instant
    /// The types of its QUIC packets, if it is recorded.
    var types: [String] = []
}

/// One direction of a flow: its account, what waits on the link, and its last step.
final class FlowWay {
    var tally = FlowEnd.Tally()
    /// What waits on the link, by number.
    var onLink: [UInt64: PassingDatagram] = [:]
    var exit = FlowExit<PassingDatagram>()
    /// For the next one that leaves by itself.
    var timer = TimerQueue.Token.none
    var armedFor: Instant?
    /// Whether a note says that some datagrams are too long for the network.
    var hasReportedLength = false
}
