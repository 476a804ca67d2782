internal import Basics

/// When slow start ends before a loss: HyStart (Ha and Rhee, 2008), as Linux's CUBIC does it.
///
/// In each round trip, from a window of 16 segments on, there are two signs that the path is full:
/// acknowledgements that come without a pause for longer than half a round trip, and a round trip
/// that has become longer by an eighth. On a path whose rate is the limit, slow start so ends at about
/// one rate x round trip, where it would otherwise fill the whole queue and lose half a window.
struct SlowStartExit {
    private static let leastWindow = 16
    /// Acknowledgements closer than this are one train.
    private static let trainGap = Duration.milliseconds(2)
    /// What Linux grants a train for segments that leave in groups.
    private static let trainAllowance = Duration.milliseconds(1)
    /// Samples of a round before its shortest one counts.
    private static let samplesNeeded = 8
    private static let leastRise = Duration.milliseconds(4)
    private static let mostRise = Duration.milliseconds(16)

    private var minimum: Duration?
    private var roundStart = Instant.start
    private var lastInTrain = Instant.start
    /// The round ends once something behind this segment is acknowledged.
    private var roundEnd = -1
    private var shortestInRound = Duration(nanoseconds: .max)
    private var samples = 0

    /// Takes one round trip, measured when `acknowledged` was the first unacknowledged segment and
    /// `next` the next to be sent; true if slow start is to end.
    ///
    /// `window` is in segments, before it grows.
    mutating func ends(
        after measured: Duration,
        window: Int,
        acknowledged: Int,
        next: Int,
        at now: Instant
    ) -> Bool {
        let shortest = min(minimum ?? measured, measured)
        minimum = shortest
        if acknowledged > roundEnd { beginRound(endingAt: next, at: now) }
        guard window >= Self.leastWindow else { return false }
        let hasTrain = noteTrain(shortest, at: now)
        return noteDelay(measured, shortest) || hasTrain
    }

    private mutating func beginRound(endingAt next: Int, at now: Instant) {
        roundStart = now
        lastInTrain = now
        roundEnd = next
        shortestInRound = Duration(nanoseconds: .max)
        samples = 0
    }

    private mutating func noteTrain(_ shortest: Duration, at now: Instant) -> Bool {
        guard now - lastInTrain <= Self.trainGap else { return false }
        lastInTrain = now
        return now - roundStart > (shortest + Self.trainAllowance) / 2
    }

    private mutating func noteDelay(_ measured: Duration, _ shortest: Duration) -> Bool {
        shortestInRound = min(shortestInRound, measured)
        guard samples >= Self.samplesNeeded else {
            samples += 1
            return false
        }
        let rise = min(max(shortest / 8, Self.leastRise), Self.mostRise)
        return shortestInRound > shortest + rise
    }
}
