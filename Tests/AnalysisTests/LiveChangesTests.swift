import Basics
import Journal
import Testing

@testable import Analysis

@Suite struct LiveChangesTests {
    private static func start(_ schedule: String) -> JournalRecord {
        .start(
            RunStart(
                tool: "linkcond 1",
                command: "proxy",
                seed: 7,
                schedule: schedule,
                profile: "none",
                profileDigest: "ab",
                environment: [:]
            )
        )
    }

    /// A second apart each.
    private static func changes(_ records: [JournalRecord]) -> LiveChanges {
        var changes = LiveChanges()
        for (place, record) in records.enumerated() {
            changes.take(Timed(record, line: place + 1, at: .start + .seconds(Int64(place))))
        }
        return changes
    }

    private static func path(
        _ interface: String,
        isExpensive: Bool = false,
        isSatisfied: Bool = true
    ) -> JournalRecord {
        .path(
            nil,
            PathReport(interface: interface, isExpensive: isExpensive, isSatisfied: isSatisfied)
        )
    }

    private static func put(
        _ interface: String,
        _ status: String = "satisfied",
        isExpensive: Bool = false,
        isConstrained: Bool = false
    ) -> JournalRecord {
        .change(
            ChangeReport(
                "path",
                by: .control,
                detail: [
                    "status": .string(status), "isExpensive": .bool(isExpensive),
                    "isConstrained": .bool(isConstrained),
                    "interface": .string(interface), "power": false,
                ]
            )
        )
    }

    @Test func `the schedule has what was added and removed, as control has it`() {
        let started = Self.start("lc1;seed=7;c2:up+1=fin;c10:up+1=fin")
        let untouched = Self.changes([started])
        #expect(untouched.schedule == "lc1;seed=7;c2:up+1=fin;c10:up+1=fin")
        let steered = Self.changes([
            started,
            .change(
                ChangeReport("fault", by: .control, adds: ["c3:up+1=rst"], removes: ["c2:up+1=fin"])
            ),
            .fault(
                FaultReport(
                    connection: ConnectionID(ordinal: 1),
                    id: "c1:down+5=rst#2",
                    address: "down+5",
                    effect: "rst",
                    state: .fired,
                    offset: 5,
                    isByHand: true
                )
            ),
        ])
        #expect(
            steered.schedule == "lc1;seed=7;c1:down+5=rst;c3:up+1=rst;c10:up+1=fin"
        )
        #expect(Self.changes([]).schedule == nil)
    }

    @Test func `changes are told in order, with time and line`() {
        let changes = Self.changes([
            Self.start("lc1"), Self.path("wifi"),
            .change(ChangeReport("mark", by: .key, detail: ["text": "half"])),
            Self.path("cellular", isExpensive: true),
            .change(ChangeReport("profile", by: .control, detail: ["name": "lte"])),
        ])
        #expect(
            changes.list.map(\.value.words)
                == ["mark, text half", "path cellular, expensive", "profile changed to lte"]
        )
        #expect(changes.list.map(\.line) == [3, 4, 5])
        #expect(changes.list.map(\.value.by) == [.key, nil, .control])
        #expect(changes.list.first?.at == .start + .seconds(2))
    }

    @Test func `a path that control put is told once, and what of it no record has`() {
        let changes = Self.changes([
            Self.path("wifi"), Self.path("cellular", isSatisfied: false),
            Self.put("cellular", "unsatisfied"), Self.path("wifi"), Self.put("cellular"),
        ])
        #expect(
            changes.list.map(\.value.words) == [
                "path cellular, unsatisfied, without power", "path wifi",
                "path cellular, without power",
            ]
        )
        #expect(changes.list.map(\.value.by) == [.control, nil, .control])
    }

    @Test func `a path that control put is expensive or constrained as it said`() {
        let changes = Self.changes([
            Self.put("wifi", isExpensive: true), Self.put("wifi", isConstrained: true),
        ])
        #expect(
            changes.list.map(\.value.words) == [
                "path wifi, expensive, without power", "path wifi, constrained, without power",
            ]
        )
    }

    @Test func `a path has a start unless the run was under way`() {
        let early = Self.changes([Self.path("wifi"), Self.path("cellular"), Self.path("wired")])
        #expect(early.path.words == "wifi at the start, wired at the end")
        let back = Self.changes([Self.path("wifi"), Self.path("cellular"), Self.path("wifi")])
        #expect(back.path.words == "wifi" && back.list.count == 2)
        let late = Self.changes([
            .connection(ConnectionID(ordinal: 1), environment: [:]), Self.path("cellular"),
        ])
        #expect(late.path.start == nil && late.list.count == 1)
        #expect(Self.changes([Self.path("other")]).path.words == nil)
    }

    @Test func `more changes and longer words than are kept are left out`() throws {
        let long = String(repeating: "x", count: 3_000)
        let marks = (0..<LiveChanges.limit + 7).map { _ in
            JournalRecord.change(
                ChangeReport("mark", by: .control, detail: ["text": .string(long)])
            )
        }
        let changes = Self.changes(marks)
        #expect(changes.list.count == LiveChanges.limit)
        #expect(changes.leftOut == 7 && changes.count == LiveChanges.limit + 7)
        let first = try #require(changes.list.first).value
        #expect(first.words.count < 300 && first.words.hasSuffix("…"))
        #expect(first.detail.isEmpty)
        let paths = Self.changes([Self.path("wifi"), Self.path(long)])
        #expect(try #require(paths.list.first).value.words.count < 300)
    }
}
