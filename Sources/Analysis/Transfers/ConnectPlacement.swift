internal import Basics

/// Gives failed connects to transfers, in one walk over all attempts in order of their beginning.
struct ConnectPlacement {
    /// When an attempt of a transfer began, and when it failed.
    private struct Beginning {
        let time: Instant
        let failedAt: Instant?
        let transfer: Int
    }

    /// In order of time, those of one time by transfer.
    private let beginnings: [Beginning]
    /// The first that is not yet passed.
    private var next = 0
    private var failures = LatestFailures()
    private var placed: [Int: [Attempt]] = [:]

    init(_ transfers: [Transfer]) {
        let unordered = transfers.enumerated().flatMap { place, transfer in
            transfer.attempts.map {
                Beginning(
                    time: $0.beganAt,
                    failedAt: $0.failure?.at,
                    transfer: place
                )
            }
        }
        // A stable sort, so that the attempts of a transfer stay in their order.
        beginnings = unordered.enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
    }

    /// Adds a connect; to be called in order of their times.
    mutating func add(_ attempt: Attempt) {
        let time = attempt.beganAt
        // What begins at the same time is both the last before and the first after.
        let following = beginnings[next...].first { $0.time >= time }?.transfer ?? 0
        while next < beginnings.count, beginnings[next].time <= time {
            failures.set(beginnings[next].failedAt, of: beginnings[next].transfer)
            next += 1
        }
        let place = failures.latest(upTo: time) ?? following
        placed[place, default: []].append(attempt)
        failures.set(attempt.failure?.at, of: place)
    }

    /// Puts the connects between the attempts, behind those of the same time.
    func insert(into transfers: inout [Transfer]) {
        for (place, connects) in placed {
            var merged: [Attempt] = []
            var rest = connects[...]
            for attempt in transfers[place].attempts {
                while let connect = rest.first, connect.beganAt < attempt.beganAt {
                    merged.append(rest.removeFirst())
                }
                merged.append(attempt)
            }
            transfers[place].attempts = merged + rest
        }
    }
}

/// When the last attempt of each transfer failed, for those where it did; asked for the latest of them,
/// many times over.
private struct LatestFailures {
    private struct Failure: Comparable {
        let time: Instant
        let transfer: Int

        /// Of two at one time the first transfer's counts as the later one.
        static func < (a: Self, b: Self) -> Bool {
            (a.time, b.transfer) < (b.time, a.transfer)
        }
    }

    private var current: [Int: Instant] = [:]
    /// In order; those that are not `current` any more are taken out when they are met.
    private var ordered: [Failure] = []

    mutating func set(_ time: Instant?, of transfer: Int) {
        current[transfer] = time
        guard let time else { return }
        let failure = Failure(time: time, transfer: transfer)
        // Nearly always at the end, or close to it.
        var place = ordered.endIndex
        while place > 0, failure < ordered[place - 1] { place -= 1 }
        ordered.insert(failure, at: place)
    }

    /// The transfer whose last attempt failed latest, but not after a time; nil if there is none.
    mutating func latest(upTo time: Instant) -> Int? {
        var place = ordered.endIndex
        while place > 0 {
            place -= 1
            let failure = ordered[place]
            if failure.time > time { continue }
            if current[failure.transfer] == failure.time { return failure.transfer }
            ordered.remove(at: place)
        }
        return nil
    }
}
