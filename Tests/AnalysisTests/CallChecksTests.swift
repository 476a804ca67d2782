import Analysis
import Journal
import Testing

/// G1 to G3, and what M1, M3 and H2 say of gRPC calls.
@Suite struct CallChecksTests {
    /// One attempt of a call.
    private struct Attempt {
        var previous: String?
        var began: Int
        var ended: Int
        /// Nil for an answer without trailers.
        var status: UInt32? = 14
        var pushback: Int64?
        var target = "/x.Greeter/Hello"
        /// Whether the whole answer is trailers.
        var isBare = false
        /// What ends it.
        var fault: String?
        /// Whether nothing of an answer came.
        var isUnanswered = false
        var type = "application/grpc+proto"
    }

    private func story(_ attempts: [Attempt]) -> Story {
        var story = Story()
        story.connect(1, at: 0)
        let moments = attempts.enumerated().flatMap { place, attempt in
            [(attempt.began, place, true), (attempt.ended, place, false)]
        }
        for (_, place, isBegin) in moments.sorted(by: { ($0.0, $0.1) < ($1.0, $1.1) }) {
            if isBegin {
                begin(attempts[place], place + 1, &story)
            } else {
                end(attempts[place], place + 1, &story)
            }
        }
        story.end(1, at: 9_000)
        return story
    }

    private func begin(_ attempt: Attempt, _ r: Int, _ story: inout Story) {
        var fields: Story.Fields = [("content-type", attempt.type)]
        fields += attempt.previous.map { [("grpc-previous-rpc-attempts", $0)] } ?? []
        story.request(
            1,
            r: r,
            "POST",
            attempt.target,
            fields,
            length: 5,
            isStream: true,
            at: attempt.began
        )
        story.body(1, r: r, .request, 5, at: attempt.began)
    }

    private func end(_ attempt: Attempt, _ r: Int, _ story: inout Story) {
        var fields: Story.Fields = [("content-type", "application/grpc")]
        if attempt.isBare {
            fields += attempt.status.map { [("grpc-status", "\($0)")] } ?? []
            fields += attempt.pushback.map { [("grpc-retry-pushback-ms", "\($0)")] } ?? []
            story.respond(1, r: r, 200, fields, framing: .none, at: attempt.ended)
            guard attempt.status == nil else { return }
            let none = MessagesReport(Story.id(1, r), .response, .grpc, count: 0, isWhole: false)
            return story.add(.messages(none), at: attempt.ended)
        }
        if !attempt.isUnanswered {
            story.respond(1, r: r, 200, fields, framing: .chunked, at: attempt.ended)
        }
        if let fault = attempt.fault { story.fault(1, r: r, fault, at: attempt.ended) }
        if attempt.isUnanswered { return }
        let isWhole = attempt.status != nil
        story.body(1, r: r, .response, 9, isComplete: isWhole, at: attempt.ended)
        var report = MessagesReport(
            Story.id(1, r),
            .response,
            .grpc,
            count: 1,
            isWhole: isWhole
        )
        report.status = attempt.status
        report.pushbackMilliseconds = attempt.pushback
        story.add(.messages(report), at: attempt.ended)
    }

    @Test(
        arguments: [
            (14, Verdict.pass), (8, .pass), (10, .pass), (3, .fail), (12, .fail), (16, .fail),
        ] as [(UInt32, Verdict)],
        [false, true]
    )
    func `a call that will fail again is not retried`(
        call: (status: UInt32, verdict: Verdict),
        isBare: Bool
    ) {
        let report = story([
            Attempt(began: 1, ended: 5, status: call.status, isBare: isBare),
            Attempt(previous: "1", began: 200, ended: 210, status: 0, isBare: isBare),
        ])
        .report()
        #expect(report.result(.g1).verdict == call.verdict)
        #expect(report.result(.g2).verdict == .skipped)
        #expect(report.result(.g3).verdict == .pass)
    }

    @Test(
        arguments: [
            (100, 85, Verdict.pass), (100, 70, .fail), (0, 1, .pass), (-1, 5_000, .fail),
            (5_000, 4_900, .fail), (5_000, 4_940, .pass),
        ] as [(Int64, Int, Verdict)],
        [false, true]
    )
    func `a call is not retried before its server allows it`(
        call: (pushback: Int64, after: Int, verdict: Verdict),
        isBare: Bool
    ) {
        let report = story([
            Attempt(began: 1, ended: 5, pushback: call.pushback, isBare: isBare),
            Attempt(previous: "1", began: 5 + call.after, ended: 8_000, status: 0),
        ])
        .report()
        #expect(report.result(.g2).verdict == call.verdict)
    }

    @Test func `of two calls at once, the one counts that explains a retry`() {
        let first = Attempt(began: 1, ended: 5, pushback: 5_000)
        let second = Attempt(began: 2, ended: 6)
        let retry = Attempt(previous: "1", began: 60, ended: 70, status: 0)
        #expect(story([first, second, retry]).report().result(.g2).verdict == .pass)
        let another = Attempt(previous: "1", began: 80, ended: 90, status: 0)
        let report = story([first, second, retry, another]).report()
        #expect(report.result(.g2).verdict == .fail)
        let elsewhere = Attempt(began: 2, ended: 6, target: "/x.Greeter/Other")
        #expect(story([first, elsewhere, retry]).report().result(.g2).verdict == .fail)
    }

    @Test func `every retry has one more attempt before it`() {
        let first = Attempt(began: 1, ended: 5)
        func retry(_ previous: String, at time: Int, _ status: UInt32 = 14) -> Attempt {
            Attempt(previous: previous, began: time, ended: time + 9, status: status)
        }
        func verdict(_ attempts: [Attempt]) -> Verdict {
            story(attempts).report().result(.g3).verdict
        }
        #expect(verdict([first]) == .skipped)
        #expect(verdict([first, retry("1", at: 90), retry("2", at: 190, 0)]) == .pass)
        #expect(verdict([first, retry("1", at: 90), retry("1", at: 190, 0)]) == .fail)
        #expect(verdict([retry("1", at: 90)]) == .fail)
        #expect(verdict([first, retry("2", at: 90)]) == .fail)
    }

    @Test(
        arguments: [
            (80, false, Verdict.inconclusive), (80, true, .inconclusive), (9_001, false, .fail),
        ]
    )
    func `attempts that were not seen may explain a number`(
        other: (opened: Int, breaks: Bool, verdict: Verdict)
    ) {
        for previous in ["1", "2"] {
            var story = story([
                Attempt(previous: previous, began: 90, ended: 99, status: 0)
            ])
            story.connect(2, at: other.opened)
            if other.breaks { story.request(2, "GET", "/", isStream: true, at: other.opened) }
            story.end(2, by: .upstream, .rst, at: other.opened + 1)
            #expect(story.report().result(.g3).verdict == other.verdict)
        }
    }

    @Test func `of many calls those are kept that can be repeated`() {
        let first = Attempt(began: 1, ended: 5)
        let retry = Attempt(previous: "1", began: 900, ended: 910, status: 0)
        func others(_ status: UInt32) -> [Attempt] {
            (0..<20).map { Attempt(began: 10 + $0 * 10, ended: 15 + $0 * 10, status: status) }
        }
        #expect(story([first] + others(0) + [retry]).report().result(.g3).verdict == .pass)
        let second = Attempt(previous: "1", began: 7, ended: 8)
        let third = Attempt(previous: "2", began: 900, ended: 910, status: 0)
        let report = story([first, second] + others(14) + [third]).report()
        #expect(report.result(.g3).verdict == .inconclusive)
        // The one that it may repeat is not known any more.
        let hopeless = story([first] + others(3) + [retry]).report()
        #expect(hopeless.result(.g1).verdict == .inconclusive)
    }

    @Test(
        arguments: [
            ("rst-stream(REFUSED_STREAM)", Verdict.pass), ("goaway(NO_ERROR)", .pass),
            ("rst-stream(INTERNAL_ERROR)", .fail),
        ]
    )
    func `what was not processed is repeated without being counted`(
        fault: String,
        verdict: Verdict
    ) {
        let attempts = [
            Attempt(began: 1, ended: 5),
            Attempt(previous: "1", began: 50, ended: 60, fault: fault, isUnanswered: true),
            Attempt(began: 70, ended: 75, status: 3),
            Attempt(previous: "1", began: 90, ended: 99, status: 0),
        ]
        let report = story(attempts).report()
        #expect(report.result(.g1).verdict == verdict)
        let counted = story([attempts[0], attempts[1], attempts[3]]).report()
        #expect(counted.result(.g3).verdict == verdict)
    }

    @Test(arguments: [3, 14] as [UInt32])
    func `hedging begins attempts before others end`(status: UInt32) {
        let report = story([
            Attempt(began: 1, ended: 500, status: status, pushback: -1),
            Attempt(previous: "1", began: 100, ended: 600, status: status, pushback: -1),
            Attempt(previous: "2", began: 200, ended: 300, status: 0),
        ])
        .report()
        #expect(report.result(.g1).verdict == .skipped)
        #expect(report.result(.g2).verdict == .pass)
        #expect(report.result(.g3).verdict == .pass)
    }

    @Test(arguments: [
        ("Application/GRPC+Proto", Verdict.fail), ("application/grpc; x=y", .fail),
        ("application/grpc-web+proto", .skipped), ("application/grpcx", .skipped),
    ])
    func `a call is told by its media type`(type: String, verdict: Verdict) {
        let report = story([
            Attempt(began: 1, ended: 5, status: 3, type: type),
            Attempt(previous: "1", began: 90, ended: 99, status: 0, type: type),
        ])
        .report()
        #expect(report.result(.g1).verdict == verdict)
    }

    @Test func `no time in a journal is too late to wait after`() {
        let last = 18_446_744_073_000
        let report = story([
            Attempt(began: 1, ended: last, pushback: 5_000),
            Attempt(previous: "1", began: last + 1, ended: last + 2, status: 0),
        ])
        .report()
        #expect(report.result(.g3).verdict != .skipped)
    }

    @Test func `a call without the status in its trailers is no success`() {
        let cut = story([Attempt(began: 1, ended: 5, status: nil, fault: "fin")])
        #expect(cut.report { $0.exitCode = 0 }.result(.m1).verdict == .fail)
        #expect(cut.report { $0.exitCode = 1 }.result(.m1).verdict == .pass)
        #expect(cut.report { $0.exitCode = 1 }.result(.m3).verdict == .skipped)
        for isBare in [false, true] {
            let ended = story([Attempt(began: 1, ended: 5, status: nil, isBare: isBare)])
            let verdict = ended.report { $0.exitCode = 0 }.result(.m1).verdict
            #expect(verdict == (isBare ? .fail : .skipped))
        }
        let whole = story([Attempt(began: 1, ended: 5, status: 0)])
        #expect(whole.report { $0.exitCode = 0 }.result(.m1).verdict == .skipped)
    }

    @Test(arguments: [
        (Evidence.ServerCheck.notRun, Verdict.skipped), (.pass, .pass), (.fail, .fail),
        (.unknown, .inconclusive),
    ])
    func `a call tells its client itself whether its server took it`(
        check: Evidence.ServerCheck,
        verdict: Verdict
    ) {
        var story = story([Attempt(began: 1, ended: 5, status: 0)])
        func judged() -> Verdict {
            story.report {
                $0.serverCheck = check; $0.exitCode = 0
            }
            .result(.r4).verdict
        }
        #expect(judged() == verdict)
        story.send(2, "PUT", "/x", [], length: 10, status: 201, at: 9_100)
        #expect(judged() == (check == .notRun ? .inconclusive : verdict))
    }

    @Test func `which calls may be repeated is the policy of their service`() {
        var story = Story()
        story.connect(1, at: 0)
        for (r, time) in [(1, 1), (2, 90)] {
            story.request(
                1,
                r: r,
                "POST",
                "/x.Greeter/Hello",
                [("content-type", "application/grpc")],
                isStream: true,
                at: time
            )
            if r == 1 { story.fault(1, "rst-stream(INTERNAL_ERROR)", at: 3) }
        }
        story.respond(1, r: 2, 200, at: 91)
        story.end(1, at: 100)
        #expect(story.report().result(.h2).verdict == .skipped)
    }
}
