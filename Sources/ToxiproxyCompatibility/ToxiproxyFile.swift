internal import Basics
internal import Journal
package import LinkProfile
internal import YAML

/// A configuration file: a list of proxies, in JSON or YAML, with the place of each mistake.
package struct ToxiproxyFile {
    private var diagnostics = Diagnostics()

    private init() {}

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - text: its content.
    ///   - name: of the file, for messages.
    /// - Returns: the proxies in their order, or every mistake as `file:line:column: error: ...`.
    package static func read(
        _ text: [UInt8],
        name: String
    ) -> Result<[ProxyFields], ProfileError> {
        var file = ToxiproxyFile()
        let root = readYAML(
            text,
            file: .file(name),
            what: "a configuration",
            into: &file.diagnostics
        )
        let list = root.map { file.list($0) } ?? []
        let mistakes = file.diagnostics.sorted
        return mistakes.isEmpty ? .success(list) : .failure(.invalid(mistakes))
    }

    private mutating func list(_ root: Node) -> [ProxyFields] {
        guard case .sequence(let items) = root.value else {
            let found = root.description
            diagnostics.report(
                "expected a list of proxies in brackets; found \(found)",
                at: root.place
            )
            return []
        }
        var names: [String: Place] = [:]
        var list: [ProxyFields] = []
        for (index, item) in items.enumerated() {
            guard let fields = proxy(item, number: index + 1) else { continue }
            let name = fields.name ?? ""
            if names.updateValue(item.place, forKey: name) != nil {
                let place = item.entry("name")?.value.place ?? item.place
                diagnostics.report("duplicate name: \(name) at proxy \(index + 1)", at: place)
            }
            list.append(fields)
        }
        return list
    }

    private mutating func proxy(_ node: Node, number: Int) -> ProxyFields? {
        guard case .mapping = node.value else {
            let expected = "expected a proxy, as {\"name\": ..., \"upstream\": ...}"
            diagnostics.report("\(expected); found \(node.description)", at: node.place)
            return nil
        }
        let fields: ProxyFields
        do throws(ToxiproxyError) {
            fields = try ProxyFields(json(node, .proxy))
        } catch {
            diagnostics.report(error.text, at: node.place)
            return nil
        }
        for (key, value) in [("name", fields.name), ("upstream", fields.upstream)]
        where value?.isEmpty ?? true {
            diagnostics.report(
                "missing required field: \(key) at proxy \(number)",
                at: node.entry(key)?.value.place ?? node.place
            )
        }
        return fields
    }

    /// What the values of an object are to be.
    private enum Schema {
        case proxy, toxic, attributes
    }

    /// The same as a request's body would be; values of the wrong type are reported at their place.
    private mutating func json(_ node: Node, _ schema: Schema) -> JSONValue {
        guard case .mapping(let entries) = node.value else {
            diagnostics.report("expected an object; found \(node.description)", at: node.place)
            return .null
        }
        var object = JSONObject()
        for entry in entries {
            object.appendNew(entry.key, value(entry.value, of: entry.key.lowercased(), schema))
        }
        return .object(object)
    }

    private mutating func value(_ node: Node, of key: String, _ schema: Schema) -> JSONValue {
        if case .scalar("null") = node.value { return .null }
        switch (schema, key) {
        case (.proxy, "name"), (.proxy, "listen"), (.proxy, "upstream"), (.toxic, "name"),
            (.toxic, "type"), (.toxic, "stream"):
            guard case .scalar(let text) = node.value else { return wrong(node, key, "a text") }
            return .string(text)
        case (.proxy, "enabled"):
            switch node.value {
            case .scalar("true"): return .bool(true)
            case .scalar("false"): return .bool(false)
            default: return wrong(node, key, "true or false")
            }
        case (.proxy, "toxics"):
            guard case .sequence(let items) = node.value else {
                return wrong(node, key, "a list")
            }
            return .array(items.map { json($0, .toxic) })
        case (.toxic, "attributes"): return json(node, .attributes)
        case (.toxic, "toxicity"):
            guard case .scalar(let text) = node.value, Float(text)?.isFinite == true else {
                return wrong(node, key, "a number")
            }
            return .decimal(text)
        case (.attributes, _):
            guard case .scalar(let text) = node.value, let number = Int64(text) else {
                return wrong(node, key, "a whole number")
            }
            return .number(number)
        default: return .bool(true)
        }
    }

    private mutating func wrong(_ node: Node, _ key: String, _ expected: String) -> JSONValue {
        diagnostics.report("\(key) must be \(expected); found \(node.description)", at: node.place)
        return .null
    }
}

extension Node {
    fileprivate func entry(_ key: String) -> Entry? {
        guard case .mapping(let entries) = value else { return nil }
        return entries.last { GoJSON.isSame($0.key, key) }
    }
}
