/// Keys with values in the order in which the keys first came (RFC 9651 §3.1.2, §3.2).
///
/// A key given again takes the new value and keeps its place.
package struct StructuredMap<Value: Hashable & Sendable>: Sendable {
    package struct Entry: Hashable, Sendable {
        package let key: String
        package fileprivate(set) var value: Value
    }

    package private(set) var entries: [Entry] = []
    /// Where each key stands, so that a hostile field with thousands of keys costs no more than its
    /// length.
    private var places: [String: Int] = [:]

    package init() {}

    package var isEmpty: Bool { entries.isEmpty }

    /// The value under `key`; setting nil removes it.
    package subscript(key: String) -> Value? {
        get { places[key].map { entries[$0].value } }
        set {
            if let place = places[key] {
                if let newValue { entries[place].value = newValue } else { remove(at: place) }
            } else if let newValue {
                places[key] = entries.count
                entries.append(Entry(key: key, value: newValue))
            }
        }
    }

    private mutating func remove(at place: Int) {
        places[entries.remove(at: place).key] = nil
        for later in place..<entries.count { places[entries[later].key] = later }
    }
}

extension StructuredMap: Hashable {
    package static func == (one: Self, other: Self) -> Bool { one.entries == other.entries }

    package func hash(into hasher: inout Hasher) { hasher.combine(entries) }
}

extension StructuredMap: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, Value)...) {
        for (key, value) in elements { self[key] = value }
    }
}
