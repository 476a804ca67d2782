import Testing

@testable import Exploration

/// When two runs count as one behaviour.
@Suite struct SignatureTests {
    private func signature(
        _ requests: [String],
        verdict: String = "pass",
        later: String? = nil
    ) -> Signature {
        Signature(
            verdict: verdict,
            ending: "exit 0",
            content: "right",
            later: later,
            requests: requests
        )
    }

    @Test(arguments: [
        (["GET first 206", "HEAD probe 200"], ["HEAD probe 200", "GET first 206"], false),
        (["GET first 200"], ["GET first 200", "GET resumed 206"], true),
        (["GET first 200", "GET resumed 206"], ["GET first 200", "GET restarted 200"], true),
        // Parts at once: which of them continues another is chance.
        (["GET first 206", "GET next 206"], ["GET next 206", "GET resumed 206"], false),
        (
            ["GET first 206", "GET next 206"], ["GET first 206", "GET next 206", "GET first 0"],
            true
        ),
    ])
    func `requests make another behaviour by what they are, not by their order`(
        one: [String],
        other: [String],
        isOther: Bool
    ) {
        #expect(signature(one).differs(from: signature(other)) == isOther)
        #expect(signature(other).differs(from: signature(one)) == isOther)
    }

    @Test func `a later run makes another behaviour only if both runs had one`() {
        let requests = ["GET first 200"]
        let (none, right) = (signature(requests), signature(requests, later: "exit 0, right"))
        let wrong = signature(requests, later: "exit 0, wrong")
        #expect(!none.differs(from: right) && !right.differs(from: none))
        #expect(right.differs(from: wrong))
        #expect(none.differs(from: signature(requests, verdict: "corrupt")))
    }
}
