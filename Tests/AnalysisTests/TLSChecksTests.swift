import Analysis
import Journal
import Testing

/// T1, T2, and what R10 makes of an end under TLS.
@Suite struct TLSChecksTests {
    @Test(arguments: [
        ("certificate(expired)", 0, Verdict.pass), ("certificate(expired)", 12, .fail),
        ("rst", 12, .skipped),
    ])
    func `a client says nothing to a server whose certificate it must refuse`(
        effect: String,
        sent: Int,
        verdict: Verdict
    ) {
        var story = Story()
        story.connect(1, at: 0)
        story.fault(1, r: nil, effect, at: 1)
        story.end(1, up: sent, at: 2)
        #expect(story.report().result(.t1).verdict == verdict)
    }

    @Test func `a request says as much as bytes, and a fault that did not act nothing`() {
        for (state, verdict) in [
            (FaultReport.State.fired, Verdict.fail), (.unreached(reason: "no TLS"), .skipped),
        ] {
            var story = Story()
            story.connect(1, at: 0)
            story.fault(1, r: nil, "certificate(self-signed)", state, at: 1)
            story.request(1, "GET", "/", at: 2)
            let result = story.report().result(.t1)
            #expect(result.verdict == verdict)
            if verdict == .fail {
                #expect(result.observed == "the client accepted certificate(self-signed) on c1")
            }
        }
    }

    /// Heads are 100 bytes long.
    @Test(arguments: [
        (["GET"], 100, Verdict.pass), (["HEAD", "POST"], 199, .pass), (["POST"], 100, .fail),
        (["GET", "PUT"], 200, .fail), (["POST"], 99, .skipped), (["POST"], 0, .skipped),
    ])
    func `early data asks for nothing that changes something`(
        methods: [String],
        bytes: Int,
        verdict: Verdict
    ) {
        for isStream in [false, true] {
            var story = Story()
            story.connect(1, at: 0)
            story.request(1, "PUT", "/", at: 1)
            story.end(1, isSealed: true, at: 2)
            story.connect(2, at: 3)
            for (place, method) in methods.enumerated() {
                story.request(2, r: place + 1, method, "/", isStream: isStream, at: 4 + place)
            }
            story.end(2, isSealed: true, earlyBytes: bytes, at: 9)
            #expect(story.report().result(.t2).verdict == (isStream ? .skipped : verdict))
        }
    }

    @Test(arguments: [
        (true, ConnectionEnd.Party.fault, Verdict.fail), (true, .upstream, .skipped),
        (false, .fault, .skipped),
    ])
    func `under TLS a cut looks like no end`(
        isSealed: Bool,
        party: ConnectionEnd.Party,
        verdict: Verdict
    ) {
        var story = Story()
        story.connect(1, at: 0)
        story.request(1, "GET", "/a", at: 1)
        story.respond(1, 200, framing: .close, at: 2)
        story.body(1, .response, 9, isComplete: false, at: 3)
        story.end(1, by: party, isSealed: isSealed, at: 4)
        #expect(story.report { $0.exitCode = 0 }.result(.r10).verdict == verdict)
    }
}
