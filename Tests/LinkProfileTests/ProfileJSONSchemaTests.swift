import Basics
import LinkProfile
import Profiles
import Testing
import YAML

@Suite struct ProfileJSONSchemaTests {
    private func properties(_ schema: JSONValue) -> JSONObject {
        guard case .object(let object) = schema, case .object(let found)? = object["properties"]
        else {
            return JSONObject()
        }
        return found
    }

    /// What a schema says of a mapping's key; nil for nothing.
    private func form(_ key: String, in schema: JSONValue) -> JSONValue? { properties(schema)[key] }

    private func keys(_ schema: JSONValue) -> [String] { properties(schema).members.map(\.key) }

    /// Keys of a file that the schema does not know, at the depth to which it describes them.
    private func foreign(_ node: Node, _ schema: JSONValue) -> [String] {
        guard !keys(schema).isEmpty, case .mapping(let entries) = node.value else { return [] }
        return entries.flatMap { entry in
            form(entry.key, in: schema).map { foreign(entry.value, $0) } ?? [entry.key]
        }
    }

    @Test func `the schema knows every key of every built-in profile`() throws {
        for profile in Profiles.all {
            var diagnostics = Diagnostics()
            let root = readYAML(profile.bytes, file: .file(profile.file), into: &diagnostics)
            let unknown = foreign(try #require(root), ProfileJSONSchema.document)
            #expect(unknown.isEmpty, "\(profile.name)")
        }
    }

    @Test(arguments: [
        [], ["link"], ["link", "down"], ["link", "tcp"], ["path"], ["budget"], ["dns"],
    ])
    func `the parser knows every key of the schema`(place: [String]) throws {
        var schema = ProfileJSONSchema.document
        for step in place { schema = try #require(form(step, in: schema)) }
        #expect(!keys(schema).isEmpty)
        for key in keys(schema) + ["no-such-key"] {
            let text = place.reversed().reduce("{\(key): {}}") { "{\($1): \($0)}" }
            let words: String
            do throws(ProfileError) {
                _ = try ProfileLibrary.builtinOnly()
                    .load(ProfileText(file: "x.yaml", bytes: Array(text.utf8)))
                words = ""
            } catch {
                words = error.lines.joined(separator: "\n")
            }
            #expect(words.contains("unknown key") == (key == "no-such-key"), "\(text): \(words)")
        }
    }
}
