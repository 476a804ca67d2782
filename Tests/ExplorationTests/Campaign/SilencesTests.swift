import Basics
import Testing

@testable import Exploration

/// For how long a client may be silent.
@Suite struct SilencesTests {
    private static func at(_ seconds: Int64) -> Instant { .start + .seconds(seconds) }

    @Test func `a run is silent from the least time on`() {
        var silences = Silences()
        #expect(silences.note([1, 2], at: .start, least: .seconds(3)).isEmpty)
        #expect(silences.note([1], at: Self.at(1), least: .seconds(3)).isEmpty)
        #expect(silences.note([1, 2], at: Self.at(3), least: .seconds(3)) == [1])
        #expect(silences.length(1, at: Self.at(4)) == .seconds(4))
        silences.didEnd(1)
        #expect(silences.note([1], at: Self.at(5), least: .seconds(3)).isEmpty)
    }

    @Test func `a client that waited long once may wait longer the next time`() {
        var silences = Silences()
        let least = Duration.seconds(1)
        _ = silences.note([1], at: .start, least: least)
        silences.end(1, at: Self.at(4))
        _ = silences.note([2], at: Self.at(10), least: least)
        #expect(silences.note([2], at: Self.at(18), least: least).isEmpty)
        #expect(silences.note([2], at: Self.at(19), least: least) == [2])
    }

    @Test func `who was ended did not go on by himself`() {
        var silences = Silences()
        let least = Duration.seconds(1)
        _ = silences.note([1], at: .start, least: least)
        silences.didEnd(1)
        silences.end(1, at: Self.at(4))
        _ = silences.note([2], at: Self.at(10), least: least)
        #expect(silences.note([2], at: Self.at(11), least: least) == [2])
    }

    @Test func `who was ended before he was silent may be silent later`() {
        var silences = Silences()
        let least = Duration.seconds(1)
        silences.didEnd(1)
        silences.end(1, at: .start)
        _ = silences.note([1], at: Self.at(1), least: least)
        #expect(silences.note([1], at: Self.at(2), least: least) == [1])
    }
}
