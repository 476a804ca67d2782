internal import Basics

/// For how long nothing has happened in runs, and how long their client was ever seen to wait before it
/// went on by itself.
struct Silences {
    private var beginnings: [Int: Instant] = [:]
    private var ended: Set<Int> = []
    private var longestWait = Duration.zero

    /// Delays mostly double.
    private static let factor: Int64 = 2
    private static let tolerance = Duration.seconds(1)

    /// Notes in which runs nothing happens now.
    ///
    /// - Parameters:
    ///   - quiet: their numbers.
    ///   - now: on any clock.
    ///   - least: below which a silence is none.
    /// - Returns: those that are silent for longer than the client was seen to wait.
    mutating func note(_ quiet: [Int], at now: Instant, least: Duration) -> [Int] {
        let still = Set(quiet)
        for number in beginnings.keys where !still.contains(number) { end(number, at: now) }
        for number in quiet where beginnings[number] == nil { beginnings[number] = now }
        let bound = max(least, longestWait * Self.factor + Self.tolerance)
        return quiet.filter { number in
            now - (beginnings[number] ?? now) >= bound && !ended.contains(number)
        }
    }

    /// For how long nothing has happened in a run.
    func length(_ number: Int, at now: Instant) -> Duration { now - (beginnings[number] ?? now) }

    /// A run was ended because of its silence.
    mutating func didEnd(_ number: Int) { ended.insert(number) }

    /// A run goes on, or has ended.
    mutating func end(_ number: Int, at now: Instant) {
        // Who was ended did not go on by himself.
        let wasEnded = ended.remove(number) != nil
        guard let beginning = beginnings.removeValue(forKey: number), !wasEnded else { return }
        longestWait = max(longestWait, now - beginning)
    }
}
