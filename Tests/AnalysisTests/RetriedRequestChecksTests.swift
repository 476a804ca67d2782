import Analysis
import Journal
import Testing

/// B7, B8, B9.
@Suite struct RetriedRequestChecksTests {
    private static let whole: Story.Fields = [("Upload-Complete", "?1")]

    private static func check(
        _ check: Check,
        _ tell: (inout Story) -> Void
    ) -> CheckResult {
        var story = Story()
        tell(&story)
        return story.report().result(check)
    }

    // MARK: B7

    @Test(arguments: [400, 401, 403, 404, 405, 410, 415, 422, 501])
    func `what is hopeless is not repeated`(status: Int) {
        let repeated = Self.check(.b7) {
            $0.refuse(1, status: status, at: 0)
            $0.refuse(2, status: status, at: 1_000)
        }
        #expect(repeated.verdict == .fail)
        #expect(repeated.reason == "repeated-\(status)")
        let once = Self.check(.b7) { $0.refuse(1, status: status, at: 0) }
        #expect(once.verdict == .pass)
    }

    @Test func `a request that began before the refusal does not repeat it`() {
        // Parts that are requested side by side belong to one transfer.
        let range: Story.Fields = [("Range", "bytes=100-")]
        for (time, verdict) in [(8, Verdict.pass), (9, .fail)] {
            let result = Self.check(.b7) {
                $0.refuse(1, "GET", "/big", range, status: 404, at: 0)
                $0.refuse(2, "GET", "/big", range, status: 404, at: time)
            }
            #expect(result.verdict == verdict, "after \(time) ms")
        }
    }

    @Test(arguments: [408, 409, 413, 423, 425, 429, 503])
    func `what may change may be repeated`(status: Int) {
        let result = Self.check(.b7) {
            $0.refuse(1, status: status, at: 0)
            $0.refuse(2, status: status, at: 1_000)
        }
        #expect(result.verdict == .skipped)
    }

    @Test func `new credentials, another range and another creation are something else`() {
        let credentials = Self.check(.b7) {
            $0.refuse(1, "GET", "/big", [("Authorization", "{s1}")], status: 401, at: 0)
            $0.refuse(2, "GET", "/big", [("Authorization", "{s2}")], status: 401, at: 100)
        }
        #expect(credentials.verdict == .pass)
        let creation = Self.check(.b7) {
            $0.send(
                1,
                "POST",
                "/f",
                Self.whole,
                length: 1_000,
                delivered: 600,
                interim: [("Location", "/u/1")],
                .cut("rst"),
                at: 0
            )
            $0.head(2, "/u/1", status: 404, offset: nil, at: 100)
            $0.send(3, "POST", "/f", Self.whole, length: 1_000, status: 200, at: 200)
        }
        #expect(creation.verdict == .pass)
    }

    @Test func `a failed precondition is hopeless in tus only`() {
        for (fields, verdict) in [([("Tus-Resumable", "1.0.0")], Verdict.fail), ([], .skipped)]
            as [(
                Story.Fields, Verdict
            )]
        {
            let result = Self.check(.b7) {
                $0.refuse(1, "PATCH", "/u/1", fields + [("Upload-Offset", "5")], status: 412, at: 0)
                $0.refuse(
                    2,
                    "PATCH",
                    "/u/1",
                    fields + [("Upload-Offset", "5")],
                    status: 412,
                    at: 99
                )
            }
            #expect(result.verdict == verdict)
        }
    }

    // MARK: B8

    @Test func `a creation whose answer was lost needs a key to be repeated`() {
        func result(first: String?, second: String?, again: Bool = true) -> CheckResult {
            func key(_ value: String?) -> Story.Fields {
                value.map { [("Idempotency-Key", $0)] } ?? []
            }
            return Self.check(.b8) {
                $0.send(
                    1,
                    "POST",
                    "/f",
                    Self.whole + key(first),
                    length: 100,
                    .cut("swallow"),
                    at: 0
                )
                guard again else { return }
                $0.send(
                    2,
                    "POST",
                    "/f",
                    Self.whole + key(second),
                    length: 100,
                    status: 200,
                    at: 100
                )
            }
        }
        #expect(result(first: nil, second: nil).verdict == .fail)
        #expect(result(first: "a", second: "a").verdict == .pass)
        #expect(result(first: "a", second: "b").verdict == .pass, "that is another upload")
        #expect(result(first: "a", second: nil).verdict == .fail)
        #expect(result(first: nil, second: nil, again: false).verdict == .pass)
    }

    @Test func `a creation that never arrived as a whole was not lost`() {
        let result = Self.check(.b8) {
            $0.send(1, "POST", "/f", Self.whole, length: 100, delivered: 50, .cut("rst"), at: 0)
            $0.send(2, "POST", "/f", Self.whole, length: 100, status: 200, at: 100)
        }
        #expect(result.verdict == .skipped)
    }

    // MARK: B9

    /// An upload of 1,000 bytes that is cut, after which the client asks, and is told that 500 arrived.
    private static func interrupt(_ story: inout Story) {
        story.send(
            1,
            "POST",
            "/f",
            whole,
            length: 1_000,
            delivered: 600,
            interim: [("Location", "/u/1")],
            .cut("rst"),
            at: 0
        )
        story.head(2, "/u/1", offset: 500, at: 100)
    }

    @Test func `after a failure the offset comes from the server`() {
        func result(asks: Bool, delivered: Int = 600) -> CheckResult {
            Self.check(.b9) {
                $0.send(
                    1,
                    "POST",
                    "/f",
                    Self.whole,
                    length: 1_000,
                    delivered: delivered,
                    interim: [("Location", "/u/1"), ("Upload-Offset", "0")],
                    .cut("rst"),
                    at: 0
                )
                if asks { $0.head(2, "/u/1", offset: 500, at: 100) }
                $0.send(
                    3,
                    "PATCH",
                    "/u/1",
                    [("Upload-Offset", "500")],
                    length: 500,
                    status: 200,
                    at: 200
                )
            }
        }
        #expect(result(asks: true).verdict == .pass)
        #expect(result(asks: false).verdict == .fail)
        #expect(result(asks: false).reason == "blind")
        #expect(result(asks: false, delivered: 0).verdict == .skipped)
    }

    @Test(arguments: [(421, Verdict.pass), (425, .pass), (503, .fail)])
    func `a server that did nothing with an append need not be asked`(
        status: Int,
        verdict: Verdict
    ) {
        let result = Self.check(.b9) {
            Self.interrupt(&$0)
            for (exchange, status) in [(3, status), (4, 200)] {
                $0.send(
                    exchange,
                    "PATCH",
                    "/u/1",
                    [("Upload-Offset", "500")],
                    length: 500,
                    status: status,
                    at: 100 * exchange
                )
            }
        }
        #expect(result.verdict == verdict, "\(result)")
    }

    @Test func `a 409 that tells the offset is an answer`() {
        let result = Self.check(.b9) {
            Self.interrupt(&$0)
            $0.send(
                3,
                "PATCH",
                "/u/1",
                [("Upload-Offset", "400")],
                length: 600,
                delivered: 600,
                status: 409,
                answer: [("Upload-Offset", "500")],
                at: 200
            )
            $0.send(
                4,
                "PATCH",
                "/u/1",
                [("Upload-Offset", "500")],
                length: 500,
                status: 200,
                at: 300
            )
        }
        #expect(result.verdict == .pass)
    }

    @Test func `a 409 with content tells the offset before its end`() {
        let result = Self.check(.b9) {
            Self.interrupt(&$0)
            $0.connect(3, at: 200)
            $0.request(3, "PATCH", "/u/1", [("Upload-Offset", "400")], length: 600, at: 200)
            $0.body(3, .request, 600, at: 210)
            $0.respond(3, 409, [("Upload-Offset", "500")], framing: .length(50), at: 220)
            $0.body(3, .response, 50, at: 230)
            $0.end(3, at: 231)
            $0.send(
                4,
                "PATCH",
                "/u/1",
                [("Upload-Offset", "500")],
                length: 500,
                status: 200,
                at: 300
            )
        }
        #expect(result.verdict == .pass)
    }

    @Test func `a new resource needs no question`() {
        let result = Self.check(.b9) {
            $0.send(1, "POST", "/f", Self.whole, length: 1_000, delivered: 600, .cut("rst"), at: 0)
            $0.send(2, "POST", "/f", Self.whole, length: 1_000, status: 200, at: 100)
        }
        #expect(result.verdict == .skipped)
    }
}
