internal import Basics

/// The opening of one end of a connection (RFC 9293 §3.5), with Linux's or the RFC's waits.
struct Handshake {
    enum State {
        /// Waits for the other end's SYN.
        case listening
        case synSent
        case synReceived
        case established
    }

    /// Resends of a SYN before the attempt ends; 131 s with Linux's waits, 127 s with the RFC's.
    private static let linuxTries = 10
    private static let rfcTries = 6
    /// Linux waits so many times 1 s before doubling (`tcp_syn_linear_timeouts`), from 6.5 on.
    private static let linearResends = 4
    private static let firstWait = Duration.seconds(1)

    let behaviour: TCPSettings.Behaviour
    var state: State
    private(set) var resends = 0
    private(set) var deadline = Instant.never
    private var firstSentAt = Instant.start

    init(behaviour: TCPSettings.Behaviour, state: State) {
        self.behaviour = behaviour
        self.state = state
    }

    /// A SYN or SYN-ACK leaves for the first time.
    mutating func begin(_ state: State, at now: Instant) {
        self.state = state
        firstSentAt = now
        deadline = now + Self.firstWait
    }

    /// The wait ended: true to send again, false to give up.
    mutating func expire(at now: Instant) -> Bool {
        guard resends < (behaviour == .linux ? Self.linuxTries : Self.rfcTries) else {
            return false
        }
        resends += 1
        let isLinear =
            behaviour == .linux && state == .synSent && resends <= Self.linearResends
        let doublings =
            behaviour == .linux && state == .synSent ? resends - Self.linearResends : resends
        deadline = now + (isLinear ? Self.firstWait : Self.firstWait * (1 << Int64(doublings)))
        return true
    }

    /// Opens the end; the round trip measured, unless a resend made it ambiguous
    /// (RFC 6298 §3).
    mutating func establish(at now: Instant) -> Duration? {
        state = .established
        deadline = .never
        return resends == 0 ? now - firstSentAt : nil
    }
}
