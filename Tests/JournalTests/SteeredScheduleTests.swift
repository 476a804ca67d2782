import Basics
import Journal
import Testing

@Suite struct SteeredScheduleTests {
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

    private static func fault(_ id: String, byHand isByHand: Bool) -> JournalRecord {
        .fault(
            FaultReport(
                connection: ConnectionID(ordinal: 1),
                id: id,
                address: "down+5",
                effect: "rst",
                state: .fired,
                offset: 5,
                isByHand: isByHand
            )
        )
    }

    private static func change(adds: [String] = [], removes: [String] = []) -> JournalRecord {
        .change(ChangeReport("fault", by: .control, adds: adds, removes: removes))
    }

    private static func journal(_ records: [JournalRecord]) -> CanonicalJournal {
        var journal = CanonicalJournal()
        for record in records { journal.add(record) }
        return journal
    }

    @Test func `a session by hand has the form of the run that repeats it`() {
        let steered = Self.journal([
            Self.start("lc1;seed=7;c9:up+1=fin"), Self.change(adds: ["c2:down+1=rst"]),
            Self.fault("c1:down+5=rst", byHand: true), Self.change(),
        ])
        let repeated = Self.journal([
            Self.start("lc1;seed=7;c1:down+5=rst;c2:down+1=rst;c9:up+1=fin"),
            Self.fault("c1:down+5=rst", byHand: false),
        ])
        #expect(steered.text == repeated.text)
        #expect(steered.schedule == "lc1;seed=7;c1:down+5=rst;c2:down+1=rst;c9:up+1=fin")
        let other = Self.journal([Self.start("lc1;seed=7;c9:up+1=fin")])
        #expect(steered.text != other.text)
    }

    @Test(arguments: [
        // What was taken back was never there, and may come back.
        ("lc1;a:x=1", [(["b:x=1"], ["b:x=1"])], "lc1;a:x=1"),
        ("lc1;a:x=1", [([], ["a:x=1"])], "lc1"),
        ("lc1;a:x=1", [([], ["a:x=1"]), (["a:x=1"], [])], "lc1;a:x=1"),
        // Twice is twice, and taken back once it is once; faults stand by their bytes, seed and base in front.
        (
            "lc1;seed=7;base=0123456789abcdef;z:x=1", [(["c:x=1"], []), (["c:x=1"], [])],
            "lc1;seed=7;base=0123456789abcdef;c:x=1;c:x=1;z:x=1"
        ),
        ("lc1;a:x=1", [(["a:x=1"], []), ([], ["a:x=1"])], "lc1;a:x=1"),
        ("", [], ""),
    ])
    func `changes are laid over the schedule of the start`(
        start: String,
        changes: [(adds: [String], removes: [String])],
        expected: String
    ) {
        let records = changes.map { Self.change(adds: $0.adds, removes: $0.removes) }
        #expect(Self.journal([Self.start(start)] + records).schedule == expected)
    }

    @Test func `what was done twice at one place is in the schedule twice`() {
        let steered = Self.journal([
            Self.start("lc1;seed=7"), Self.fault("c1:down+5=rst", byHand: true),
            Self.fault("c1:down+5=rst#2", byHand: true),
        ])
        #expect(steered.schedule == "lc1;seed=7;c1:down+5=rst;c1:down+5=rst")
        let repeated = Self.journal([
            Self.start("lc1;seed=7;c1:down+5=rst;c1:down+5=rst"),
            Self.fault("c1:down+5=rst#2", byHand: false),
            Self.fault("c1:down+5=rst", byHand: false),
        ])
        #expect(steered.text == repeated.text)
    }

    @Test func `an end that races what was done by hand makes no other form`() {
        func fault(_ address: String, _ effect: String, byHand: Bool, isRacy: Bool) -> JournalRecord
        {
            .fault(
                FaultReport(
                    connection: ConnectionID(ordinal: 1),
                    id: "c1:\(address)=\(effect)",
                    address: address,
                    effect: effect,
                    state: .fired,
                    offset: 5,
                    isRacy: isRacy,
                    isByHand: byHand
                )
            )
        }
        let steered = Self.journal([
            fault("up+5", "stall(1s)", byHand: true, isRacy: false),
            fault("down+9", "rst", byHand: true, isRacy: false),
        ])
        let repeated = Self.journal([
            fault("down+9", "rst", byHand: false, isRacy: false),
            fault("up+5", "stall(1s)", byHand: false, isRacy: true),
        ])
        #expect(steered.text == repeated.text)
    }

    @Test func `what the path is like later follows the clock and is left out`() {
        func path(_ interface: String, of connection: UInt32? = nil) -> JournalRecord {
            .path(
                connection.map { ConnectionID(ordinal: $0) },
                PathReport(interface: interface)
            )
        }
        let once = Self.journal([path("wifi")])
        #expect(Self.journal([path("wifi"), path("cellular")]).text == once.text)
        #expect(Self.journal([path("wifi", of: 1), path("wifi")]).text == once.text)
        #expect(Self.journal([path("cellular")]).text != once.text)
    }

    @Test func `without a start there is no schedule`() {
        #expect(Self.journal([Self.change(adds: ["c1:down+1=rst"])]).schedule == nil)
    }

    @Test func `faults of a schedule have one order, whichever they were given in`() {
        let one = Self.journal([Self.start("lc1;seed=7;c2:up+1=fin;c10:up+1=fin")])
        let other = Self.journal([Self.start("lc1;seed=7;c10:up+1=fin;c2:up+1=fin")])
        #expect(one.text == other.text)
    }
}
