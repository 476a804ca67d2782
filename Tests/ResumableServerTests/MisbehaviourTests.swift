import HTTPWire
import ResumableServer
import Testing

@Suite struct MisbehaviourTests {
    private static let now = HTTPDate(secondsSince1970: 784_111_777)

    private static func effects(
        _ text: String,
        _ kinds: [RequestTally.Kind]
    ) throws -> [[Misbehaviour.Effect]] {
        let misbehaviour = try Misbehaviour(parsing: text)
        var tally = RequestTally()
        return kinds.map { misbehaviour.effects(for: tally.count($0)) }
    }

    @Test func `a rule applies to the requests of its scope with its ordinals`() throws {
        let effects = try Self.effects(
            "append:503@2-3; drop-104@2; any:500@6-",
            [.creation, .append, .append, .status, .append, .append]
        )
        #expect(
            effects == [
                [], [.drop104], [.status(503, retryAfter: nil)], [],
                [.status(503, retryAfter: nil)], [.status(500, retryAfter: nil)],
            ]
        )
    }

    @Test func `requests of other scopes do not count`() throws {
        let effects = try Self.effects("short=5@2", [.object, .append, .other, .object, .object])
        #expect(effects == [[], [], [], [.short(5)], []])
    }

    @Test func `several rules apply in their order`() throws {
        let effects = try Self.effects("no-content-range; short=5; etag=weak", [.object])
        #expect(effects == [[.noContentRange, .short(5), .entityTag(.weak)]])
    }

    @Test func `a status says when to come back in either form`() throws {
        let rules = try Misbehaviour(parsing: "503,retry-after=2; 429,retry-after-date=2; 500")
        let answers = rules.rules.map { $0.effect.answer(now: Self.now) }
        #expect(answers.map { $0?.head.status } == [503, 429, 500])
        #expect(
            answers.map { $0?.head.fields["Retry-After"] }
                == ["2", "Sun, 06 Nov 1994 08:49:39 GMT", nil]
        )
        #expect(answers.allSatisfy { $0?.needsDrain == true })
        #expect(Misbehaviour.Effect.drop104.answer(now: Self.now) == nil)
    }

    @Test func `a mutation stays, and comes once for each of its requests`() throws {
        let misbehaviour = try Misbehaviour(parsing: "mutate=grow@2-3; mutate=touch@4")
        var tally = RequestTally()
        let counts = (1...5).map { _ in
            misbehaviour.mutations(upTo: tally.count(.object)).map(\.count)
        }
        #expect(counts == [[], [1], [2], [2, 1], [2, 1]])
    }
}
