package import Basics

/// The sender of one stream as numbers, for displays and logs.
package struct StreamState: Hashable, Sendable {
    /// Segments that may be in flight, and that are.
    package var windowSegments: Int
    package var pipeSegments: Int
    package var smoothedRoundTrip: Duration?
    package var timeout: Duration
    package var isRecovering: Bool
    /// Bytes unsent or unacknowledged.
    package var bufferedBytes: Int64
    /// Bytes that may be.
    package var bufferLimit: Int64

    init(_ sender: TCPSender) {
        windowSegments = sender.window.segments
        pipeSegments = sender.board.pipe
        smoothedRoundTrip = sender.roundTrip.smoothed
        timeout = sender.timeout
        isRecovering = sender.state == .recovery || sender.state == .loss
        bufferedBytes = sender.bufferedBytes
        bufferLimit = sender.bufferLimit
    }
}
