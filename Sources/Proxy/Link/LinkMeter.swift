internal import Basics
internal import LinkEngine

/// Measures how long bytes are on the link and how late they leave it, when asked to.
///
/// A mark is kept for each piece that a sender gave to the link, up to a limit for each stream; pieces
/// beyond it are not measured, so that neither memory nor time grow with what is under way.
package final class LinkMeter {
    /// From the sender's byte to its arrival, for the last byte of each measured piece.
    package private(set) var addedDelay = DurationHistogram(
        bounds: DurationHistogram.networkBounds
    )
    /// How much later than by the link's reckoning bytes left it.
    package private(set) var pacingError = DurationHistogram(bounds: DurationHistogram.lagBounds)

    private var streams: [LinkEngine.Stream: Marks] = [:]

    private static let markLimit = 64

    package init() {}

    private struct Marks {
        var sentBytes: UInt64 = 0
        var deliveredBytes: UInt64 = 0
        /// Where pieces end, and when they came.
        var pieces: [(end: UInt64, at: Instant)] = []

        mutating func add(_ count: Int, at now: Instant) {
            sentBytes += UInt64(count)
            if pieces.count < LinkMeter.markLimit { pieces.append((end: sentBytes, at: now)) }
        }

        mutating func deliver(_ count: Int, at time: Instant, into delays: inout DurationHistogram)
        {
            deliveredBytes += UInt64(count)
            var done = 0
            while done < pieces.count, pieces[done].end <= deliveredBytes {
                delays.observe(time - pieces[done].at)
                done += 1
            }
            pieces.removeFirst(done)
        }
    }

    /// A connection comes onto the link.
    func open(_ connection: UInt32) {
        for direction in [Direction.down, .up] {
            streams[LinkEngine.Stream(connection: connection, direction: direction)] = Marks()
        }
    }

    /// A connection leaves the link.
    func remove(_ connection: UInt32) {
        for direction in [Direction.down, .up] {
            streams[LinkEngine.Stream(connection: connection, direction: direction)] = nil
        }
    }

    /// A sender gave bytes to the link.
    func sent(_ count: Int, on stream: LinkEngine.Stream, at now: Instant) {
        streams[stream]?.add(count, at: now)
    }

    /// Bytes reached their receiver.
    ///
    /// - Parameters:
    ///   - count: how many.
    ///   - stream: of which stream.
    ///   - time: when by the link's reckoning.
    ///   - now: when it was done.
    func delivered(_ count: Int, on stream: LinkEngine.Stream, at time: Instant, _ now: Instant) {
        pacingError.observe(now - time)
        streams[stream]?.deliver(count, at: time, into: &addedDelay)
    }
}
