import Basics
import ControlAPI
import HTTPWire
import Testing

@Suite struct RouteTableTests {
    private let table: RouteTable = {
        var table = RouteTable()
        table.add("GET", "/v1") { _, _ in .json(.string("root")) }
        table.add("GET", "/v1/faults") { _, _ in .json(.string("faults")) }
        table.add("POST", "/v1/faults") { _, _ throws(Problem) in
            throw .invalid("/fault", "is missing")
        }
        table.add("DELETE", "/v1/faults/{id}") { _, parameters in
            .json(.string(parameters["id"] ?? ""))
        }
        return table
    }()

    private func answer(_ method: String, _ target: String) throws -> (ResponseHead, String) {
        let request = try ControlRequest(RequestHead(method, target))
        guard case .complete(let head, let body) = table.answer(request) else {
            Issue.record("no whole answer")
            return (ResponseHead(500), "")
        }
        return (head, String(decoding: body, as: UTF8.self))
    }

    @Test func `the action of method and path answers`() throws {
        #expect(try answer("GET", "/v1").1 == "\"root\"\n")
        #expect(try answer("HEAD", "/v1?x=1").0.status == 200)
        #expect(try answer("GET", "/v1/faults").1 == "\"faults\"\n")
        #expect(try answer("DELETE", "/v1/faults/f1").1 == "\"f1\"\n")
        #expect(try answer("DELETE", "/v1/faults/a%2Fb%20c").1 == "\"a/b c\"\n")
    }

    @Test func `another method is told which ones there are`() throws {
        let (head, body) = try answer("PUT", "/v1/faults")
        #expect(head.status == 405)
        #expect(head.fields["Allow"] == "GET, POST, HEAD, OPTIONS")
        #expect(head.fields["Content-Type"] == "application/problem+json")
        #expect(body.contains(#""status":405"#))
        #expect(try answer("GET", "/v1/faults/f1").0.fields["Allow"] == "DELETE, OPTIONS")
    }

    @Test func `OPTIONS tells the methods and nothing for pages`() throws {
        let (head, body) = try answer("OPTIONS", "/v1")
        #expect(head.status == 204)
        #expect(head.fields["Allow"] == "GET, HEAD, OPTIONS")
        #expect(!head.fields.fields.contains { $0.name.lowercased().hasPrefix("access-control") })
        #expect(body.isEmpty)
    }

    @Test(arguments: ["/", "/v2", "/v1/", "//v1", "/v1/faults/", "/v1/faults/a/b", "/v1/%2e%2e/v1"])
    func `what is not there is not found`(target: String) throws {
        #expect(try answer("GET", target).0.status == 404)
    }

    @Test func `a mistyped path is met with the right one`() throws {
        #expect(try answer("GET", "/v1/fautls").1.contains("Did you mean /v1/faults?"))
        #expect(try answer("GET", "/").1.contains("/v1"))
    }

    @Test func `a problem of an action becomes its answer`() throws {
        let (head, body) = try answer("POST", "/v1/faults")
        #expect(head.status == 422)
        #expect(body.contains(#""errors":[{"pointer":"/fault","message":"is missing"}]"#))
    }

    @Test func `a path or query that is no text is refused before anything`() {
        for target in ["/%zz", "/%ff", "/%00", "/v1?%zz", "/v1?a=%ff"] {
            #expect(throws: Problem.self) { try ControlRequest(RequestHead("GET", target)) }
        }
    }
}
