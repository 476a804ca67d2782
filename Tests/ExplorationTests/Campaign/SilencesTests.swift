import Testing

@testable import Exploration

/// For how long a client may be silent.
@Suite struct SilencesTests {
    private static let second: UInt64 = 1_000_000_000

    @Test func `a run is silent from the least time on`() {
        var silences = Silences()
        #expect(silences.note([1, 2], at: 0, least: 3 * Self.second).isEmpty)
        #expect(silences.note([1], at: Self.second, least: 3 * Self.second).isEmpty)
        #expect(silences.note([1, 2], at: 3 * Self.second, least: 3 * Self.second) == [1])
        #expect(silences.length(1, at: 4 * Self.second) == 4 * Self.second)
        silences.didEnd(1)
        #expect(silences.note([1], at: 5 * Self.second, least: 3 * Self.second).isEmpty)
    }

    @Test func `a client that waited long once may wait longer the next time`() {
        var silences = Silences()
        let least = Self.second
        _ = silences.note([1], at: 0, least: least)
        silences.end(1, at: 4 * Self.second)
        _ = silences.note([2], at: 10 * Self.second, least: least)
        #expect(silences.note([2], at: 18 * Self.second, least: least).isEmpty)
        #expect(silences.note([2], at: 19 * Self.second, least: least) == [2])
    }

    @Test func `who was ended did not go on by himself`() {
        var silences = Silences()
        let least = Self.second
        _ = silences.note([1], at: 0, least: least)
        silences.didEnd(1)
        silences.end(1, at: 4 * Self.second)
        _ = silences.note([2], at: 10 * Self.second, least: least)
        #expect(silences.note([2], at: 11 * Self.second, least: least) == [2])
    }

    @Test func `who was ended before he was silent may be silent later`() {
        var silences = Silences()
        let least = Self.second
        silences.didEnd(1)
        silences.end(1, at: 0)
        _ = silences.note([1], at: Self.second, least: least)
        #expect(silences.note([1], at: 2 * Self.second, least: least) == [1])
    }
}
