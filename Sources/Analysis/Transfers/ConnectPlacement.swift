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
    /// When the last attempt of a transfer failed, for those where it did.
    private var failures: [Int: UInt64] = [:]
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
            failures[beginnings[next].transfer] = beginnings[next].failedNanoseconds
            next += 1
        }
        let failing = failures.filter { $0.value <= time }
            .max { ($0.value, $1.key) < ($1.value, $0.key) }
        let place = failing?.key ?? following
        placed[place, default: []].append(attempt)
        failures[place] = attempt.failure?.atNanoseconds
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
