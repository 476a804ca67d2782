import HTTPWire
import ResumableServer
import Testing

/// The rules of the origin, each under its number.
@Suite struct UploadResourceTests {
    private static let ietf = InteropVersion.allCases.map(UploadProtocol.ietf)

    /// An upload of 100 bytes with 40 in it and a PATCH at work on the rest.
    private static func busy(
        _ dialect: UploadProtocol,
        _ adjust: (inout UploadBench) -> Void = { _ in }
    ) -> (bench: UploadBench, owner: ExchangeID) {
        var bench = UploadBench()
        adjust(&bench)
        bench.send(UploadHeads.creation(dialect), bytes: 40, isCut: true)
        let owner = bench.head(UploadHeads.append(dialect, at: 40, content: 60))
        return (bench, owner)
    }

    // MARK: O1, one owner

    @Test(arguments: UploadProtocol.all)
    func `O1: a later request stops the reader, waits for the write, resets, then answers`(
        dialect: UploadProtocol
    ) {
        var (bench, owner) = Self.busy(dialect)
        bench.holdsWrites = true
        bench.body(30, owner)
        let before = bench.actions.count
        let head = bench.head(UploadHeads.plain("HEAD", dialect))
        #expect(Array(bench.actions[before...]) == [.stopReading(owner)])
        #expect(bench.answers[head] == nil)
        bench.body(10, owner)
        bench.write()
        #expect(bench.actions.contains(.reset(owner)))
        #expect(bench.answers[head]?.head.fields["Upload-Offset"] == "70")
        #expect(bench.answers[owner] == nil)
    }

    @Test(arguments: UploadProtocol.all)
    func `O1: without a write under way a later request is answered at once`(
        dialect: UploadProtocol
    ) {
        var (bench, owner) = Self.busy(dialect)
        let head = bench.head(UploadHeads.plain("HEAD", dialect))
        #expect(bench.answers[head]?.head.fields["Upload-Offset"] == "40")
        #expect(bench.actions.contains(.reset(owner)))
        bench.body(60, owner)
        bench.end(owner)
        #expect(bench.record?.offset == 40)
    }

    @Test func `O1: of several that wait only the latest is served`() {
        var (bench, owner) = Self.busy(.ietf(.v6))
        bench.holdsWrites = true
        bench.body(30, owner)
        let first = bench.head(UploadHeads.plain("HEAD", .ietf(.v6)))
        let second = bench.head(UploadHeads.plain("HEAD", .ietf(.v6)))
        bench.write()
        #expect(bench.actions.contains(.reset(first)))
        #expect(bench.answers[first] == nil)
        #expect(bench.answers[second] != nil)
    }

    @Test func `O1: one that waits and loses its connection leaves nothing behind`() {
        var (bench, owner) = Self.busy(.ietf(.v6))
        bench.holdsWrites = true
        bench.body(30, owner)
        let head = bench.head(UploadHeads.plain("HEAD", .ietf(.v6)))
        bench.lose(head)
        bench.write()
        #expect(bench.answers[head] == nil)
        #expect(bench.resource?.owner == nil)
        #expect(bench.record?.offset == 70)
    }

    @Test func `O1: PATCH and DELETE take over as HEAD does`() {
        var (bench, owner) = Self.busy(.ietf(.v8))
        bench.body(30, owner)
        let patch = bench.head(UploadHeads.append(.ietf(.v8), at: 70, content: 30))
        #expect(bench.resource?.owner == patch)
        bench.send(UploadHeads.plain("DELETE", .ietf(.v8)))
        #expect(bench.actions.contains(.reset(patch)))
        #expect(bench.record?.state == .cancelled)
    }

    // MARK: O2, the offset

    @Test func `O2: the offset moves when a write is finished, not when bytes come`() {
        var (bench, owner) = Self.busy(.ietf(.v6))
        bench.holdsWrites = true
        bench.body(10, owner)
        bench.body(20, owner)
        #expect(bench.record?.offset == 40)
        bench.write()
        #expect(bench.record?.offset == 50)
    }

    @Test func `O2: writes are at the recorded offset`() {
        var (bench, owner) = Self.busy(.ietf(.v6))
        bench.body(10, owner)
        bench.body(20, owner)
        let places = bench.actions.compactMap { action -> UInt64? in
            if case .store(_, let place, _) = action { place } else { nil }
        }
        #expect(places == [0, 40, 50])
    }

    @Test(arguments: UploadProtocol.all)
    func `O2: what an answer says was made durable before it`(dialect: UploadProtocol) throws {
        var bench = UploadBench()
        bench.send(UploadHeads.creation(dialect), bytes: 100)
        var saved: UploadRecord?
        for action in bench.actions {
            switch action {
            case .persist(let record): saved = record
            case .interim: #expect(saved != nil)
            case .answer: #expect(saved == bench.record)
            default: break
            }
        }
    }

    @Test func `O2: an upload whose file is shorter than its offset is invalid`() {
        var bench = UploadBench()
        bench.send(UploadHeads.creation(.ietf(.v8)), bytes: 40, isCut: true)
        var longer = bench
        longer.restart(fileSize: 90)
        #expect(longer.record?.state == .active)
        #expect(longer.record?.offset == 40)
        bench.restart(fileSize: 39)
        #expect(bench.record?.state == .invalid)
        let head = bench.send(UploadHeads.plain("HEAD", .ietf(.v8)))
        #expect(bench.answers[head]?.head.status == 404)
    }

    // MARK: O3, what arrived

    @Test(arguments: UploadProtocol.all)
    func `O3: a cut keeps all bytes that arrived, also those still being written`(
        dialect: UploadProtocol
    ) {
        var (bench, owner) = Self.busy(dialect)
        bench.holdsWrites = true
        bench.body(10, owner)
        bench.body(20, owner)
        bench.lose(owner)
        #expect(bench.resource?.owner == owner)
        bench.write()
        bench.write()
        #expect(bench.record?.offset == 70)
        #expect(bench.record?.state == .active)
        #expect(bench.resource?.owner == nil)
        #expect(bench.actions.last == bench.record.map(UploadAction.persist))
    }

    @Test func `O3: a cut chunked append of tus keeps all bytes but the last of the upload`() {
        for (count, offset) in [(10, 50), (59, 99), (60, 99)] as [(UInt64, UInt64)] {
            var bench = UploadBench()
            bench.send(UploadHeads.creation(.tus), bytes: 40, isCut: true)
            let append = UploadHeads.append(.tus, at: 40, content: nil)
            bench.send(append, bytes: count, isCut: true)
            #expect(bench.record?.offset == offset)
        }
    }

    @Test func `an append that is longer than the rest is that, though it is too large as well`() {
        for (most, isTooLarge) in [(59, true), (60, false), (61, false)] as [(UInt64, Bool)] {
            var (bench, owner) = Self.busy(.ietf(.v6)) { $0.settings.limits.maxAppendSize = most }
            bench.lose(owner)
            let append = UploadHeads.append(.ietf(.v6), at: 40, content: nil)
            owner = bench.send(append, bytes: 62)
            #expect((bench.answers[owner]?.head.status == 413) == isTooLarge, "\(most)")
            #expect(bench.answers[owner]?.head.status ?? 0 >= 400)
        }
    }

    @Test func `every digest of an append has to be right`() {
        let fields: HeaderFields = ["Content-Digest": "sha-256=:AQ==:, sha-512=:Ag==:"]
        for (second, offset) in [(2, 100), (3, 40)] as [(UInt8, UInt64)] {
            var (bench, owner) = Self.busy(.ietf(.v8))
            bench.lose(owner)
            bench.digests = [ExpectedDigest(.sha256, [1]), ExpectedDigest(.sha512, [second])]
            let append = UploadHeads.append(.ietf(.v8), at: 40, content: 60, fields)
            owner = bench.send(append, bytes: 60)
            #expect(bench.record?.offset == offset)
        }
    }

    // MARK: O4, completion

    @Test(arguments: UploadProtocol.all)
    func `O4: completion is entered once, however often the last request comes`(
        dialect: UploadProtocol
    ) {
        var bench = UploadBench()
        bench.send(UploadHeads.creation(dialect), bytes: 100)
        for _ in 0..<3 { bench.send(UploadHeads.append(dialect, at: 100, content: 0)) }
        #expect(bench.finalisations == 1)
    }

    @Test(arguments: ietf)
    func `O4: all bytes of a cut request do not complete, a zero-byte last request does`(
        dialect: UploadProtocol
    ) {
        var bench = UploadBench()
        let chunked = UploadHeads.creation(dialect, content: nil)
        bench.send(chunked, bytes: 100, isCut: true)
        #expect(bench.record?.state == .active)
        #expect(bench.record?.length == nil)
        bench.send(UploadHeads.append(dialect, at: 100, content: 0))
        #expect(bench.finalisations == 1)
        #expect(bench.record?.length == 100)
    }

    @Test(arguments: UploadProtocol.all)
    func `O4: a target that is slow finishes its work although its client has gone`(
        dialect: UploadProtocol
    ) {
        var bench = UploadBench()
        bench.holdsFinalising = true
        let creation = bench.send(UploadHeads.creation(dialect), bytes: 100)
        bench.lose(creation)
        let head = bench.send(UploadHeads.plain("HEAD", dialect))
        #expect(bench.answers[head]?.head.fields["Upload-Offset"] == "100")
        let again = bench.send(UploadHeads.append(dialect, at: 100, content: 0))
        #expect((bench.answers[again] == nil) == (dialect != .ietf(.v6)))
        bench.finalise()
        #expect(bench.answers[again] != nil)
        #expect(bench.answers[creation] == nil)
        #expect(bench.finalisations == 1)
    }

    @Test func `O4: who waits for a slow target is answered, whoever else goes`() {
        var bench = UploadBench()
        bench.holdsFinalising = true
        let owner = bench.send(UploadHeads.creation(.ietf(.v6)), bytes: 100)
        bench.lose(bench.newExchange())
        #expect(bench.answers[owner] == nil)
        bench.finalise()
        #expect(bench.answers[owner] != nil)
    }

    @Test func `O4: after a restart within finalising the target is asked again`() {
        var bench = UploadBench()
        bench.holdsFinalising = true
        bench.send(UploadHeads.creation(.ietf(.v8)), bytes: 100)
        bench.restart(fileSize: 100)
        #expect(bench.finalisations == 2)
        bench.finalise()
        #expect(bench.record?.state == .complete(bench.stored))
    }

    // MARK: O5, the stored answer

    @Test func `O5: a complete upload is kept for its time and then gone`() {
        var bench = UploadBench()
        bench.send(UploadHeads.creation(.ietf(.v8)), bytes: 100)
        bench.now += 3_599
        bench.expire()
        #expect(bench.record?.state == .complete(bench.stored))
        bench.now += 1
        bench.expire()
        #expect(bench.record?.state == .gone)
        #expect(bench.actions.last == .deleteContent)
    }

    @Test func `O5: the stored answer has at most 64 KiB of content`() {
        let answer = StoredAnswer(200, body: Array(repeating: 1, count: 70_000))
        #expect(answer.body.count == 65_536)
    }

    @Test func `O5: status, fields and content of the target are replayed`() throws {
        var bench = UploadBench()
        bench.stored = StoredAnswer(422, ["Location": "/r/1"], body: Array("no".utf8))
        let first = bench.send(UploadHeads.creation(.ietf(.v8)), bytes: 100)
        let second = bench.send(UploadHeads.append(.ietf(.v8), at: 100, content: 0))
        #expect(bench.answers[first] == bench.answers[second])
        let answer = try #require(bench.answers[second])
        #expect(answer.head.status == 422)
        #expect(answer.head.fields["Location"] == "/r/1")
        #expect(answer.body == Array("no".utf8))
    }

    // MARK: O6 and O7, refusals

    @Test func `O6: a full disk is 507 and keeps what was written`() {
        var (bench, owner) = Self.busy(.ietf(.v6))
        bench.holdsWrites = true
        bench.body(10, owner)
        bench.write()
        bench.body(10, owner)
        bench.body(10, owner)
        bench.failWrite(.noSpace, owner)
        #expect(bench.answers[owner]?.head.status == 507)
        #expect(bench.record?.offset == 50)
        #expect(bench.record?.state == .active)
    }

    @Test func `O6: what was read to its end is not stopped when the disk is full`() {
        for isRead in [false, true] {
            var (bench, owner) = Self.busy(.ietf(.v6))
            bench.holdsWrites = true
            bench.body(60, owner)
            if isRead { bench.end(owner) }
            bench.failWrite(.noSpace, owner)
            #expect(bench.answers[owner]?.head.status == 507)
            #expect(bench.actions.contains(.stopReading(owner)) == !isRead)
        }
    }

    @Test func `O6: any other failure to write is 500`() {
        var (bench, owner) = Self.busy(.tus)
        bench.holdsWrites = true
        bench.body(10, owner)
        bench.failWrite(.other, owner)
        #expect(bench.answers[owner]?.head.status == 500)
        #expect(bench.record?.offset == 40)
    }

    @Test func `O6: a failure to write does not answer a request that was overtaken`() {
        var (bench, owner) = Self.busy(.ietf(.v6))
        bench.holdsWrites = true
        bench.body(10, owner)
        let head = bench.head(UploadHeads.plain("HEAD", .ietf(.v6)))
        bench.failWrite(.noSpace, owner)
        #expect(bench.answers[owner] == nil)
        #expect(bench.answers[head]?.head.fields["Upload-Offset"] == "40")
    }

    @Test(arguments: [InteropVersion.v6, .v8])
    func `O7: a wrong or missing media type is 415`(version: InteropVersion) {
        for type in ["", "application/octet-stream", "application/partial-uploads", "?"] {
            var (bench, _) = Self.busy(.ietf(version))
            let head = UploadHeads.append(
                .ietf(version),
                at: 40,
                content: 60,
                ["Content-Type": type]
            )
            let exchange = bench.send(head, bytes: 60)
            #expect(bench.answers[exchange]?.head.status == 415)
            #expect(bench.record?.offset == 40)
        }
    }

    @Test func `O7: a media type may have parameters and capital letters`() {
        var (bench, _) = Self.busy(.ietf(.v6))
        let type = "Application/Partial-Upload; x=1"
        bench.send(
            UploadHeads.append(.ietf(.v6), at: 40, content: 60, ["Content-Type": type]),
            bytes: 60
        )
        #expect(bench.record?.offset == 100)
    }

    // MARK: O8 to O10

    @Test func `O8: an answer before the end of the body asks for the rest to be drained`() {
        var (bench, _) = Self.busy(.ietf(.v6))
        let refused = bench.head(UploadHeads.append(.ietf(.v6), at: 3, content: 60))
        #expect(bench.answers[refused]?.needsDrain == true)
        let done = bench.send(UploadHeads.append(.ietf(.v6), at: 40, content: 60), bytes: 60)
        #expect(bench.answers[done]?.needsDrain == false)
        #expect(UploadAnswer.drainBytes == 1_048_576)
        #expect(UploadAnswer.drainSeconds == 2)
    }

    @Test func `O9: Location is a path unless it is to be absolute`() {
        func location(_ form: UploadSettings.LocationForm, _ fields: HeaderFields) -> String? {
            var settings = UploadSettings()
            settings.location = form
            var bench = UploadBench(settings)
            bench.head(UploadHeads.creation(.ietf(.v8), fields))
            return bench.record?.location
        }
        let host: HeaderFields = ["Host": "a.test:8080"]
        #expect(location(.relative, host) == "/uploads/u1")
        #expect(location(.absolute(scheme: "https"), host) == "https://a.test:8080/uploads/u1")
        #expect(location(.absolute(scheme: "https"), [:]) == "/uploads/u1")
    }

    @Test(arguments: ietf)
    func `O9: Location is the same in every message of an exchange`(dialect: UploadProtocol) {
        var bench = UploadBench()
        let creation = UploadHeads.creation(dialect, isLast: false, content: 40)
        let exchange = bench.send(creation, bytes: 40)
        let first = bench.interims[exchange]?.first?.fields["Location"]
        #expect(first != nil)
        #expect(bench.answers[exchange]?.head.fields["Location"] == first)
    }

    @Test(arguments: UploadProtocol.all)
    func `O10: an upload expires when its time has come, not while it is owned`(
        dialect: UploadProtocol
    ) {
        var (bench, owner) = Self.busy(dialect) { $0.settings.lifetime = 60 }
        bench.now += 60
        bench.expire()
        #expect(bench.record?.state == .active)
        bench.body(60, owner)
        bench.end(owner)
        #expect(bench.finalisations == 1)
        #expect(bench.record?.offset == 100)
    }

    @Test func `O10: an upload that lost its last bytes says so by a smaller offset`() {
        var bench = UploadBench()
        bench.send(UploadHeads.creation(.ietf(.v6)), bytes: 40, isCut: true)
        bench.lose(.last(15))
        #expect(bench.record?.offset == 25)
        bench.lose(.from(30))
        #expect(bench.record?.offset == 25)
        bench.lose(.from(20))
        #expect(bench.record?.offset == 20)
        bench.lose(.last(1_000))
        #expect(bench.record?.offset == 0)
    }

    /// A process that is killed has bytes that it was still writing.
    @Test(arguments: [(UploadLoss.last(5), UInt64(65)), (.from(40), 40), (.from(90), 70)])
    func `O10: what is lost while a request runs is missing when that was cut`(
        loss: UploadLoss,
        offset: UInt64
    ) {
        var (bench, owner) = Self.busy(.ietf(.v6))
        bench.holdsWrites = true
        bench.body(30, owner)
        bench.lose(loss)
        bench.lose(owner)
        bench.write()
        #expect(bench.record?.offset == offset)
        bench.holdsWrites = false
        bench.send(
            UploadHeads.append(.ietf(.v6), at: offset, isLast: false, content: nil),
            bytes: 1,
            isCut: true
        )
        #expect(bench.record?.offset == offset + 1)
    }
}
