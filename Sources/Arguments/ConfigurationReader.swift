internal import Basics
package import YAML

/// Reads one configuration file into options.
package struct ConfigurationReader {
    /// One option of a file with what was written for it.
    package struct Value: Sendable {
        package var long: String
        /// The command in whose section it stands; nil at the top.
        package var section: String?
        package var texts: [(text: String, place: Place)]
    }

    private let schema: ConfigurationSchema
    private var diagnostics = Diagnostics()
    private var values: [Value] = []

    package init(schema: ConfigurationSchema) { self.schema = schema }

    /// Reads a text; all of it, also what is for other commands, has to be right.
    ///
    /// - Throws: every mistake with its place.
    package static func read(
        _ text: [UInt8],
        file: String,
        schema: ConfigurationSchema
    ) throws(Failure) -> [Value] {
        // A file with comments alone, or nothing, marks the folder of a project.
        guard !isEmpty(text) else { return [] }
        var reader = ConfigurationReader(schema: schema)
        reader.read(text, file: file)
        guard reader.diagnostics.list.isEmpty else {
            throw Failure(.configuration, diagnostics: reader.diagnostics.sorted.map(\.text))
        }
        return reader.values
    }

    private static func isEmpty(_ text: [UInt8]) -> Bool {
        text.split(separator: UInt8(ascii: "\n")).allSatisfy { line in
            let first = line.first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") }
            return first == nil || first == UInt8(ascii: "#")
        }
    }

    private mutating func read(_ text: [UInt8], file: String) {
        let root = readYAML(
            text,
            file: .file(file),
            what: "a configuration",
            into: &diagnostics
        )
        guard let root else { return }
        guard case .mapping(let entries) = root.value else {
            diagnostics.report(
                "expected options by name, like 'profile: lte'; found \(root.description)",
                at: root.place
            )
            return
        }
        for entry in entries {
            if let command = schema.commands.first(where: { $0.name == entry.key }) {
                readSection(command.name, entry.value)
            } else {
                readOption(entry, section: nil)
            }
        }
    }

    private mutating func readSection(_ command: String, _ node: Node) {
        guard case .mapping(let entries) = node.value else {
            diagnostics.report(
                "expected options of 'linkcond \(command)' by name; found \(node.description)",
                at: node.place
            )
            return
        }
        for entry in entries { readOption(entry, section: command) }
    }

    private mutating func readOption(_ entry: Node.Entry, section: String?) {
        let options = schema.options(of: section)
        guard let option = options.first(where: { $0.long == entry.key }) else {
            if let option = options.first(where: { $0.former.contains(entry.key) }) {
                return diagnostics.report(
                    "'\(entry.key)' is now '\(option.long)'",
                    at: entry.keyPlace
                )
            }
            let names = options.map(\.long) + (section == nil ? schema.commands.map(\.name) : [])
            diagnostics.report(unknown(entry.key, names), at: entry.keyPlace)
            return
        }
        guard let texts = texts(of: option, entry.value) else { return }
        values.append(Value(long: option.long, section: section, texts: texts))
    }

    private func unknown(_ key: String, _ names: [String]) -> String {
        if schema.isForCommandLine(key) {
            return "'\(key)' belongs on the command line, not in a file"
        }
        if let nearest = NearestName.of(key, among: names) {
            return "unknown option '\(key)'; did you mean '\(nearest)'?"
        }
        return "unknown option '\(key)'; there are \(names.joined(separator: ", "))"
    }

    /// The values of an option; none for a flag that is off, nil after a report.
    private mutating func texts(
        of option: OptionSpecification,
        _ node: Node
    ) -> [(text: String, place: Place)]? {
        switch node.value {
        case .scalar(let text) where option.value == nil:
            switch text {
            case "yes", "true": return [("", node.place)]
            case "no", "false": return []
            default:
                diagnostics.report("expected yes or no; found \(node.description)", at: node.place)
                return nil
            }
        case .scalar(let text) where !text.isEmpty: return [(text, node.place)]
        case .sequence(let items) where option.isRepeatable: return items.compactMap { item($0) }
        case .mapping(let entries) where option.takesSettings:
            return entries.map { ("\($0.key)=\($0.value.flowText)", $0.value.place) }
        default:
            let expected = option.value.map { "expected \($0.name)" } ?? "expected yes or no"
            let list = option.isRepeatable ? ", or a list of them" : ""
            diagnostics.report("\(expected)\(list); found \(node.description)", at: node.place)
            return nil
        }
    }

    private mutating func item(_ node: Node) -> (text: String, place: Place)? {
        guard case .scalar(let text) = node.value, !text.isEmpty else {
            diagnostics.report("expected a value; found \(node.description)", at: node.place)
            return nil
        }
        return (text, node.place)
    }
}

extension Node {
    /// The value in YAML's flow style, as on a command line.
    package var flowText: String {
        switch value {
        case .scalar(let text): text
        case .sequence(let items): "[" + items.map(\.nestedText).joined(separator: ", ") + "]"
        case .mapping(let entries):
            "{" + entries.map { "\($0.key): \($0.value.nestedText)" }.joined(separator: ", ")
                + "}"
        }
    }

    /// The same within a list or a mapping, where some characters have a meaning.
    private var nestedText: String {
        guard case .scalar(let text) = value, text.contains(where: { ",[]{}\"\\#'".contains($0) })
        else {
            return flowText
        }
        // Doubled is how a single-quoted text has its quote (YAML 1.2.2 §7.3.2).
        return "'\(text.replacing("'", with: "''"))'"
    }
}
