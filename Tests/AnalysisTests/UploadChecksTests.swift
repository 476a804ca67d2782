import Analysis
import Journal
import Testing

/// R3, R4, R7, R9.
@Suite struct UploadChecksTests {
    private static let whole: Story.Fields = [("Upload-Complete", "?1")]
    private static let url: Story.Fields = [("Location", "/u/1")]

    private static func check(
        _ check: Check,
        _ change: (inout Evidence) -> Void = { _ in },
        _ tell: (inout Story) -> Void
    ) -> CheckResult {
        var story = Story()
        tell(&story)
        return story.report(change).result(check)
    }

    private static func cutCreation(_ story: inout Story, interim: Story.Fields? = url) {
        story.send(
            1,
            "POST",
            "/f",
            whole,
            length: 1_000,
            delivered: 600,
            interim: interim,
            .cut("rst"),
            at: 0
        )
    }

    private static func complete(_ story: inout Story, _ connection: Int, at time: Int) {
        story.send(
            connection,
            "PATCH",
            "/u/1",
            [("Upload-Offset", "500")] + whole,
            length: 500,
            status: 200,
            answer: whole,
            at: time
        )
    }

    // MARK: R3

    @Test func `a second resource is a fault only if the first could be used`() {
        func result(interim: Story.Fields?, gone: Bool) -> CheckResult {
            Self.check(.r3) {
                Self.cutCreation(&$0, interim: interim)
                if gone { $0.head(2, "/u/1", status: 410, offset: nil, at: 100) }
                $0.send(
                    3,
                    "POST",
                    "/f",
                    Self.whole,
                    length: 1_000,
                    interim: [("Location", "/u/2")],
                    status: 200,
                    answer: Self.whole,
                    at: 200
                )
            }
        }
        #expect(result(interim: Self.url, gone: false).verdict == .fail)
        #expect(result(interim: Self.url, gone: false).observed == "2 creations, 1 orphan")
        #expect(result(interim: Self.url, gone: true).verdict == .pass)
        #expect(result(interim: nil, gone: false).verdict == .pass)
        #expect(
            result(interim: nil, gone: false).observed == "2 creations, orphans cannot be known"
        )
        #expect(Self.check(.r3) { $0.get(1, at: 0) }.verdict == .skipped)
    }

    @Test func `the origin knows of orphans that the client never heard of`() {
        let result = Self.check(.r3) {
            $0.origin(.created, "/u/1", at: 0)
            Self.cutCreation(&$0, interim: nil)
            $0.origin(.created, "/u/2", at: 100)
            $0.send(
                3,
                "POST",
                "/f",
                Self.whole,
                length: 1_000,
                status: 200,
                answer: Self.whole,
                at: 200
            )
        }
        #expect(result.verdict == .pass)
        #expect(result.observed == "2 creations, 1 orphan")
    }

    // MARK: R4

    @Test func `an interim answer that nobody asked for makes no resumable upload`() {
        let result = Self.check(.r4) {
            $0.exitCode = 0; $0.hasOwnOrigin = true
        } _: {
            $0.send(
                1,
                "PUT",
                "/files/a",
                [],
                length: 1_000,
                interim: [("Upload-Offset", "400")],
                status: 201,
                at: 0
            )
        }
        #expect(result.verdict == .skipped && result.reason == "no resumable upload")
    }

    @Test func `success and completion go together`() {
        func result(completions: Int, exit code: Int?) -> CheckResult {
            Self.check(.r4, { $0.exitCode = code }) { story in
                story.origin(.created, "/u/1", at: 0)
                Self.cutCreation(&story)
                story.head(2, "/u/1", offset: 500, at: 100)
                Self.complete(&story, 3, at: 200)
                for _ in 0..<completions { story.origin(.complete, "/u/1", 1_000, at: 250) }
            }
        }
        #expect(result(completions: 1, exit: 0).verdict == .pass)
        #expect(result(completions: 1, exit: 1).verdict == .pass)
        #expect(result(completions: 0, exit: 1).verdict == .pass)
        #expect(result(completions: 0, exit: 0).reason == "lost")
        #expect(result(completions: 2, exit: 0).reason == "duplicate")
        #expect(result(completions: 0, exit: nil).verdict == .inconclusive)
    }

    @Test func `an upload in one request is not counted among the others`() {
        let result = Self.check(.r4, { $0.exitCode = 0 }) {
            Self.cutCreation(&$0)
            $0.head(2, "/u/1", offset: 500, at: 100)
            Self.complete(&$0, 3, at: 200)
            $0.origin(.complete, "/u/1", 1_000, at: 250)
            $0.send(4, "PUT", "/x", [], length: 10, status: 201, at: 300)
            $0.origin(.complete, "/x", 10, at: 350)
        }
        #expect(result.verdict == .pass)
    }

    @Test(arguments: [
        (Evidence.ServerCheck.pass, 0, Verdict.pass), (.fail, 0, .fail), (.fail, 1, .pass),
        (.unknown, 0, .inconclusive), (.notRun, 0, .inconclusive),
    ])
    func `of a foreign server only a check of its own can tell`(
        check: Evidence.ServerCheck,
        code: Int,
        verdict: Verdict
    ) {
        let result = Self.check(
            .r4,
            {
                $0.serverCheck = check; $0.exitCode = code
            }
        ) {
            $0.send(1, "PUT", "/x", [], length: 10, status: 201, at: 0)
        }
        #expect(result.verdict == verdict)
        #expect(Self.check(.r4) { $0.get(1, at: 0) }.verdict == .skipped)
    }

    // MARK: R7

    @Test func `requests on an upload do not overlap`() {
        /// A HEAD that begins so many milliseconds after the end of a PATCH.
        func result(_ distance: Int) -> CheckResult {
            Self.check(.r7) { story in
                story.send(
                    1,
                    "POST",
                    "/f",
                    Self.whole,
                    length: 1_000,
                    delivered: 600,
                    interim: Self.url,
                    .cut("rst"),
                    at: 0
                )
                story.connect(2, at: 100)
                story.request(
                    2,
                    "PATCH",
                    "/u/1",
                    [("Upload-Offset", "500")],
                    length: 500,
                    at: 100
                )
                story.connect(3, at: 200)
                story.request(3, "HEAD", "/u/1", at: 200)
                story.respond(2, 204, at: 200 - distance)
                story.respond(3, 204, [("Upload-Offset", "500")], framing: .none, at: 400)
            }
        }
        #expect(result(1).verdict == .pass)
        #expect(result(0).verdict == .pass)
        #expect(result(-10).verdict == .inconclusive)
        #expect(result(-30).verdict == .fail)
        #expect(result(-30).reason == "two-at-once")
    }

    @Test func `a request whose end nobody saw is open`() {
        let result = Self.check(.r7) {
            Self.cutCreation(&$0)
            $0.connect(2, at: 100)
            $0.request(2, "PATCH", "/u/1", [("Upload-Offset", "500")], length: 500, at: 100)
            $0.head(3, "/u/1", offset: 500, at: 5_000)
        }
        #expect(result.verdict == .fail)
    }

    @Test func `one request makes no pair`() {
        #expect(Self.check(.r7) { Self.cutCreation(&$0) }.verdict == .skipped)
    }

    // MARK: R9

    @Test func `who gives up deletes`() {
        func verdict(exit code: Int?, delete: Bool) -> Verdict {
            Self.check(.r9, { $0.exitCode = code }) {
                Self.cutCreation(&$0)
                if delete { $0.refuse(2, "DELETE", "/u/1", status: 204, at: 100) }
            }.verdict
        }
        #expect(verdict(exit: 1, delete: true) == .pass)
        #expect(verdict(exit: 1, delete: false) == .fail)
        #expect(verdict(exit: 75, delete: false) == .skipped)
        #expect(verdict(exit: 143, delete: false) == .skipped)
        #expect(verdict(exit: nil, delete: false) == .inconclusive)
    }
}
