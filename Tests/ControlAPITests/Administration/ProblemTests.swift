import Basics
import ControlAPI
import HTTPWire
import Testing

@Suite struct ProblemTests {
    @Test func `a problem is a document of its kind`() {
        let problem = Problem(405, "method", "This takes GET.", fields: ["Allow": "GET"])
        #expect(
            problem.json.text
                == #"{"type":"urn:linkcond:problem:method","title":"Method Not Allowed","status":405,"#
                + #""detail":"This takes GET."}"#
        )
        guard case .complete(let head, let body) = ControlAnswer.problem(problem) else {
            Issue.record("no whole answer")
            return
        }
        #expect(head.status == 405)
        #expect(head.fields["Allow"] == "GET")
        #expect(head.fields["Content-Type"] == "application/problem+json")
        #expect(head.fields["Cache-Control"] == "no-store")
        #expect(body == Array((problem.json.text + "\n").utf8))
    }

    @Test func `mistakes in the content are told one by one, and the first one at once`() {
        let problem = Problem.invalid([
            .init("/for", "'5' has no unit", suggestion: "5s"), .init("/kind", "is missing"),
        ])
        #expect(problem.status == 422)
        #expect(problem.detail == "/for: '5' has no unit (and 1 more)")
        #expect(
            problem.json.text.hasSuffix(
                #""errors":[{"pointer":"/for","message":"'5' has no unit","suggestion":"5s"},"#
                    + #"{"pointer":"/kind","message":"is missing"}]}"#
            )
        )
        #expect(Problem.invalid("", "x").detail == "x")
    }
}
