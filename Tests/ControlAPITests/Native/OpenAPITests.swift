import ControlAPI
import HTTPWire
import Journal
import Testing

@Suite struct OpenAPITests {
    @Test func `every resource of /v1 that a program uses is described, and no other`() throws {
        let rig = try NativeRig()
        let answer = try rig.send("GET", "/v1/openapi.json")
        #expect(answer.status == 200)
        guard case .object(let paths)? = answer["paths"],
            case .array(let resources)? = try rig.send("GET", "/v1")["resources"]
        else {
            Issue.record("no paths")
            return
        }
        // Streams, pages and probes are described in words.
        let undescribed: Set<String> = [
            "/v1/openapi.json", "/v1/login", "/v1/path/stream", "/metrics", "/healthz", "/readyz",
        ]
        var known: [String: Set<String>] = [:]
        for case .object(let resource) in resources {
            guard case .string(let path)? = resource["path"],
                case .array(let methods)? = resource["methods"], !undescribed.contains(path)
            else { continue }
            known[path] = Set(methods.map { $0.text.lowercased().filter { $0 != "\"" } })
        }
        var described: [String: Set<String>] = [:]
        for member in paths.members {
            guard case .object(let operations) = member.value else { continue }
            described[member.key] = Set(operations.members.map(\.key)).subtracting(["parameters"])
        }
        #expect(described == known)
    }
}
