import Basics
import HTTPWire
import Journal
import Testing

@Suite struct OpenAPITests {
    /// The methods of each path, in small letters.
    private typealias Methods = [String: Set<String>]

    private static func served(_ rig: NativeRig) throws -> Methods {
        guard case .array(let resources)? = try rig.send("GET", "/v1")["resources"] else {
            return [:]
        }
        var served: Methods = [:]
        for case .object(let resource) in resources {
            guard case .string(let path)? = resource["path"],
                case .array(let methods)? = resource["methods"]
            else { continue }
            served[path] = Set(methods.map { $0.text.lowercased().filter { $0 != "\"" } })
        }
        return served
    }

    private static func described(_ rig: NativeRig) throws -> Methods {
        let answer = try rig.send("GET", "/v1/openapi.json")
        #expect(answer.status == 200)
        guard case .object(let paths)? = answer["paths"] else { return [:] }
        var described: Methods = [:]
        for member in paths.members {
            guard case .object(let operations) = member.value else { continue }
            described[member.key] = Set(operations.members.map(\.key)).subtracting(["parameters"])
        }
        return described
    }

    @Test func `every route is described with its methods, and no other`() throws {
        let rig = try NativeRig()
        let described = try Self.described(rig)
        #expect(try Self.served(rig) == described)
        for path in ["/v1/path/stream", "/metrics", "/healthz", "/readyz"] {
            #expect(described[path] == ["get"], "\(path)")
        }
    }

    @Test func `a method that is not described is refused with those that are`() throws {
        let rig = try NativeRig()
        for (path, methods) in try Self.described(rig) {
            let place = path.replacing(#/\{[a-z]+\}/#, with: "x")
            for method in ["get", "post", "put", "patch", "delete"] where !methods.contains(method)
            {
                let answer = try rig.send(method.uppercased(), place, "{}")
                #expect(answer.status == 405, "\(method) \(path)")
                let allowed = answer.fields["Allow"]?.lowercased().split(separator: ", ") ?? []
                #expect(Set(allowed.map(String.init)).isSuperset(of: methods), "\(path)")
            }
        }
    }

    @Test func `the description carries the version of the program`() throws {
        let info = try NativeRig().send("GET", "/v1/openapi.json")["info"]
        #expect(info == ["title": "linkcond", "version": "9.9"])
    }
}
