import HTTPWire
import ResumableServer
import Testing

@Suite struct ServedObjectTests {
    private static let object = ServedObject(
        size: 100,
        validators: Validators(
            entityTag: EntityTag("a"),
            lastModified: HTTPDate(secondsSince1970: 1_000),
            isLastModifiedStrong: true
        )
    )

    @Test(
        arguments: [
            (.sameSize, 100, 1, "\"a~1\"", 1_001), (.grow, 110, 1, "\"a~1\"", 1_001),
            (.shrink, 90, 1, "\"a~1\"", 1_001), (.touch, 100, 0, "\"a~1\"", 1_001),
            (.weakTag, 100, 1, "W/\"a\"", 1_001), (.dateOnly, 100, 1, nil, 1_001),
            (.sameSecond, 100, 1, "\"a~1\"", 1_000),
        ] as [(Misbehaviour.Mutation, Int, Int, String?, Int)]
    )
    func `a mutation changes bytes, size and validators as it says`(
        mutation: Misbehaviour.Mutation,
        size: Int,
        revision: Int,
        tag: String?,
        date: Int
    ) {
        let object = Self.object.after([(mutation, count: 1)])
        #expect(object.size == size)
        #expect(object.revision == revision)
        #expect(object.validators.entityTag?.text == tag)
        #expect(object.validators.lastModified?.secondsSince1970 == date)
    }

    @Test func `mutations add up, and an object never has less than no byte`() {
        let twice = Self.object.after([(.sameSize, count: 2), (.touch, count: 1)])
        #expect(twice.revision == 2)
        #expect(twice.validators.entityTag?.text == "\"a~3\"")
        #expect(Self.object.after([(.shrink, count: 1_000)]).size == 0)
        let empty = ServedObject(size: 0, validators: Validators())
        #expect(empty.after([(.grow, count: 1 << 50)]).size == 1_024)
    }

    @Test func `without tag and with a coarse date two changes within a second look alike`() {
        let effects: [Misbehaviour.Effect] = [.entityTag(.none), .lastModified(.coarse)]
        let before = Self.object.after([], effects)
        let after = Self.object.after([(.sameSecond, count: 1)], effects)
        #expect(before.validators == after.validators)
        #expect(before.revision != after.revision)
    }

    @Test func `validators are shown in the form that is asked for`() {
        let weak = Self.object.after([], [.entityTag(.weak), .lastModified(.none)])
        #expect(weak.validators.entityTag?.text == "W/\"a\"")
        #expect(weak.validators.lastModified == nil)
        let strong = weak.after([], [.entityTag(.strong), .lastModified(.exact)])
        #expect(strong.validators.entityTag?.text == "\"a\"")
    }
}
