/// A piece of YAML with its place.
///
/// What a scalar means is decided by the schema alone.
package struct Node: Hashable, Sendable {
    package indirect enum Value: Hashable, Sendable {
        case scalar(String)
        case sequence([Node])
        case mapping([Entry])
    }

    package struct Entry: Hashable, Sendable {
        package let key: String
        package let keyPlace: Place
        package let value: Node

        package init(key: String, keyPlace: Place, value: Node) {
            self.key = key
            self.keyPlace = keyPlace
            self.value = value
        }
    }

    package let value: Value
    package let place: Place

    package init(_ value: Value, at place: Place) {
        self.value = value
        self.place = place
    }

    /// The value of one key of a mapping.
    package subscript(key: String) -> Node? {
        guard case .mapping(let entries) = value else { return nil }
        return entries.first { $0.key == key }?.value
    }

    /// What stands here, for a message.
    package var description: String {
        switch value {
        case .scalar(""): "nothing"
        case .scalar(let text): "'\(text)'"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }

    /// The same tree with every scalar changed; keys stay as they are.
    package func mapScalars(_ change: (String, Place) -> String) -> Node {
        switch value {
        case .scalar(let text): return Node(.scalar(change(text, place)), at: place)
        case .sequence(let items):
            return Node(.sequence(items.map { $0.mapScalars(change) }), at: place)
        case .mapping(let entries):
            let changed = entries.map { entry in
                Entry(
                    key: entry.key,
                    keyPlace: entry.keyPlace,
                    value: entry.value.mapScalars(change)
                )
            }
            return Node(.mapping(changed), at: place)
        }
    }
}
