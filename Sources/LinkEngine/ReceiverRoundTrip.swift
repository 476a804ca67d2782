internal import Basics

/// How long a receiver's acknowledgement takes to bring new data, by time stamps (Linux 6.18).
///
/// It follows a shorter time at once and a longer one slowly. A queue in front of a slow rate makes the
/// round trip many times what the handshake took, and the window has to grow by what comes in that time.
struct ReceiverRoundTrip {
    private(set) var smoothed: Duration?
    private var lastEcho = Instant.never

    /// The round trip that the window is to grow by: `sent`, which the other direction measured, until a
    /// queue has more than doubled it.
    ///
    /// Before that, which of two bursts a measurement falls on decides; with `sent` it falls as on Linux
    /// (measured).
    func forWindow(_ sent: Duration?) -> Duration? {
        guard let sent, let smoothed, smoothed > sent * 2 else { return sent }
        return smoothed
    }

    /// Time stamps count milliseconds.
    private static func clock(_ time: Instant) -> Duration {
        .milliseconds((time - .start).wholeMilliseconds)
    }

    /// Takes the time stamp that a full segment echoes, each one once.
    ///
    /// While data waits for the application, a longer time may be the application's.
    mutating func sample(echo: Instant, hasReadAll: Bool, at now: Instant) {
        guard echo != lastEcho else { return }
        lastEcho = echo
        let measured = Self.clock(now) - Self.clock(echo)
        guard let old = smoothed, measured >= old else {
            smoothed = measured
            return
        }
        if hasReadAll { smoothed = old + (measured - old) / 8 }
    }
}
