import HTTPWire
import ResumableServer
import Testing

/// Where the drafts disagree, and the traps in them: what was decided, each under its number.
@Suite struct UploadDecisionTests {
    private static let ietf = InteropVersion.allCases.map(UploadProtocol.ietf)

    private static func complete(
        _ dialect: UploadProtocol,
        _ policy: UploadSettings.CompletedPolicy = .replay
    ) -> UploadBench {
        var settings = UploadSettings()
        settings.completed = policy
        var bench = UploadBench(settings)
        bench.send(UploadHeads.creation(dialect), bytes: 100)
        return bench
    }

    private static func status(_ bench: inout UploadBench, _ head: RequestHead) -> Int? {
        let exchange = bench.send(head)
        return bench.answers[exchange]?.head.status
    }

    @Test(arguments: [InteropVersion.v5, .v6])
    func `D1: an append with more to come is answered with incomplete`(version: InteropVersion) {
        var bench = UploadBench()
        bench.send(UploadHeads.creation(.ietf(version)), bytes: 40, isCut: true)
        let append = UploadHeads.append(.ietf(version), at: 40, isLast: false, content: 10)
        let exchange = bench.send(append, bytes: 10)
        #expect(bench.answers[exchange]?.head.fields["Upload-Complete"] == "?0")
    }

    @Test(
        arguments: [
            (UploadSettings.CompletedPolicy.replay, 201), (.reject, 400), (.gone, 410),
        ])
    func `D2: a zero-byte last PATCH to a complete upload follows the policy, but for 6`(
        policy: UploadSettings.CompletedPolicy,
        status: Int
    ) {
        for dialect in Self.ietf {
            var bench = Self.complete(dialect, policy)
            let again = UploadHeads.append(dialect, at: 100, content: 0)
            let expected = dialect == .ietf(.v6) ? 400 : status
            #expect(Self.status(&bench, again) == expected, "\(dialect)")
        }
        var tus = Self.complete(.tus, policy)
        #expect(Self.status(&tus, UploadHeads.append(.tus, at: 100, content: 0)) == 204)
    }

    @Test func `D2: a chunked last PATCH is replayed if it is empty and refused if not`() {
        var bench = Self.complete(.ietf(.v8))
        let chunked = UploadHeads.append(.ietf(.v8), at: 100, content: nil)
        let empty = bench.send(chunked)
        #expect(bench.answers[empty]?.head.status == 201)
        let full = bench.send(chunked, bytes: 1)
        #expect(bench.answers[full]?.head.status == 400)
        #expect(bench.record?.state == .complete(bench.stored))
    }

    @Test func `D2: a chunked last PATCH that waits for the target is drained`() {
        var bench = UploadBench()
        bench.holdsFinalising = true
        bench.send(UploadHeads.creation(.ietf(.v8)), bytes: 100)
        let chunked = bench.head(UploadHeads.append(.ietf(.v8), at: 100, content: nil))
        let empty = bench.head(UploadHeads.append(.ietf(.v8), at: 100, content: 0))
        #expect(bench.actions.contains(.reset(chunked)))
        bench.finalise()
        #expect(bench.answers[empty]?.needsDrain == false)
        var other = UploadBench()
        other.holdsFinalising = true
        other.send(UploadHeads.creation(.ietf(.v8)), bytes: 100)
        let alone = other.head(UploadHeads.append(.ietf(.v8), at: 100, content: nil))
        other.finalise()
        #expect(other.answers[alone]?.needsDrain == true)
    }

    @Test(arguments: ietf)
    func `D2: any other PATCH to a complete upload is 409 if wrong and else 400`(
        dialect: UploadProtocol
    ) {
        var bench = Self.complete(dialect)
        let wrong = UploadHeads.append(dialect, at: 90, content: 0)
        #expect(Self.status(&bench, wrong) == (dialect == .ietf(.v6) ? 400 : 409))
        let more = UploadHeads.append(dialect, at: 100, content: 5)
        #expect(Self.status(&bench, more) == 400)
    }

    @Test(arguments: UploadProtocol.all)
    func `D3: an offset that was told is never taken back by a body that is refused later`(
        dialect: UploadProtocol
    ) {
        var bench = UploadBench()
        bench.send(UploadHeads.creation(dialect), bytes: 40, isCut: true)
        bench.send(UploadHeads.append(dialect, at: 40, content: nil), bytes: 61)
        #expect(bench.record.map { $0.offset >= 40 } == true)
    }

    @Test(arguments: [InteropVersion.v6, .v8])
    func `D4: OPTIONS has limits and media type in 6 and 8`(version: InteropVersion) {
        var bench = UploadBench()
        let exchange = bench.send(UploadHeads.plain("OPTIONS", .ietf(version)))
        #expect(bench.answers[exchange]?.head.fields["Upload-Limit"] == "min-size=0")
        #expect(
            bench.answers[exchange]?.head.fields["Accept-Patch"] == "application/partial-upload"
        )
    }

    @Test(arguments: ietf)
    func `D5: 409 says incomplete in 8 and nothing in the others`(dialect: UploadProtocol) {
        var bench = UploadBench()
        bench.send(UploadHeads.creation(dialect), bytes: 40, isCut: true)
        let exchange = bench.send(UploadHeads.append(dialect, at: 41, content: 59))
        let says = bench.answers[exchange]?.head.fields["Upload-Complete"]
        #expect(says == (dialect == .ietf(.v8) ? "?0" : nil))
        #expect(bench.answers[exchange]?.head.fields.contains("Upload-Incomplete") == false)
    }

    @Test(arguments: [InteropVersion.v6, .v8])
    func `D7: min-append-size does not bind the last request`(version: InteropVersion) {
        var settings = UploadSettings()
        settings.limits.minAppendSize = 50
        var bench = UploadBench(settings)
        bench.send(UploadHeads.creation(.ietf(version)), bytes: 90, isCut: true)
        let more = UploadHeads.append(.ietf(version), at: 90, isLast: false, content: 5)
        #expect(Self.status(&bench, more) == 400)
        #expect(bench.record?.offset == 90)
        let last = UploadHeads.append(.ietf(version), at: 90, content: 10)
        bench.send(last, bytes: 10)
        #expect(bench.finalisations == 1)
    }

    @Test func `D8: HEAD of tus is 200`() {
        var bench = Self.complete(.tus)
        #expect(Self.status(&bench, UploadHeads.plain("HEAD", .tus)) == 200)
    }

    @Test(arguments: ietf)
    func `D9: the final answer of a whole upload says complete`(dialect: UploadProtocol) {
        var bench = UploadBench()
        let exchange = bench.send(UploadHeads.creation(dialect), bytes: 100)
        let fields = bench.answers[exchange]?.head.fields
        if dialect == .ietf(.v3) {
            #expect(fields?["Upload-Incomplete"] == "?0")
        } else {
            #expect(fields?["Upload-Complete"] == "?1")
        }
    }

    // MARK: Traps

    @Test(arguments: ietf)
    func `trap: a PATCH that says nothing is the last in 3 to 6 and an error in 8`(
        dialect: UploadProtocol
    ) {
        var bench = UploadBench()
        bench.send(UploadHeads.creation(dialect), bytes: 40, isCut: true)
        let head = UploadHeads.append(dialect, at: 40, content: 60, ["Upload-Complete": ""])
        bench.send(head, bytes: 60)
        #expect(bench.finalisations == (dialect == .ietf(.v8) ? 0 : 1))
    }

    @Test func `trap: the two completeness fields have opposite senses and each has its version`() {
        func isLast(_ dialect: UploadProtocol, _ fields: HeaderFields) -> Bool {
            var bench = UploadBench()
            bench.send(UploadHeads.creation(dialect), bytes: 40, isCut: true)
            let head = UploadHeads.append(dialect, at: 40, isLast: true, content: 60, fields)
            bench.send(head, bytes: 60)
            return bench.finalisations == 1
        }
        #expect(isLast(.ietf(.v3), ["Upload-Incomplete": "?0"]))
        #expect(!isLast(.ietf(.v3), ["Upload-Incomplete": "?1"]))
        #expect(isLast(.ietf(.v3), ["Upload-Complete": "?0"]))
        #expect(isLast(.ietf(.v6), ["Upload-Complete": "?1"]))
        #expect(!isLast(.ietf(.v6), ["Upload-Complete": "?0"]))
        #expect(isLast(.ietf(.v6), ["Upload-Incomplete": "?1"]))
    }

    @Test(arguments: [InteropVersion.v5, .v6, .v8])
    func `trap: progress is promised after the commit, at fixed steps, not at the end`(
        version: InteropVersion
    ) {
        var settings = UploadSettings()
        settings.progressBytes = 20
        for pieces in [[60], [7, 13, 1, 19, 20], [20, 20, 20], [59, 1]] as [[UInt64]] {
            var bench = UploadBench(settings)
            bench.send(UploadHeads.creation(.ietf(version)), bytes: 40, isCut: true)
            let head = UploadHeads.append(.ietf(version), at: 40, content: 60)
            let exchange = bench.head(head)
            bench.holdsWrites = true
            for piece in pieces { bench.body(piece, exchange) }
            #expect(bench.interims[exchange] == nil)
            for _ in pieces { bench.write() }
            let offsets = bench.interims[exchange]?.map { $0.fields["Upload-Offset"] }
            #expect(offsets == ["60", "80"], "\(pieces)")
        }
    }

    @Test func `trap: a chunked body cannot pass the length`() {
        for version in [InteropVersion.v3, .v5, .v6, .v8] {
            var bench = UploadBench()
            bench.send(UploadHeads.creation(.ietf(version)), bytes: 40, isCut: true)
            let exchange = bench.head(UploadHeads.append(.ietf(version), at: 40, content: nil))
            bench.body(50, exchange)
            bench.body(50, exchange)
            #expect(bench.answers[exchange]?.head.status == 400)
            #expect(bench.answers[exchange]?.needsDrain == true)
            #expect(bench.record?.offset == 100)
            #expect(bench.finalisations == 0)
            #expect((bench.record?.state == .invalid) == (version == .v8))
        }
    }

    @Test(arguments: ietf)
    func `trap: a chunked last request that ends before the length completes nothing`(
        dialect: UploadProtocol
    ) {
        var bench = UploadBench()
        bench.send(UploadHeads.creation(dialect), bytes: 40, isCut: true)
        let head = UploadHeads.append(dialect, at: 40, content: nil)
        let exchange = bench.send(head, bytes: 59)
        #expect(bench.answers[exchange]?.head.status == 400)
        #expect(bench.record?.offset == 99)
        #expect(bench.record?.state == .active)
        bench.send(UploadHeads.append(dialect, at: 99, content: 1), bytes: 1)
        #expect(bench.finalisations == 1)
    }

    @Test(arguments: UploadProtocol.all)
    func `trap: HEAD cannot be cached`(dialect: UploadProtocol) {
        var bench = Self.complete(dialect)
        let exchange = bench.send(UploadHeads.plain("HEAD", dialect))
        #expect(bench.answers[exchange]?.head.fields["Cache-Control"] == "no-store")
    }
}
