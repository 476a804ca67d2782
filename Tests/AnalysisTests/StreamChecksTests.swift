import Analysis
import Journal
import Testing

/// H1 to H5.
@Suite struct StreamChecksTests {
    /// A request on a stream that a fault ends, and perhaps another one for the same.
    private func story(
        _ effect: String,
        _ method: String = "GET",
        fields: Story.Fields = [],
        status: Int? = nil,
        again: Bool = false,
        lateStreams: Int = 0
    ) -> Story {
        var story = Story()
        story.connect(1, at: 0)
        story.request(1, method, "/a", fields, isStream: true, at: 1)
        if let status { story.respond(1, status, framing: .length(9), at: 2) }
        story.fault(1, effect, at: 3)
        if again { story.request(1, r: 2, method, "/a", fields, isStream: true, at: 90) }
        if again { story.respond(1, r: 2, 200, at: 91) }
        story.end(1, lateStreams: lateStreams, at: 100)
        return story
    }

    @Test(arguments: [
        ("rst-stream(REFUSED_STREAM)", true, Verdict.pass),
        ("rst-stream(REFUSED_STREAM)", false, .fail), ("goaway", true, .pass),
        ("goaway", false, .fail), ("goaway(INTERNAL_ERROR)", false, .fail),
        ("goaway(this)", false, .skipped), ("rst-stream(INTERNAL_ERROR)", false, .skipped),
        ("rst", false, .skipped),
    ])
    func `what was not processed is tried again`(effect: String, again: Bool, verdict: Verdict) {
        #expect(story(effect, again: again).report().result(.h1).verdict == verdict)
    }

    @Test func `a request that is refused each time was still retried`() {
        for tries in 1...3 {
            var story = Story()
            story.connect(1, at: 0)
            for ordinal in 1...tries {
                story.request(1, r: ordinal, "GET", "/a", isStream: true, at: ordinal * 10)
                story.fault(1, r: ordinal, "rst-stream(REFUSED_STREAM)", at: ordinal * 10 + 3)
            }
            story.end(1, at: 100)
            #expect(story.report().result(.h1).verdict == (tries == 1 ? .fail : .pass))
        }
    }

    @Test(arguments: [
        ("POST", "rst", true, Verdict.fail), ("POST", "rst", false, .pass),
        ("PATCH", "rst-stream(INTERNAL_ERROR)", true, .fail),
        ("POST", "rst-stream(REFUSED_STREAM)", true, .skipped), ("POST", "goaway", true, .skipped),
        ("GET", "rst", true, .skipped),
    ])
    func `what may have been processed is not repeated`(
        method: String,
        effect: String,
        again: Bool,
        verdict: Verdict
    ) {
        #expect(story(effect, method, again: again).report().result(.h2).verdict == verdict)
    }

    @Test func `a request that says who it is may be repeated`() {
        for fields in [[("Idempotency-Key", "k")], [("Upload-Offset", "0")]] as [Story.Fields] {
            let result = story("rst", "POST", fields: fields, again: true).report().result(.h2)
            #expect(result.verdict != .fail)
        }
        let told = story("rst", "POST", status: 200, again: true).report().result(.h2)
        #expect(told.verdict == .skipped)
    }

    @Test(arguments: [
        ("goaway", 0, Verdict.pass), ("goaway(this)", 2, .fail), ("rst", 0, .skipped),
    ])
    func `a connection that goes away gets no stream`(effect: String, late: Int, verdict: Verdict) {
        let result = story(effect, lateStreams: late).report().result(.h3)
        #expect(result.verdict == verdict)
        if verdict == .fail { #expect(result.observed == "2 streams on c1 after GOAWAY") }
    }

    @Test(arguments: [
        "rst", "rst-stream(NO_ERROR)", "rst-stream(CANCEL)", "goaway", "fin",
    ])
    func `an incomplete stream is no success`(effect: String) {
        let cut = story(effect, status: 200)
        #expect(cut.report { $0.exitCode = 0 }.result(.h4).verdict == .fail)
        #expect(cut.report { $0.exitCode = 1 }.result(.h4).verdict == .pass)
        #expect(cut.report { $0.exitCode = 0 }.result(.r10).verdict == .skipped)
    }

    @Test func `one stream that is reset does not cut another one`() {
        var story = Story()
        story.connect(1, at: 0)
        story.request(1, "GET", "/b", isStream: true, at: 1)
        story.request(1, r: 2, "GET", "/a", isStream: true, at: 1)
        story.fault(1, r: 2, "rst", at: 2)
        story.respond(1, 200, framing: .length(9), at: 3)
        story.body(1, .response, 9, isComplete: false, at: 4)
        story.end(1, at: 5)
        let result = story.report { $0.exitCode = 0 }.result(.h4)
        #expect(result.observed == "success, but /a is incomplete")
    }

    @Test func `retries of a refused stream are limited`() {
        for (tries, verdict) in [(20, Verdict.pass), (21, .fail)] {
            var story = Story()
            story.connect(1, at: 0)
            for place in 1...tries {
                story.request(1, r: place, "GET", "/a", isStream: true, at: place)
                story.fault(1, r: place, "rst-stream(REFUSED_STREAM)", at: place)
            }
            story.end(1, at: 100)
            #expect(story.report().result(.h5).verdict == verdict)
        }
    }
}
