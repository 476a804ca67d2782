import Basics
internal import YAML

/// A mapping of a profile, closed: whatever else is written is a mistake.
struct ProfileSection<Model: Sendable>: Sendable {
    /// Its own key.
    let name: String
    /// In the words of a message.
    let what: String
    /// Keys people know from other tools, and what to write here.
    var hints: [String: String] = [:]
    /// In the order in which they are written and listed.
    let keys: [SectionKey<Model>]

    var names: [String] { keys.map(\.name) }

    /// Its keys as `--set` takes them: `tcp.congestion`.
    var paths: [String] { names.map { "\(name).\($0)" } }

    var schema: JSONValue { ProfileJSONSchema.mapping(keys.map { ($0.name, $0.schema) }) }

    /// `KEY: VALUE` of each key that has a value.
    func items(_ model: Model) -> [String] {
        keys.compactMap { key in key.text(model).map { "\(key.name): \($0)" } }
    }
}

extension Diagnostics {
    mutating func layer<Model>(
        _ node: Node,
        _ section: ProfileSection<Model>
    ) -> SectionLayer<Model> {
        var layer = SectionLayer<Model>()
        layer.place = node.place
        let entries = entries(of: node, section.names, section.hints, in: section.what)
        for entry in entries {
            guard let key = section.keys.first(where: { $0.name == entry.key }) else { continue }
            read(entry, as: key, of: section, into: &layer)
        }
        return layer
    }

    mutating func read<Model>(
        _ entry: Node.Entry,
        as key: SectionKey<Model>,
        of section: ProfileSection<Model>,
        into layer: inout SectionLayer<Model>
    ) {
        if layer.sets(key) {
            let names = section.keys.filter { $0.slot == key.slot }.map { "'\($0.name)'" }
            report("\(names.listed("and")) are mutually exclusive", at: entry.keyPlace)
        }
        layer.set(key, key.read(entry.value, &self))
    }
}
