import Basics
import HTTPWire
import ResumableClient
import Testing

/// The rules of the upload client, one test and more for each.
@Suite struct UploadMachineTests {
    // MARK: S6, S7: one request for all

    @Test(arguments: UploadPlan.Dialect.versions)
    func
        `the first request carries everything and is a plain upload where nothing is announced (S7)`(
            dialect: UploadPlan.Dialect
        )
    {
        var bench = upload(dialect)
        bench.start()
        #expect(bench.methods == ["POST"])
        #expect(bench.last?.body == 0..<100)
        bench.answer(200)
        #expect(bench.result?.status == 200)
        #expect(bench.methods == ["POST"])
    }

    @Test(arguments: UploadPlan.Dialect.versions)
    func `a cut after the 104 is followed by HEAD and PATCH (S6)`(dialect: UploadPlan.Dialect) {
        var bench = UploadClientBench.appending(dialect)
        #expect(bench.methods == ["POST", "HEAD", "PATCH"])
        #expect(bench.last?.address.text == "http://h/u/1")
        #expect(bench.last?.body == 30..<100)
        #expect(bench.last?.fields["Upload-Offset"] == "30")
        bench.answer(201, ["Upload-Offset": "100"])
        #expect(bench.result?.size == 100)
        #expect(bench.restarts.isEmpty)
    }

    @Test(arguments: UploadPlan.Dialect.versions)
    func `a cut before the 104 leaves nothing to resume`(dialect: UploadPlan.Dialect) {
        var bench = upload(dialect)
        bench.start()
        bench.sent(50)
        bench.cut()
        #expect(bench.failure?.resume == .none(.uploadURL))
        #expect(bench.methods == ["POST"])
    }

    @Test func `a source without bytes is created complete`() {
        var bench = upload(size: 0)
        bench.start()
        #expect(bench.last?.body == 0..<0)
        #expect(bench.last?.fields["Upload-Complete"] == "?1")
        bench.answer(201, ["Upload-Offset": "0", "Upload-Complete": "?1", "Location": "/u/1"])
        #expect(bench.result?.size == 0)
    }

    // MARK: K1

    @Test func `K1: without known support "more follows" is never said`() {
        for dialect in UploadPlan.Dialect.versions {
            var bench = upload(dialect) { $0.appendSize = 10 }
            bench.start()
            #expect(bench.last?.body == 0..<100)
            let isLast = dialect.completeness(true).fields[0]
            #expect(bench.last?.fields[isLast.name] == isLast.value)
        }
    }

    @Test(arguments: UploadPlan.Dialect.versions)
    func `K1: careful creation is empty and says that more follows`(dialect: UploadPlan.Dialect) {
        var bench = upload(dialect) {
            $0.creation = .careful
            $0.appendSize = 40
        }
        bench.start()
        #expect(bench.last?.body == 0..<0)
        let more = dialect.completeness(false).fields[0]
        #expect(bench.last?.fields[more.name] == more.value)
        bench.answer(201, ["Location": "/u/1", "Upload-Offset": "0", more.name: more.value])
        #expect(bench.last?.body == 0..<40)
        bench.answer(201, ["Upload-Offset": "40", more.name: more.value])
        #expect(bench.last?.body == 40..<80)
        bench.answer(201, ["Upload-Offset": "80", more.name: more.value])
        #expect(bench.last?.body == 80..<100)
        bench.answer(201, ["Upload-Offset": "100"])
        #expect(bench.result != nil)
        #expect(bench.methods == ["POST", "PATCH", "PATCH", "PATCH"])
    }

    @Test(arguments: [
        ["Accept-Patch": "application/partial-upload"], ["Upload-Limit": "min-size=0"],
    ])
    func `K1: OPTIONS that shows support leads to careful creation`(fields: [String: String]) {
        var bench = upload { $0.creation = .discover }
        bench.start()
        #expect(bench.methods == ["OPTIONS"])
        bench.answer(204, HeaderFields(fields.map { .init($0.key, $0.value) }))
        #expect(bench.last?.method == "POST")
        #expect(bench.last?.body == 0..<0)
    }

    @Test(arguments: [200, 204, 404, 405, 501])
    func `K1: OPTIONS without a sign of support leads to one request for all`(status: Int) {
        var bench = upload { $0.creation = .discover }
        bench.start()
        bench.answer(status)
        #expect(bench.last?.body == 0..<100)
    }

    @Test func `a beginning that was taken for the whole is no success`() {
        var bench = upload { $0.creation = .careful }
        bench.start()
        bench.answer(200)
        #expect(bench.failure != nil)
    }

    // MARK: K2

    @Test(arguments: UploadPlan.Dialect.versions)
    func `K2: another Location in a later 104 ends the upload with DELETE`(
        dialect: UploadPlan.Dialect
    ) {
        var bench = upload(dialect)
        bench.start()
        bench.interim(104, dialect.announcement())
        bench.interim(104, dialect.announcement())
        #expect(bench.methods == ["POST"])
        bench.interim(104, dialect.announcement("/u/2"))
        #expect(bench.methods == ["POST", "DELETE"])
        #expect(bench.last?.address.text == "http://h/u/1")
        bench.answer(204)
        #expect(bench.failure?.resume == .none(.final))
    }

    @Test(arguments: UploadPlan.Dialect.versions)
    func `K2: another Location in the final answer counts, but for version 8`(
        dialect: UploadPlan.Dialect
    ) {
        var bench = upload(dialect)
        bench.start()
        bench.interim(104, dialect.announcement())
        bench.answer(201, ["Location": "/elsewhere", "Upload-Offset": "100"])
        #expect((bench.result != nil) == (dialect == .ietf(.v8)))
        #expect(bench.methods == (dialect == .ietf(.v8) ? ["POST"] : ["POST", "DELETE"]))
    }

    @Test(arguments: [nil, "5", "x", "-6", "6.0", "7"])
    func `a 104 without the version of the request is passed over`(version: String?) {
        var bench = upload()
        bench.start()
        var fields: HeaderFields = ["Location": "/u/1"]
        if let version { fields.add("Upload-Draft-Interop-Version", version) }
        bench.interim(104, fields)
        bench.cut()
        #expect(bench.failure?.resume == .none(.uploadURL))
    }

    @Test func `a Location from https to http is not taken`() {
        var plan = UploadPlan(to: .of("https://h/up"), source: SourceIdentity(size: 100))
        plan.dialect = .ietf(.v6)
        var bench = UploadClientBench(
            UploadMachine(plan, draws: .half, tokens: RetryTokens())
        )
        bench.start()
        bench.interim(104, UploadPlan.Dialect.ietf(.v6).announcement("http://h/u/1"))
        bench.cut()
        #expect(bench.failure?.resume == .none(.uploadURL))
    }

    @Test func `K2: without a 104 the request is repeated whole only where that is allowed (S14)`()
    {
        var bench = upload { $0.retry.restartsFromZero = true }
        bench.start()
        bench.sent(50)
        bench.cut()
        #expect(bench.restarts == [.notResumable])
        bench.wake()
        #expect(bench.last?.body == 0..<100)
        bench.answer(200)
        #expect(bench.result?.restarts == 1)
    }

    @Test func `a creation of which no byte left is repeated without being a restart`() {
        var bench = upload()
        bench.start()
        bench.cut(.notConnected, didSend: false)
        bench.wake()
        bench.answer(200)
        #expect(bench.methods == ["POST", "POST"])
        #expect(bench.restarts.isEmpty)
        #expect(bench.result != nil)
    }

    // MARK: K3

    @Test(arguments: [500, 502, 503, 504, 408, 425, 429, 423])
    func `K3: after a passing status with a known upload HEAD comes before PATCH`(status: Int) {
        for dialect in UploadPlan.Dialect.resumable {
            var bench = UploadClientBench.appending(dialect)
            let count = bench.requests.count
            bench.answer(status)
            #expect(bench.requests.count == count, "at once")
            bench.wake()
            #expect(bench.last?.method == "HEAD")
            bench.answer(200, dialect.state(60))
            #expect(bench.last?.body == 60..<100)
        }
    }

    @Test(arguments: UploadPlan.Dialect.resumable)
    func `K3: an early final answer closes the connection before the next request`(
        dialect: UploadPlan.Dialect
    ) {
        var bench = UploadClientBench.appending(dialect)
        bench.answer(503, sent: 10)
        #expect(bench.actions.suffix(2).first == .closeConnection)
        bench.wake()
        #expect(bench.last?.method == "HEAD")
    }

    // MARK: K4

    @Test(arguments: UploadPlan.Dialect.resumable)
    func `K4: a lower offset than was sent is gone back to`(dialect: UploadPlan.Dialect) {
        var bench = UploadClientBench.asking(dialect)
        bench.answer(200, dialect.state(7))
        #expect(bench.last?.body == 7..<100)
        #expect(bench.machine.progress.acknowledged == 7)
    }

    @Test(arguments: UploadPlan.Dialect.resumable)
    func `K4: a higher offset than was sent is taken if the source has it`(
        dialect: UploadPlan.Dialect
    ) {
        var bench = UploadClientBench.asking(dialect)
        bench.answer(200, dialect.state(99))
        #expect(bench.last?.body == 99..<100)
    }

    @Test(arguments: UploadPlan.Dialect.versions)
    func `K4 and K10: an offset beyond the source ends with DELETE`(dialect: UploadPlan.Dialect) {
        var bench = UploadClientBench.asking(dialect)
        bench.answer(200, dialect.state(101))
        #expect(bench.last?.method == "DELETE")
        bench.cut()
        #expect(bench.failure?.resume == .none(.final))
    }

    @Test(arguments: UploadPlan.Dialect.versions)
    func `K4 and K10: an offset below a confirmed one ends with DELETE`(
        dialect: UploadPlan.Dialect
    ) {
        var bench = UploadClientBench.appending(dialect, at: 30)
        bench.cut()
        bench.wake()
        bench.answer(200, dialect.state(29))
        #expect(bench.last?.method == "DELETE")
    }

    @Test func `K10: tus without termination ends without DELETE`() {
        var bench = UploadClientBench.asking(.tus)
        bench.answer(200, UploadPlan.Dialect.tus.state(101))
        #expect(bench.failure != nil)
        #expect(!bench.methods.contains("DELETE"))
    }

    // MARK: K5

    @Test(arguments: UploadPlan.Dialect.resumable)
    func `K5: a HEAD that fails is repeated and never discards the upload`(
        dialect: UploadPlan.Dialect
    ) {
        var bench = UploadClientBench.asking(dialect)
        for status in [500, 503, 429, 502] {
            bench.answer(status)
            bench.wake()
            #expect(bench.last?.method == "HEAD")
        }
        bench.cut(.idleTimeout)
        bench.wake()
        bench.answer(200, dialect.state(50))
        #expect(bench.last?.body == 50..<100)
        #expect(bench.restarts.isEmpty)
    }

    @Test(arguments: UploadPlan.Dialect.resumable, [404, 410])
    func `K5: an upload that is gone is begun again once, and that is said`(
        dialect: UploadPlan.Dialect,
        status: Int
    ) {
        var bench = UploadClientBench.asking(dialect)
        bench.answer(status)
        #expect(bench.restarts == [.gone])
        #expect(bench.last?.method == "POST")
        if dialect == .tus {
            bench.answer(201, ["Location": "/u/2"])
        } else {
            bench.interim(104, dialect.announcement("/u/2"))
        }
        bench.cut()
        bench.wake()
        #expect(bench.last?.address.text == "http://h/u/2")
        bench.answer(status)
        #expect(bench.failure?.reason == .gone)
        #expect(bench.restarts == [.gone])
    }

    // MARK: K6

    @Test(arguments: [200, 201, 204, 303])
    func `K6: in version 8 complete ends the transfer well with a success`(status: Int) {
        var bench = upload(.ietf(.v8))
        bench.start()
        bench.answer(status, ["Upload-Complete": "?1"])
        #expect(bench.result?.status == status)
    }

    @Test(arguments: [400, 403, 409, 422, 429, 500, 503])
    func `K6: in version 8 complete ends the transfer also with a refusal`(status: Int) {
        var bench = UploadClientBench.appending(.ietf(.v8))
        bench.answer(status, ["Upload-Complete": "?1"])
        #expect(bench.failure?.reason == .gaveUp(.notRetried(.status(status))))
        #expect(bench.failure?.resume == .none(.final))
        #expect(bench.timer == nil)
    }

    @Test(arguments: UploadPlan.Dialect.versions)
    func `K6: a success that is not complete is asked about`(dialect: UploadPlan.Dialect) {
        var bench = UploadClientBench.appending(dialect)
        var fields = dialect.completeness(false)
        fields.add("Upload-Offset", "70")
        bench.answer(201, fields)
        bench.wake()
        #expect(bench.last?.method == "HEAD")
        bench.answer(200, dialect.state(70))
        #expect(bench.last?.body == 70..<100)
    }

    @Test(arguments: [InteropVersion.v3, .v5, .v6])
    func `K6: a success with another offset than the end has failed`(version: InteropVersion) {
        var bench = upload(.ietf(version))
        bench.start()
        bench.interim(104, UploadPlan.Dialect.ietf(version).announcement())
        bench.answer(201, ["Upload-Offset": "99"])
        bench.wake()
        #expect(bench.last?.method == "HEAD")
    }

    @Test func `success before the body has left is not believed`() {
        for dialect in UploadPlan.Dialect.versions {
            var bench = UploadClientBench.appending(dialect)
            bench.answer(201, dialect.completeness(true), sent: 69)
            #expect(bench.result == nil)
            bench.wake()
            #expect(bench.last?.method == "HEAD")
        }
    }

    // MARK: K7

    @Test(arguments: UploadPlan.Dialect.versions)
    func `K7: HEAD that says complete is success`(dialect: UploadPlan.Dialect) {
        var bench = UploadClientBench.asking(dialect)
        bench.answer(204, dialect.state(100, isComplete: true))
        #expect(bench.result?.status == nil)
        #expect(bench.machine.progress.acknowledged == 100)
        #expect(bench.methods == ["POST", "HEAD"])
    }

    @Test(arguments: UploadPlan.Dialect.versions)
    func `K7: all bytes without completion need one more empty request`(
        dialect: UploadPlan.Dialect
    ) {
        var bench = UploadClientBench.asking(dialect)
        bench.answer(200, dialect.state(100))
        #expect(bench.last?.method == "PATCH")
        #expect(bench.last?.body == 100..<100)
        bench.answer(201, ["Upload-Offset": "100"])
        #expect(bench.result != nil)
    }

    @Test func `K7: version 8 fetches the stored answer if it is wanted`() {
        for dialect in UploadPlan.Dialect.versions {
            var bench = UploadClientBench.asking(dialect) { $0.wantsResponse = true }
            bench.answer(200, dialect.state(100, isComplete: true))
            guard dialect == .ietf(.v8) else {
                #expect(bench.result != nil)
                continue
            }
            #expect(bench.last?.body == 100..<100)
            #expect(bench.last?.fields["Upload-Complete"] == "?1")
            bench.answer(201, ["Upload-Complete": "?1", "X-Answer": "42"])
            #expect(bench.result?.fields["X-Answer"] == "42")
        }
    }

    @Test(arguments: [400, 404, 409, 410, 503])
    func `K7: an answer that cannot be fetched does not undo the success`(status: Int) {
        var bench = UploadClientBench.asking(.ietf(.v8)) { $0.wantsResponse = true }
        bench.answer(200, UploadPlan.Dialect.ietf(.v8).state(100, isComplete: true))
        bench.answer(status)
        #expect(bench.result != nil)
        #expect(bench.result?.status == nil)
    }

    @Test func `complete with fewer bytes than the source is no success`() {
        for dialect in UploadPlan.Dialect.versions {
            var bench = UploadClientBench.asking(dialect)
            bench.answer(200, dialect.state(60, isComplete: true))
            bench.answer(204)
            #expect(bench.result == nil)
            #expect(bench.failure != nil)
        }
    }

    // MARK: K8

    @Test(arguments: UploadPlan.Dialect.resumable)
    func `K8: 409 is followed by HEAD and PATCH at once, for each offset once`(
        dialect: UploadPlan.Dialect
    ) {
        var bench = UploadClientBench.appending(dialect, at: 30)
        bench.answer(409, ["Upload-Offset": "40"])
        #expect(bench.last?.method == "HEAD")
        #expect(bench.machine.progress.acknowledged == 40)
        bench.answer(200, dialect.state(40))
        bench.answer(409, ["Upload-Offset": "40"])
        #expect(bench.last?.method == "HEAD")
        bench.answer(200, dialect.state(40))
        bench.answer(409, ["Upload-Offset": "40"])
        #expect(bench.last?.method == (dialect == .tus ? "PATCH" : "DELETE"))
        if dialect != .tus { bench.answer(204) }
        #expect(bench.failure?.resume == .none(.final))
    }

    @Test(arguments: ["29", "101"])
    func `K8: 409 with an offset that cannot be ends the upload`(offset: String) {
        var bench = UploadClientBench.appending(.ietf(.v6), at: 30)
        bench.answer(409, ["Upload-Offset": offset])
        #expect(bench.last?.method == "DELETE")
    }

    // MARK: K9

    @Test(arguments: 400..<500)
    func `K9: 4xx stops, but for those that say how to go on`(status: Int) {
        for dialect in UploadPlan.Dialect.resumable {
            var bench = UploadClientBench.appending(dialect)
            bench.answer(status)
            switch status {
            case 404, 410: #expect(bench.restarts == [.gone])
            case 409: #expect(bench.last?.method == "HEAD")
            case 408, 423, 425, 429: #expect(bench.timer != nil)
            case 413: #expect(bench.end != nil || bench.last?.method == "DELETE")
            case 460 where dialect == .tus: #expect(bench.timer != nil)
            default: #expect(bench.failure?.reason == .gaveUp(.notRetried(.status(status))))
            }
        }
    }

    @Test(arguments: [408, 409, 413, 423, 425, 429])
    func `K9: a strict client stops at every 4xx`(status: Int) {
        var bench = UploadClientBench.appending(.ietf(.v6)) { $0.retry.strictClientErrors = true }
        bench.answer(status, ["Upload-Offset": "50", "Upload-Limit": "max-append-size=10"])
        if bench.last?.method == "DELETE" { bench.answer(204) }
        #expect(bench.failure != nil)
        #expect(bench.timer == nil)
    }

    @Test(arguments: [InteropVersion.v6, .v8])
    func `K9: 413 with a smaller append size is followed by smaller parts`(
        version: InteropVersion
    ) {
        let dialect = UploadPlan.Dialect.ietf(version)
        var bench = UploadClientBench.appending(dialect)
        bench.answer(413, ["Upload-Limit": "max-append-size=20"])
        #expect(bench.last?.method == "HEAD")
        bench.answer(200, dialect.state(30))
        #expect(bench.last?.body == 30..<50)
        #expect(bench.last?.fields["Upload-Complete"] == "?0")
    }

    @Test(arguments: [
        "max-append-size=70", "max-append-size=0", "max-size=9", "x=1", "max-append-size=?1",
    ])
    func `K9 and K10: 413 without a usable limit ends with DELETE`(limit: String) {
        var bench = UploadClientBench.appending(.ietf(.v8))
        bench.answer(413, ["Upload-Limit": limit])
        #expect(bench.last?.method == "DELETE")
    }

    @Test func `507 stops and keeps the upload`() {
        var bench = UploadClientBench.appending(.ietf(.v6))
        bench.answer(507)
        #expect(bench.failure?.resume.data != nil)
        #expect(bench.last?.method == "PATCH")
    }

    // MARK: K10, S4, S5

    @Test(arguments: UploadPlan.Dialect.resumable)
    func `K10 and S4: a pause closes the connection, keeps the upload and gives resume data`(
        dialect: UploadPlan.Dialect
    ) {
        var bench = UploadClientBench.appending(dialect)
        bench.perform(bench.machine.pause())
        #expect(!bench.methods.contains("DELETE"))
        guard case .paused(.data(.upload(let data))) = bench.end else {
            Issue.record("no resume data")
            return
        }
        #expect(data.resource.text == "http://h/u/1")
        #expect(data.acknowledged == 30)
        #expect(data.dialect == dialect)
        var resumed = upload(.plain, resuming: data)
        resumed.start()
        #expect(resumed.methods == ["HEAD"])
        #expect(resumed.machine.progress.expected == 100)
        resumed.answer(200, dialect.state(30))
        #expect(resumed.last?.body == 30..<100)
    }

    @Test func `a cancelled upload is deleted`() {
        var bench = UploadClientBench.appending(.ietf(.v6))
        bench.perform(bench.machine.cancel())
        #expect(bench.last?.method == "DELETE")
        bench.perform(bench.machine.cancel())
        #expect(bench.end == nil && bench.isOpen, "once is enough")
        bench.answer(204)
        #expect(bench.failure?.reason == .cancelled)
        #expect(bench.methods.filter { $0 == "DELETE" }.count == 1)
    }

    @Test(arguments: UploadPlan.Dialect.resumable)
    func `S5 and S8: a transfer that gives up carries resume data`(dialect: UploadPlan.Dialect) {
        var bench = UploadClientBench.appending(dialect)
        for _ in 0..<8 where bench.end == nil {
            bench.cut()
            bench.wake()
        }
        guard case .gaveUp(.noProgress(failures: 8, _)) = bench.failure?.reason else {
            Issue.record("\(bench.failure as Any)")
            return
        }
        #expect(bench.failure?.resume.data != nil)
    }

    @Test func `the deadline ends an open request, resumable`() {
        var bench = UploadClientBench.appending(.ietf(.v6))
        bench.perform(bench.machine.deadlineReached())
        #expect(bench.failure?.reason == .gaveUp(.deadline(last: nil)))
        #expect(bench.failure?.resume.data != nil)
    }

    // MARK: S9, S10, S11

    @Test(arguments: [100, 102, 103, 104, 199])
    func `S10: every interim answer is told, in order`(status: Int) {
        var bench = upload()
        bench.start()
        bench.interim(status, ["X": "1"])
        #expect(bench.events.first == .interim(status: status, fields: ["X": "1"]))
    }

    @Test(arguments: [
        ("/u/1", true), ("http://H:80/u/1", true), ("http://other/u/1", false),
        ("http://h:81/u/1", false), ("https://h/u/1", false),
    ])
    func `S9: the user's fields go to the upload only at the origin they are for`(
        location: String,
        isKept: Bool
    ) {
        for isByFinalAnswer in [true, false] {
            var bench = upload {
                $0.fields = [
                    "Authorization": "secret", "Content-Type": "text/plain", "X-API-Key": "1",
                    "User-Agent": "me", "Range-Unit": "x",
                ]
                if isByFinalAnswer { $0.creation = .careful }
            }
            bench.start()
            if isByFinalAnswer {
                bench.answer(201, ["Location": location, "Upload-Offset": "7"])
            } else {
                #expect(bench.last?.fields["Content-Type"] == "text/plain")
                bench.interim(104, UploadPlan.Dialect.ietf(.v6).announcement(location))
                bench.cut()
                bench.wake()
            }
            #expect(bench.last?.method == "HEAD")
            for name in ["Authorization", "X-API-Key", "Range-Unit"] {
                #expect(bench.last?.fields.contains(name) == isKept, "\(name)")
            }
            #expect(bench.last?.fields["User-Agent"] == "me")
            #expect(bench.last?.fields.contains("Content-Type") == false)
        }
    }

    @Test func `an upload is not redirected from https to http, and other origins get no secrets`()
    {
        for (location, isFollowed) in [("http://h/2", false), ("https://other/2", true)] {
            var plan = UploadPlan(to: .of("https://h/up"), source: SourceIdentity(size: 100))
            plan.fields = ["X-API-Key": "1", "Accept": "*/*", "Content-Type": "text/plain"]
            var bench = UploadClientBench(
                UploadMachine(plan, draws: .half, tokens: RetryTokens())
            )
            bench.start()
            bench.answer(307, ["Location": location])
            guard isFollowed else {
                #expect(bench.failure?.reason == .redirect("from https to http (http://h/2)"))
                #expect(bench.requests.count == 1)
                continue
            }
            #expect(bench.last?.address.text == location)
            #expect(bench.last?.fields["X-API-Key"] == nil)
            #expect(bench.last?.fields["Content-Type"] == "text/plain")
        }
    }

    @Test
    func `S11: progress tells step, position and the whole, and what is confirmed never falls`() {
        let dialect = UploadPlan.Dialect.ietf(.v6)
        var bench = upload(dialect)
        bench.start()
        bench.interim(104, dialect.announcement())
        bench.sent(20)
        bench.sent(60)
        bench.interim(104, ["Upload-Draft-Interop-Version": "6", "Upload-Offset": "50"])
        bench.interim(104, ["Upload-Draft-Interop-Version": "6", "Upload-Offset": "40"])
        bench.cut()
        bench.wake()
        bench.answer(200, dialect.state(55))
        bench.sent(45)
        bench.answer(201, ["Upload-Offset": "100"])
        let told = bench.progress.map { [$0.step, $0.position, $0.acknowledged] }
        #expect(
            told == [
                [20, 20, 0], [40, 60, 0], [0, 60, 50], [0, 60, 55], [45, 100, 55],
                [0, 100, 100],
            ]
        )
        #expect(bench.progress.allSatisfy { $0.expected == 100 })
        #expect(bench.machine.progress.acknowledged == 100)
    }

    // MARK: 2.6 limits and digests

    @Test(arguments: UploadPlan.Dialect.versions)
    func `a 104 with a limit below the size ends with DELETE where limits exist`(
        dialect: UploadPlan.Dialect
    ) {
        var bench = upload(dialect)
        bench.start()
        bench.interim(104, dialect.announcement("/u/1", ["Upload-Limit": "max-size=99"]))
        let knows = dialect == .ietf(.v6) || dialect == .ietf(.v8)
        #expect((bench.last?.method == "DELETE") == knows)
    }

    @Test(arguments: [
        ("min-size=100, max-size=100", true), ("min-size=101", false), ("max-size=99", false),
    ])
    func `an upload may be just as large or small as the limits`(limit: String, isTaken: Bool) {
        let dialect = UploadPlan.Dialect.ietf(.v8)
        var bench = upload(dialect)
        bench.start()
        bench.interim(104, dialect.announcement("/u/1", ["Upload-Limit": "\(limit)"]))
        #expect(bench.methods == (isTaken ? ["POST"] : ["POST", "DELETE"]))
    }

    @Test func `append sizes bind the creation in version 8 only`() {
        for (dialect, binds) in [(UploadPlan.Dialect.ietf(.v6), false), (.ietf(.v8), true)] {
            var bench = upload(dialect)
            bench.start()
            bench.interim(104, dialect.announcement("/u/1", ["Upload-Limit": "max-append-size=30"]))
            #expect((bench.last?.method == "HEAD") == binds)
            if !binds {
                bench.cut()
                bench.wake()
            }
            bench.answer(200, dialect.state(10))
            #expect(bench.last?.body == 10..<40)
        }
    }

    @Test(
        arguments: [
            (5, [0..<40, 40..<80, 80..<100]), (43, [0..<43, 43..<86, 86..<100]),
            (60, [0..<45, 45..<90, 90..<100]),
        ] as [(UInt64, [Range<UInt64>?])]
    )
    func `appends keep both bounds and only the last may be smaller`(
        size: UInt64,
        expected: [Range<UInt64>?]
    ) {
        var bench = upload(.ietf(.v8)) {
            $0.creation = .careful
            $0.appendSize = size
        }
        bench.start()
        bench.answer(
            201,
            ["Location": "/u/1", "Upload-Limit": "min-append-size=40, max-append-size=45"]
        )
        var bodies: [Range<UInt64>?] = []
        while bench.end == nil, bodies.count < 9 {
            bodies.append(bench.last?.body)
            let isLast = bench.last?.body?.upperBound == 100
            bench.answer(isLast ? 200 : 204, ["Upload-Complete": isLast ? "?1" : "?0"])
        }
        #expect(bodies == expected)
    }

    @Test func `limits never tighten during an upload`() {
        let dialect = UploadPlan.Dialect.ietf(.v8)
        var bench = upload(dialect)
        bench.start()
        bench.interim(104, dialect.announcement("/u/1", ["Upload-Limit": "max-size=100"]))
        bench.interim(
            104,
            ["Upload-Draft-Interop-Version": "8", "Upload-Limit": "max-size=10, new=1"]
        )
        #expect(bench.methods == ["POST"])
    }

    @Test func `a digest is sent with the creation, asked for, and compared`() {
        let digest = Array(repeating: UInt8(7), count: 32)
        let field = "sha-256=:\(Base64.encode(digest)):"
        for (answer, isRight) in [(field, true), ("sha-256=:AAAA:", false)] {
            var bench = upload { $0.sha256 = digest }
            bench.start()
            #expect(bench.last?.fields["Repr-Digest"] == field)
            #expect(bench.last?.fields["Want-Repr-Digest"] == "sha-256=1")
            bench.answer(201, ["Repr-Digest": answer])
            #expect((bench.result?.isDigestVerified == true) == isRight)
            #expect((bench.failure?.reason == .digestMismatch) == !isRight)
        }
    }

    // MARK: Redirects

    @Test(arguments: [301, 302, 305, 307, 308])
    func `only 307 and 308 are followed`(status: Int) {
        var bench = upload()
        bench.start()
        bench.answer(status, ["Location": "http://other/b?c=1"])
        if status == 307 || status == 308 {
            #expect(bench.last?.address.text == "http://other/b?c=1")
            #expect(bench.last?.body == 0..<100)
            #expect(bench.last?.method == "POST")
        } else {
            #expect(bench.failure != nil)
        }
    }

    @Test func `a redirected PATCH is asked about first`() {
        var bench = UploadClientBench.appending(.ietf(.v8))
        bench.answer(307, ["Location": "/moved"])
        #expect(bench.last?.method == "HEAD")
        #expect(bench.last?.address.text == "http://h/moved")
    }

    @Test func `redirects have a limit`() {
        var bench = upload()
        bench.start()
        for _ in 0..<20 where bench.end == nil { bench.answer(308, ["Location": "/again"]) }
        #expect(bench.requests.count == 11)
        #expect(bench.failure != nil)
    }

    // MARK: Calls out of place

    @Test func `late, early and repeated calls change nothing`() {
        var bench = upload()
        bench.answer(200)
        bench.cut()
        #expect(bench.events.isEmpty && bench.actions.isEmpty)
        bench.start()
        bench.start()
        #expect(bench.requests.count == 1)
        bench.cut(.notConnected, didSend: false)
        bench.perform(bench.machine.timerFired(at: bench.now))
        #expect(bench.requests.count == 1)
        #expect(bench.timer == .milliseconds(250))
        bench.wake()
        bench.answer(200)
        bench.perform(bench.machine.pause() + bench.machine.cancel())
        bench.perform(bench.machine.timerFired(at: .seconds(100)))
        bench.interim(104)
        #expect(bench.requests.count == 2)
    }
}
