/// Gives failed connects to transfers, in one walk over all attempts in order of their beginning.
struct ConnectPlacement {
    /// When an attempt of a transfer began, and when it failed.
    private struct Beginning {
        let nanoseconds: UInt64
        let failedNanoseconds: UInt64?
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
                    nanoseconds: $0.beganNanoseconds,
                    failedNanoseconds: $0.failure?.atNanoseconds,
                    transfer: place
                )
            }
        }
        // A stable sort, so that the attempts of a transfer stay in their order.
        beginnings = unordered.enumerated()
            .sorted { ($0.element.nanoseconds, $0.offset) < ($1.element.nanoseconds, $1.offset) }
            .map(\.element)
    }

    /// Adds a connect; to be called in order of their times.
    mutating func add(_ attempt: Attempt) {
        let time = attempt.beganNanoseconds
        // What begins at the same time is both the last before and the first after.
        let following = beginnings[next...].first { $0.nanoseconds >= time }?.transfer ?? 0
        while next < beginnings.count, beginnings[next].nanoseconds <= time {
            failures.set(beginnings[next].failedNanoseconds, of: beginnings[next].transfer)
            next += 1
        }
        let place = failures.latest(upTo: time) ?? following
        placed[place, default: []].append(attempt)
        failures.set(attempt.failure?.atNanoseconds, of: place)
    }

    /// Puts the connects between the attempts, behind those of the same time.
    func insert(into transfers: inout [Transfer]) {
        for (place, connects) in placed {
            var merged: [Attempt] = []
            var rest = connects[...]
            for attempt in transfers[place].attempts {
                while let connect = rest.first, connect.beganNanoseconds < attempt.beganNanoseconds
                {
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
        let nanoseconds: UInt64
        let transfer: Int

        /// Of two at one time the first transfer's counts as the later one.
        static func < (a: Self, b: Self) -> Bool {
            (a.nanoseconds, b.transfer) < (b.nanoseconds, a.transfer)
        }
    }

    private var current: [Int: UInt64] = [:]
    /// In order; those that are not `current` any more are taken out when they are met.
    private var ordered: [Failure] = []

    mutating func set(_ nanoseconds: UInt64?, of transfer: Int) {
        current[transfer] = nanoseconds
        guard let nanoseconds else { return }
        let failure = Failure(nanoseconds: nanoseconds, transfer: transfer)
        // Nearly always at the end, or close to it.
        var place = ordered.endIndex
        while place > 0, failure < ordered[place - 1] { place -= 1 }
        ordered.insert(failure, at: place)
    }

    /// The transfer whose last attempt failed latest, but not after a time; nil if there is none.
    mutating func latest(upTo time: UInt64) -> Int? {
        var place = ordered.endIndex
        while place > 0 {
            place -= 1
            let failure = ordered[place]
            if failure.nanoseconds > time { continue }
            if current[failure.transfer] == failure.nanoseconds { return failure.transfer }
            ordered.remove(at: place)
        }
        return nil
    }
}
