import Basics
import HTTPWire
import ResumableClient
import Testing

/// The rules of the download client, one test and more for each.
@Suite struct DownloadMachineTests {
    @Test func `S1 and S2: a cut download goes on with Range and If-Range`() {
        var bench = DownloadClientBench.cut()
        #expect(bench.methods == ["GET", "GET"])
        #expect(bench.last?.fields["Range"] == "bytes=40-")
        #expect(bench.last?.fields["If-Range"] == "\"a\"")
        bench.head(206, part(40..<100))
        bench.stored(60)
        bench.bodyEnd()
        #expect(bench.stores == [0, 40])
        #expect(bench.actions.suffix(2).first == .rename)
        #expect(bench.result?.size == 100)
        #expect(bench.result?.restarts == 0)
        #expect(bench.result?.isLengthProven == true)
    }

    // MARK: Rule 1

    @Test func `rule 1: a strong entity tag is preferred to a date`() {
        #expect(DownloadClientBench.cut().last?.fields["If-Range"] == "\"a\"")
    }

    @Test func `rule 1: without a tag a date serves if it is a second older than the answer`() {
        let bench = DownloadClientBench.cut(object(["ETag": nil]))
        #expect(bench.last?.fields["If-Range"] == "Sun, 06 Nov 1994 08:49:36 GMT")
    }

    @Test(
        arguments: [
            ["ETag": "W/\"a\""], ["ETag": "a"],
            ["ETag": nil, "Last-Modified": nil],
            ["ETag": nil, "Date": nil],
            ["ETag": nil, "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"],
            ["ETag": nil, "Last-Modified": "yesterday"],
        ] as [[String: String?]]
    )
    func `rule 1 and S3: without a strong validator nothing can be resumed`(
        changes: [String: String?]
    ) {
        let bench = DownloadClientBench.cut(object(changes))
        #expect(bench.failure?.resume == .none(.validator))
        #expect(bench.methods == ["GET"])
    }

    @Test func `S14: what cannot be resumed begins again where that is allowed`() {
        var bench = DownloadClientBench.cut(object(["ETag": "W/\"a\""])) {
            $0.retry.restartsFromZero = true
        }
        #expect(bench.restarts == [.notResumable])
        #expect(bench.actions.contains(.truncate(to: 0)))
        #expect(bench.last?.fields.contains("Range") == false)
        bench.head(200, object())
        bench.stored(100)
        bench.bodyEnd()
        #expect(bench.result?.restarts == 1)
    }

    // MARK: Rule 2

    @Test func `rule 2: every request asks for identity`() {
        let bench = DownloadClientBench.cut {
            $0.fields = ["Accept-Encoding": "gzip", "Range": "x"]
        }
        #expect(bench.requests.allSatisfy { $0.fields.values("Accept-Encoding") == ["identity"] })
        #expect(bench.requests[0].fields.contains("Range") == false)
    }

    @Test(arguments: ["gzip", "x-gzip", "br, gzip"])
    func `rule 2: content in a coding is stored only if the user wants it so`(coding: String) {
        let fields = object(["Content-Encoding": coding])
        var bench = download()
        bench.start()
        bench.head(200, fields)
        #expect(bench.failure?.reason == .coded(coding))
        #expect(bench.stores.isEmpty)
        bench = DownloadClientBench.cut()
        bench.head(200, fields)
        #expect(bench.failure?.reason == .coded(coding))
        #expect(bench.failure?.resume.data != nil, "what is stored is still good")
        bench = DownloadClientBench.cut(fields) { $0.keepsCoding = true }
        bench.head(206, part(40..<100, ["Content-Encoding": coding]))
        bench.stored(60)
        bench.bodyEnd()
        #expect(bench.result?.size == 100)
    }

    // MARK: Rule 3

    @Test(arguments: [
        part(41..<100), part(39..<100), part(0..<100), part(40..<99, of: "99"),
        part(40..<100, of: "101"), part(40..<100, of: "*"),
        part(40..<100, ["Content-Range": nil]),
        part(40..<100, ["Content-Range": "bytes 40-100/100"]),
        part(40..<100, ["Content-Range": "lines 40-99/100"]),
        part(40..<100, ["Content-Range": "bytes 99-40/100"]),
        part(40..<100, ["Content-Range": "bytes */100"]),
        part(40..<100, ["Content-Length": "59"]),
        part(40..<100, ["ETag": "\"b\""]), part(40..<100, ["ETag": "W/\"a\""]),
        part(40..<100, ["ETag": nil]),
        part(40..<100, ["Content-Encoding": "gzip"]),
        part(
            40..<100,
            ["Content-Range": nil, "Content-Type": "multipart/byteranges; boundary=x"]
        ),
    ])
    func `rule 3: a 206 that does not continue what is stored is discarded, once`(
        fields: HeaderFields
    ) {
        var bench = DownloadClientBench.cut()
        bench.head(206, fields)
        #expect(bench.actions.contains(.truncate(to: 0)))
        #expect(bench.restarts == [.range])
        #expect(bench.last?.fields.contains("Range") == false)
        bench.head(200, object())
        bench.stored(40)
        bench.cut()
        bench.wake()
        bench.head(206, fields)
        guard case .cannotCombine = bench.failure?.reason else {
            Issue.record("\(bench.end as Any)")
            return
        }
        #expect(bench.stores == [0, 0])
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:36 GMT", true), ("Sun, 06 Nov 1994 08:49:30 GMT", false),
        (nil, true),
    ])
    func `rule 3: without a tag a 206 with another date is discarded`(
        date: String?,
        isSame: Bool
    ) {
        var bench = DownloadClientBench.cut(object(["ETag": nil]))
        bench.head(206, part(40..<100, ["ETag": nil, "Last-Modified": date]))
        #expect(bench.restarts == (isSame ? [] : [.range]))
    }

    @Test func `rule 3: a shorter 206 than asked for is continued from its end`() {
        var bench = DownloadClientBench.cut()
        bench.head(206, part(40..<70))
        bench.stored(30)
        bench.bodyEnd()
        #expect(bench.last?.fields["Range"] == "bytes=70-")
        bench.head(206, part(70..<100))
        bench.stored(30)
        bench.bodyEnd()
        #expect(bench.result?.size == 100)
    }

    @Test func `a body longer than it announced is not combined`() {
        var bench = DownloadClientBench.cut()
        bench.head(206, part(40..<70, ["Content-Length": nil, "Transfer-Encoding": "chunked"]))
        bench.stored(31)
        #expect(bench.restarts == [.range])
    }

    @Test func `a 206 that nobody asked for is discarded`() {
        var bench = download()
        bench.start()
        bench.head(206, part(0..<100))
        #expect(bench.restarts == [.range])
    }

    // MARK: Rule 4

    @Test func `rule 4: a 200 to a range request replaces everything and its validator`() {
        var bench = DownloadClientBench.cut()
        bench.head(200, object(["ETag": "\"b\"", "Content-Length": "50"]))
        #expect(bench.actions.contains(.truncate(to: 0)))
        #expect(bench.stores == [0, 0])
        #expect(bench.restarts == [.changed])
        bench.stored(10)
        bench.cut()
        bench.wake()
        #expect(bench.last?.fields["If-Range"] == "\"b\"")
        #expect(bench.last?.fields["Range"] == "bytes=10-")
        bench.head(206, part(10..<50, of: "50", ["ETag": "\"b\""]))
        bench.stored(40)
        bench.bodyEnd()
        #expect(bench.result?.size == 50)
    }

    // MARK: Rule 5

    @Test func `rule 5: 416 at the known end is completion`() {
        let data = DownloadResumption(
            address: .of("http://h/file"),
            final: .of("http://h/file"),
            validator: .etag("\"a\""),
            stored: 100,
            size: 100,
            contentCoding: nil,
            file: "file.part",
            fields: [:]
        )
        var bench = download(resuming: data, fileSize: 100)
        bench.start()
        #expect(bench.result != nil, "nothing is left to ask for")
        var unknown = data
        unknown.size = nil
        bench = download(resuming: unknown, fileSize: 100)
        bench.start()
        bench.head(416, ["Content-Range": "bytes */100"])
        #expect(bench.restarts == [.range], "the length was not known")
    }

    @Test(arguments: [
        (first: object(), then: "ETag", value: "\"a\"", isSame: true),
        (object(), "ETag", "\"b\"", false),
        (object(["ETag": nil]), "Last-Modified", "Sun, 06 Nov 1994 08:49:36 GMT", true),
        (object(["ETag": nil]), "Last-Modified", "Sun, 06 Nov 1994 08:49:30 GMT", false),
    ])
    func `rule 5: 416 at the known end is completion only of the same object`(
        first: HeaderFields,
        then: String,
        value: String,
        isSame: Bool
    ) {
        var bench = DownloadClientBench.cut(first, at: 100)
        #expect(bench.last?.fields["Range"] == "bytes=100-")
        var fields: HeaderFields = ["Content-Range": "bytes */100"]
        fields[then] = value
        bench.head(416, fields)
        #expect((bench.result != nil) == isSame)
        #expect(bench.restarts == (isSame ? [] : [.range]))
    }

    @Test(arguments: [99, 101])
    func `rule 5: 416 with another length than the known one is no completion`(length: Int) {
        var bench = DownloadClientBench.cut(at: 100)
        bench.head(416, ["Content-Range": "bytes */\(length)"])
        #expect(bench.result == nil)
        #expect(bench.restarts == [.range])
    }

    @Test(
        arguments: [
            ["Content-Range": "bytes */40"], ["Content-Range": "bytes */100"], [:],
            ["Content-Range": "x"],
        ] as [HeaderFields]
    )
    func `rule 5: any other 416 discards what is stored, once`(fields: HeaderFields) {
        var bench = DownloadClientBench.cut()
        bench.head(416, fields)
        #expect(bench.restarts == [.range])
        bench.head(416, fields)
        #expect(bench.failure?.resume == .none(.final))
    }

    @Test(arguments: [("100", RestartReason.range), ("99", .changed)])
    func `a known tag on a body of another length is another object`(
        answer: (length: String, reason: RestartReason)
    ) {
        var bench = DownloadClientBench.cut()
        bench.head(200, object(["Content-Length": answer.length]))
        #expect(bench.restarts == [answer.reason])
    }

    @Test(arguments: [304, 412])
    func `rule 5: 304 and 412 discard what is stored, once`(status: Int) {
        var bench = DownloadClientBench.cut()
        bench.head(status)
        #expect(bench.restarts == [.range])
        bench.head(status)
        #expect(bench.failure != nil)
    }

    // MARK: Rule 6

    @Test func `rule 6 and D10: without Accept-Ranges a range is tried but not promised`() {
        var bench = DownloadClientBench.cut(object(["Accept-Ranges": nil]))
        #expect(bench.machine.resumeOutcome == .none(.ranges))
        #expect(bench.last?.fields["Range"] == "bytes=40-")
        bench.head(206, part(40..<100))
        #expect(bench.machine.resumeOutcome.data != nil, "a right 206 decides")
    }

    @Test func `rule 6: Accept-Ranges none means no range request`() {
        let bench = DownloadClientBench.cut(object(["Accept-Ranges": "none"]))
        #expect(bench.failure?.resume == .none(.ranges))
        #expect(bench.methods == ["GET"])
    }

    // MARK: Rule 7

    @Test(arguments: [
        (["Content-Length": nil, "Transfer-Encoding": "chunked"] as [String: String?], true),
        (["Content-Length": nil], false),
    ])
    func `rule 7: chunked is complete by its end, close-delimited with an unproven length`(
        changes: [String: String?],
        isProven: Bool
    ) {
        var bench = download()
        bench.start()
        bench.head(200, object(changes))
        bench.stored(77)
        #expect(bench.progress.last?.expected == nil)
        bench.bodyEnd()
        #expect(bench.result?.size == 77)
        #expect(bench.result?.isLengthProven == isProven)
        #expect(bench.progress.last?.expected == 77)
    }

    @Test func `rule 7: a reset is a failure, whatever the framing`() {
        for changes in [[:], ["Content-Length": nil]] as [[String: String?]] {
            let bench = DownloadClientBench.cut(object(changes), at: 100)
            #expect(bench.result == nil)
        }
    }

    @Test func `a body that ends short of its length is a failure`() {
        var bench = download()
        bench.start()
        bench.head(200, object())
        bench.stored(99)
        bench.bodyEnd()
        #expect(bench.result == nil)
        #expect(bench.timer != nil, "it costs budget and a delay")
        bench.wake()
        #expect(bench.last?.fields["Range"] == "bytes=99-")
    }

    // MARK: Rule 8, S3, S4, S5

    @Test func `rule 8: nothing is renamed before completion`() {
        var bench = DownloadClientBench.cut()
        bench.head(206, part(40..<100))
        bench.stored(60)
        #expect(!bench.actions.contains(.rename))
        bench.perform(bench.machine.pause())
        #expect(!bench.actions.contains(.rename))
    }

    @Test func `S4: a pause gives what is needed to go on, and going on needs nothing else`() {
        var bench = download { $0.fields = ["X-A": "1"] }
        bench.start()
        bench.head(200, object())
        bench.stored(40)
        bench.perform(bench.machine.pause())
        guard case .paused(.data(.download(let data))) = bench.end else {
            Issue.record("no resume data")
            return
        }
        #expect(data.stored == 40 && data.size == 100 && data.file == "file.part")
        #expect(data.validator == .etag("\"a\""))
        #expect(data.fields == ["X-A": "1"])
        var resumed = download(resuming: data, fileSize: 40)
        resumed.start()
        #expect(resumed.last?.fields["Range"] == "bytes=40-")
        #expect(resumed.machine.progress.expected == 100)
    }

    @Test(arguments: [(39, 39), (40, 40), (41, 40), (1_000, 40)])
    func `S4: the partial file is believed only as far as it is known`(size: Int, from: Int) {
        var bench = DownloadClientBench.cut()
        bench.perform(bench.machine.pause())
        guard case .paused(.data(.download(let data))) = bench.end else { return }
        var resumed = download(resuming: data, fileSize: UInt64(size))
        resumed.start()
        #expect(resumed.last?.fields["Range"] == "bytes=\(from)-")
        #expect(resumed.actions.contains(.truncate(to: 40)) == (size > 40))
    }

    @Test func `S3: without its partial file a download cannot be resumed`() {
        var bench = DownloadClientBench.cut()
        bench.perform(bench.machine.pause())
        guard case .paused(.data(.download(let data))) = bench.end else { return }
        var gone = download(resuming: data)
        gone.start()
        #expect(gone.failure?.resume == .none(.partialFile))
        var again = download(resuming: data) { $0.retry.restartsFromZero = true }
        again.start()
        #expect(again.restarts == [.partialFile])
        #expect(again.last?.fields.contains("Range") == false)
    }

    @Test func `S3: a partial file that is gone before a retry is no longer continued`() {
        var gone = DownloadClientBench.cut()
        #expect(gone.last?.fields["Range"] == "bytes=40-")
        gone.perform(gone.machine.partialFileGone(at: gone.now))
        #expect(gone.failure?.resume == .none(.partialFile))
        var again = DownloadClientBench.cut { $0.retry.restartsFromZero = true }
        again.perform(again.machine.partialFileGone(at: again.now))
        #expect(again.restarts == [.partialFile])
        #expect(again.last?.fields.contains("Range") == false)
        #expect(again.machine.progress.position == 0)
    }

    @Test func `S5: giving up carries resume data`() {
        var bench = DownloadClientBench.cut()
        for _ in 0..<8 where bench.end == nil {
            bench.cut()
            bench.wake()
        }
        #expect(bench.failure?.resume.data != nil)
    }

    @Test func `S3: before the first byte there is nothing to resume but GET is repeated`() {
        var bench = download()
        bench.start()
        #expect(bench.machine.resumeOutcome == .none(.partialFile))
        bench.head(503)
        bench.wake()
        bench.cut()
        bench.wake()
        bench.head(200, object(["ETag": nil, "Last-Modified": nil]))
        bench.cut()
        bench.wake()
        #expect(bench.requests.count == 4)
        #expect(bench.restarts.isEmpty)
    }

    @Test(arguments: 400..<600)
    func `a status is repeated only if it may pass`(status: Int) {
        var bench = DownloadClientBench.cut()
        bench.head(status)
        let passes = [408, 425, 429, 500, 502, 503, 504].contains(status)
        let restarts = [412, 416].contains(status)
        #expect((bench.timer != nil) == passes)
        #expect((bench.end == nil) == (passes || restarts))
    }

    // MARK: Progress

    @Test func `S11: expected is the whole object also after a resume`() {
        var bench = DownloadClientBench.cut()
        bench.head(206, part(40..<100))
        bench.stored(10)
        let last = bench.progress.last
        #expect(last?.step == 10 && last?.position == 50 && last?.expected == 100)
    }

    @Test func `bytes that were fetched before are no progress`() {
        var bench = download { $0.retry.restartsFromZero = true }
        bench.start()
        for _ in 0..<7 {
            bench.head(200, object(["ETag": nil, "Last-Modified": nil]))
            bench.stored(40)
            bench.cut()
            bench.wake()
        }
        #expect(bench.failure == nil)
        bench.head(200, object(["ETag": nil, "Last-Modified": nil]))
        bench.stored(40)
        bench.cut()
        #expect(bench.failure != nil, "the first 40 bytes count once")
    }

    // MARK: Digests

    @Test(arguments: [true, false])
    func `the whole is compared with every digest before it gets its name`(isRight: Bool) {
        let digest = Array(repeating: UInt8(1), count: 32)
        var bench = download {
            $0.sha256 = digest
            $0.wantsDigest = true
        }
        bench.start()
        #expect(bench.last?.fields["Want-Repr-Digest"] == "sha-256=1")
        bench.head(200, object(["Repr-Digest": "sha-512=:AA==:"]))
        bench.stored(100)
        bench.bodyEnd(["Content-Digest": "sha-256=:AQ==:"])
        #expect(
            bench.actions.last
                == .verify([
                    DigestCheck(algorithm: .sha256, range: 0..<100, expected: [1]),
                    DigestCheck(algorithm: .sha256, range: 0..<100, expected: digest),
                    DigestCheck(algorithm: .sha512, range: 0..<100, expected: [0]),
                ])
        )
        bench.perform(bench.machine.verified(isRight, at: bench.now))
        #expect((bench.result?.isDigestVerified == true) == isRight)
        #expect((bench.failure?.reason == .digestMismatch) == !isRight)
        #expect(bench.actions.contains(.rename) == isRight)
    }

    @Test(arguments: [("Content-Digest", false), ("Repr-Digest", true)])
    func `the digest of a part proves nothing about the whole`(field: String, isWhole: Bool) {
        var bench = DownloadClientBench.cut()
        bench.head(206, part(40..<100))
        bench.stored(60)
        bench.bodyEnd([field: "sha-256=:AQ==:"])
        bench.perform(bench.machine.verified(true, at: bench.now))
        #expect(bench.result?.isDigestVerified == isWhole)
    }

    @Test func `a wrong digest of what was put together begins again, once`() {
        var bench = DownloadClientBench.cut { $0.sha256 = [1] }
        bench.head(206, part(40..<100))
        bench.stored(60)
        bench.bodyEnd()
        bench.perform(bench.machine.verified(false, at: bench.now))
        #expect(bench.restarts == [.digest])
        bench.head(200, object())
        bench.stored(100)
        bench.bodyEnd()
        bench.perform(bench.machine.verified(false, at: bench.now))
        #expect(bench.failure?.reason == .digestMismatch)
    }

    // MARK: Redirects

    @Test(arguments: [301, 302, 303, 307, 308])
    func `redirects are followed and the validator belongs to where they led`(status: Int) {
        var bench = download { $0.fields = ["Authorization": "secret", "X-API-Key": "1"] }
        bench.start()
        bench.head(status, ["Location": "http://cdn/x?sig=1"])
        #expect(bench.last?.address.text == "http://cdn/x?sig=1")
        #expect(bench.last?.fields.contains("Authorization") == false)
        #expect(bench.last?.fields.contains("X-API-Key") == false)
        bench.head(200, object())
        bench.stored(40)
        bench.cut()
        bench.wake()
        #expect(bench.last?.address.text == "http://cdn/x?sig=1")
        #expect(bench.last?.fields["Range"] == "bytes=40-")
        bench.head(403)
        #expect(bench.last?.address.text == "http://h/file", "what a signature opened may close")
        #expect(bench.last?.fields.contains("Range") == false)
        bench.head(status, ["Location": "http://cdn/x?sig=1"])
        #expect(bench.last?.fields["Range"] == "bytes=40-")
    }

    @Test func `redirects end at a limit, and never lead from https to http`() {
        var bench = download()
        bench.start()
        for _ in 0..<20 where bench.end == nil { bench.head(302, ["Location": "/file"]) }
        #expect(bench.requests.count == 11)
        bench = download("https://h/file")
        bench.start()
        bench.head(302, ["Location": "http://h/file"])
        #expect(bench.failure?.reason == .redirect("from https to http (http://h/file)"))
        bench = download()
        bench.start()
        bench.head(302)
        #expect(bench.failure != nil)
    }

    @Test func `the bytes of another version are progress from the first on`() {
        var bench = download()
        bench.start()
        for version in 0..<12 {
            bench.head(200, object(["ETag": "\"\(version)\""]))
            bench.stored(UInt64(60 - version))
            bench.cut()
            bench.wake()
        }
        #expect(bench.end == nil)
    }

    @Test func `an answer that is no redirect ends the count of redirects`() {
        var bench = download()
        bench.start()
        for round in 0..<3 {
            for _ in 0..<6 { bench.head(302, ["Location": "/file"]) }
            bench.head(round == 0 ? 200 : 206, round == 0 ? object() : part(round * 20..<100))
            bench.stored(20)
            bench.cut()
            bench.wake()
        }
        #expect(bench.end == nil)
        #expect(bench.last?.fields["Range"] == "bytes=60-")
    }

    @Test(arguments: [204, 205])
    func `an answer without content is an empty object`(status: Int) {
        var bench = download()
        bench.start()
        bench.head(status)
        bench.bodyEnd()
        #expect(bench.result?.size == 0)
    }

    @Test func `late, early and repeated calls change nothing`() {
        var bench = download()
        bench.head(200)
        bench.stored(1)
        bench.bodyEnd()
        bench.perform(bench.machine.verified(true, at: .zero))
        #expect(bench.events.isEmpty && bench.actions.isEmpty)
        bench.start()
        bench.head(200, object())
        bench.head(200, object())
        bench.stored(40)
        bench.stored(30)
        #expect(bench.stores == [0])
        #expect(bench.progress.last?.position == 40)
    }
}
