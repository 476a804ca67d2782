import Analysis
import Journal
import Testing

/// M1 to M4.
@Suite struct MessageChecksTests {
    /// A stream of messages that a fault cuts, and perhaps another request for it that comes whole.
    private func story(
        _ kind: MessagesReport.Kind,
        framing: ReportedFraming = .close,
        id: String? = nil,
        retry: UInt64? = nil,
        isWhole: Bool = false,
        again: Story.Fields? = nil,
        after: Int = 90,
        target: String = "/a"
    ) -> Story {
        var story = Story()
        story.connect(1, at: 0)
        story.request(1, "GET", "/a", at: 1)
        respond(&story, 1, kind, framing, at: 2)
        if !isWhole { story.fault(1, "fin", at: 10) }
        if kind == .event { story.body(1, .response, 9, isComplete: isWhole, at: 10) }
        story.add(
            .messages(
                MessagesReport(
                    Story.id(1),
                    .response,
                    kind,
                    count: 1,
                    isWhole: isWhole,
                    lastID: id,
                    retryMilliseconds: retry
                )
            ),
            at: 10
        )
        story.end(1, by: isWhole ? .client : .fault, at: 11)
        if let again {
            story.connect(2, at: 10 + after)
            story.request(2, "GET", target, again, at: 11 + after)
            respond(&story, 2, kind, framing, at: 12 + after)
            if kind == .event { story.body(2, .response, 9, at: 13 + after) }
            story.add(
                .messages(MessagesReport(Story.id(2), .response, kind, count: 2, isWhole: true)),
                at: 14 + after
            )
            story.end(2, at: 15 + after)
        }
        return story
    }

    private func respond(
        _ story: inout Story,
        _ connection: Int,
        _ kind: MessagesReport.Kind,
        _ framing: ReportedFraming,
        at time: Int
    ) {
        story.add(
            .response(
                ResponseReport(
                    Story.id(connection),
                    status: kind == .event ? 200 : 101,
                    framing: kind == .event ? framing : .none,
                    headBytes: 100,
                    fields: .none
                )
            ),
            at: time
        )
    }

    @Test(
        arguments: [MessagesReport.Kind.webSocket, .event],
        [ReportedFraming.close, .chunked]
    )
    func `a broken stream is no success, unless it came whole later`(
        kind: MessagesReport.Kind,
        framing: ReportedFraming
    ) {
        let cut = story(kind, framing: framing)
        #expect(cut.report { $0.exitCode = 0 }.result(.m1).verdict == .fail)
        #expect(cut.report { $0.exitCode = 1 }.result(.m1).verdict == .pass)
        #expect(cut.report { $0.exitCode = 0 }.result(.r10).verdict == .skipped)
        let resumed = story(kind, framing: framing, again: [])
        #expect(resumed.report { $0.exitCode = 0 }.result(.m1).verdict == .pass)
        let whole = story(kind, framing: framing, isWhole: true)
        #expect(whole.report { $0.exitCode = 0 }.result(.m1).verdict == .skipped)
    }

    @Test func `what was not understood is not judged`() {
        var unknown = story(.webSocket)
        unknown.add(.opaque(OpaqueReport(Story.id(1).connection, .response, reason: "x")), at: 9)
        #expect(unknown.report { $0.exitCode = 0 }.result(.m1).verdict == .skipped)
        #expect(unknown.report { $0.exitCode = 1 }.result(.m3).verdict == .skipped)
    }

    @Test(
        arguments: [
            ("7", [("Last-Event-ID", "7")], Verdict.pass), ("7", [("Last-Event-ID", "6")], .fail),
            ("7", [], .fail), (nil, [], .skipped), ("", [], .skipped),
        ] as [(String?, Story.Fields, Verdict)]
    )
    func `events are resumed after the last one that arrived`(
        id: String?,
        fields: Story.Fields,
        verdict: Verdict
    ) {
        #expect(story(.event, id: id, again: fields).report().result(.m2).verdict == verdict)
        #expect(story(.event, id: id).report().result(.m2).verdict == .skipped)
    }

    @Test func `a client that fails has tried again before`() {
        let cut = story(.webSocket)
        #expect(cut.report { $0.exitCode = 1 }.result(.m3).verdict == .fail)
        #expect(cut.report { $0.exitCode = 0 }.result(.m3).verdict == .pass)
        var resumed = story(.webSocket, again: [])
        #expect(resumed.report { $0.exitCode = 1 }.result(.m3).verdict == .pass)
        // The last of several tries has none after it.
        resumed.connect(3, at: 300)
        resumed.request(3, "GET", "/a", at: 301)
        respond(&resumed, 3, .webSocket, .none, at: 302)
        resumed.fault(3, "fin", at: 303)
        resumed.add(
            .messages(
                MessagesReport(Story.id(3), .response, .webSocket, count: 1, isWhole: false)
            ),
            at: 304
        )
        resumed.end(3, by: .fault, at: 305)
        #expect(resumed.report { $0.exitCode = 1 }.result(.m3).verdict == .pass)
    }

    /// A client says in the query where to resume.
    @Test func `a WebSocket is the same with another query, and events are not`() {
        for (target, isSame) in [("/a?after=1", true), ("/ab", false), ("/b?after=1", false)] {
            let resumed = story(.webSocket, again: [], target: target)
            let failed = resumed.report { $0.exitCode = 1 }.result(.m3).verdict
            #expect(failed == (isSame ? .pass : .fail))
            let succeeded = resumed.report { $0.exitCode = 0 }.result(.m1).verdict
            #expect(succeeded == (isSame ? .pass : .fail))
        }
        let events = story(.event, again: [], target: "/a?after=1")
        #expect(events.report { $0.exitCode = 1 }.result(.m3).verdict == .fail)
    }

    @Test(arguments: [(100, Verdict.pass), (85, .pass), (70, .fail)])
    func `a client waits for as long as the stream says`(after: Int, verdict: Verdict) {
        let report = story(.event, retry: 100, again: [], after: after).report()
        #expect(report.result(.m4).verdict == verdict)
        #expect(story(.event, again: []).report().result(.m4).verdict == .skipped)
    }
}
