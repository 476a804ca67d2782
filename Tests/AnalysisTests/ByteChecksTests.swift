import Analysis
import Journal
import Testing

/// R1, R5, R6, R8.
@Suite struct ByteChecksTests {
    private static func check(
        _ check: Check,
        _ change: (inout Evidence) -> Void = { _ in },
        _ tell: (inout Story) -> Void
    ) -> CheckResult {
        var story = Story()
        tell(&story)
        return story.report(change).result(check)
    }

    // MARK: R1

    @Test func `bytes sent again count against the limit for each cut`() {
        for (size, verdict) in [(200_000, Verdict.fail), (100_000, .pass)] {
            let result = Self.check(.r1) {
                $0.get(1, size: size, delivered: size * 6 / 10, .cut("rst"), at: 0)
                $0.get(2, size: size, at: 100)
            }
            #expect(result.verdict == verdict)
            #expect(result.lines == [9])
        }
    }

    @Test func `just as many bytes as are allowed may be sent again`() {
        for (delivered, verdict) in [(1_000, Verdict.pass), (1_001, .fail)] {
            let result = Self.check(.r1) {
                $0.maximumResentBytes = 1_000
            } _: {
                $0.get(1, size: 5_000, delivered: delivered, .cut("rst"), at: 0)
                $0.get(2, size: 5_000, at: 100)
            }
            #expect(result.verdict == verdict)
        }
    }

    @Test func `each cut has a limit of its own`() {
        let result = Self.check(.r1) {
            $0.get(1, size: 100_000, delivered: 60_000, .cut("rst"), at: 0)
            $0.get(2, size: 100_000, delivered: 60_000, .cut("rst"), at: 100)
            $0.get(3, size: 100_000, at: 200)
        }
        #expect(result.verdict == .pass)
        #expect(
            result.observed == "120,000 bytes of /big sent again, which is within the allowance"
        )
    }

    @Test func `an upload must not send anything again`() {
        let whole: Story.Fields = [("Upload-Complete", "?1")]
        for (offset, verdict) in [(499, Verdict.fail), (500, .pass)] {
            let result = Self.check(.r1) {
                $0.send(
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
                $0.head(2, "/u/1", offset: 500, at: 100)
                $0.send(
                    3,
                    "PATCH",
                    "/u/1",
                    [("Upload-Offset", "\(offset)")],
                    length: 500,
                    at: 200
                )
            }
            #expect(result.verdict == verdict)
        }
    }

    @Test func `without a cut nothing is to be said, without sight nothing can be`() {
        #expect(Self.check(.r1) { $0.get(1, at: 0) }.verdict == .skipped)
        let opaque = Self.check(.r1) {
            $0.connect(1, at: 0)
            $0.end(1, by: .fault, .rst, at: 5)
        }
        #expect(opaque.verdict == .inconclusive)
        #expect(opaque.reason == "opaque")
    }

    // MARK: R5

    static let conditions: [(Story.Fields, Story.Fields, Verdict, String)] = [
        ([("ETag", "\"a\"")], [("If-Range", "\"a\"")], .pass, ""),
        ([("ETag", "\"a\"")], [("If-Match", "\"a\"")], .pass, ""),
        ([("ETag", "\"a\"")], [("If-Range", "\"b\"")], .fail, "other-validator"),
        ([("ETag", "\"a\"")], [], .fail, "no-validator"),
        ([("ETag", "W/\"a\"")], [("If-Range", "W/\"a\"")], .fail, "weak-tag"),
        ([("Last-Modified", "d")], [("If-Range", "d")], .pass, ""),
        ([("Last-Modified", "d")], [("If-Unmodified-Since", "d")], .pass, ""),
        ([("Last-Modified", "d")], [("If-Range", "e")], .fail, "other-validator"),
        ([("Last-Modified", "d")], [], .fail, "no-validator"),
        (
            [("ETag", "\"a\""), ("Last-Modified", "d")], [("If-Range", "d")], .fail,
            "date-despite-tag"
        ),
        ([], [], .inconclusive, "none-offered"),
    ]

    @Test(arguments: conditions)
    func `a continued download names what it continues`(
        answer: Story.Fields,
        condition: Story.Fields,
        verdict: Verdict,
        reason: String
    ) {
        let result = Self.check(.r5) {
            $0.get(1, answer: answer, delivered: 400, .cut("rst"), at: 0)
            $0.get(2, from: 400, condition, answer: answer, at: 100)
        }
        #expect(result.verdict == verdict)
        #expect(result.reason == reason)
    }

    @Test func `without a validator the result decides if the object was changed`() {
        func result(_ oracle: Evidence.Oracle, tampered: Bool) -> Verdict {
            Self.check(
                .r5,
                {
                    $0.oracle = oracle
                    $0.tampersWithObjects = tampered
                }
            ) {
                $0.get(1, answer: [], delivered: 400, .cut("rst"), at: 0)
                $0.get(2, from: 400, answer: [], at: 100)
            }.verdict
        }
        #expect(result(.matches, tampered: true) == .pass)
        #expect(result(.matches, tampered: false) == .inconclusive)
        #expect(result(.unknown, tampered: true) == .inconclusive)
    }

    @Test func `who does not continue needs no condition`() {
        let result = Self.check(.r5) {
            $0.get(1, delivered: 400, .cut("rst"), at: 0)
            $0.get(2, at: 100)
        }
        #expect(result.verdict == .skipped)
    }

    // MARK: R6

    @Test func `an answer that does not fit is judged by the result`() {
        func verdict(_ oracle: Evidence.Oracle, exit code: Int) -> Verdict {
            Self.check(
                .r6,
                {
                    $0.oracle = oracle; $0.exitCode = code
                }
            ) {
                $0.get(1, delivered: 400, .cut("rst"), at: 0)
                $0.get(2, from: 400, status: 200, at: 100)
            }.verdict
        }
        #expect(verdict(.matches, exit: 0) == .pass)
        #expect(verdict(.differs("at byte 400"), exit: 0) == .fail)
        #expect(verdict(.missing, exit: 1) == .pass)
        // An honest failure, whatever it left.
        #expect(verdict(.differs("at byte 400"), exit: 1) == .pass)
        #expect(verdict(.beginning("400 bytes"), exit: 1) == .pass)
        #expect(verdict(.missing, exit: 0) == .inconclusive)
        #expect(verdict(.unknown, exit: 0) == .inconclusive)
    }

    @Test func `what fits is no case for it`() {
        let result = Self.check(.r6, { $0.oracle = .differs("x") }) {
            $0.get(1, delivered: 400, .cut("rst"), at: 0)
            $0.get(2, from: 400, at: 100)
        }
        #expect(result.verdict == .skipped)
    }

    @Test(arguments: [
        ("bytes 300-999/1000", "a 206 from byte 300"),
        ("bytes 400-999/2000", "a 206 of another version"), (nil, "a 206 without a place"),
    ])
    func `a 206 elsewhere, of another total or without a place does not fit`(
        part: String?,
        words: String
    ) {
        let result = Self.check(.r6, { $0.oracle = .differs("x") }) { story in
            story.get(1, delivered: 400, .cut("rst"), at: 0)
            story.connect(2, at: 100)
            story.request(2, "GET", "/big", [("Range", "bytes=400-")], at: 101)
            story.respond(
                2,
                206,
                part.map { [("Content-Range", $0)] } ?? [],
                framing: .length(600),
                at: 110
            )
            story.body(2, .response, 600, at: 120)
        }
        #expect(result.verdict == .fail)
        #expect(
            result.observed == "bytes from 400 on were asked for, \(words) came; the result: x"
        )
    }

    @Test func `the rest of another version, and all from the start, are told as what they are`() {
        let told = [
            (206, "v2", "a 206 of another version"), (200, "v1", "a 200 from byte 0"),
        ].map { status, tag, words in
            let result = Self.check(.r6) {
                $0.get(1, delivered: 400, .cut("rst"), at: 0)
                $0.get(2, from: 400, status: status, answer: [("ETag", "\"\(tag)\"")], at: 100)
            }
            return result.observed == "bytes from 400 on were asked for, \(words) came"
        }
        #expect(told == [true, true])
    }

    // MARK: R8

    @Test func `offsets of one resource do not fall`() {
        func result(_ offsets: [Int], crash: Bool = false) -> CheckResult {
            Self.check(.r8) { story in
                story.send(
                    1,
                    "POST",
                    "/f",
                    [("Upload-Complete", "?1")],
                    length: 1_000,
                    delivered: 600,
                    interim: [("Location", "/u/1")],
                    .cut("rst"),
                    at: 0
                )
                if crash { story.fault(1, "crash(loss=tail:10)", at: 50) }
                for (number, offset) in offsets.enumerated() {
                    story.head(2 + number, "/u/1", offset: offset, at: 100 * (number + 1))
                }
            }
        }
        #expect(result([0, 500, 500, 600]).verdict == .pass)
        #expect(result([500, 499]).verdict == .fail)
        #expect(result([500, 499], crash: true).verdict == .inconclusive)
        #expect(result([500]).verdict == .skipped)
    }

    @Test func `a new resource begins at 0`() {
        let result = Self.check(.r8) {
            $0.send(
                1,
                "POST",
                "/f",
                [("Upload-Complete", "?1")],
                length: 1_000,
                delivered: 600,
                interim: [("Location", "/u/1")],
                .cut("rst"),
                at: 0
            )
            $0.head(2, "/u/1", offset: 500, at: 100)
            $0.head(3, "/u/1", status: 404, offset: nil, at: 200)
            $0.send(
                4,
                "POST",
                "/f",
                [("Upload-Complete", "?1")],
                length: 1_000,
                delivered: 100,
                interim: [("Location", "/u/2")],
                .cut("rst"),
                at: 300
            )
            $0.head(5, "/u/2", offset: 50, at: 400)
        }
        #expect(result.verdict == .pass)
    }
}
