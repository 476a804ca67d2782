/// The header or trailer fields of a message, in the order in which they stand there.
///
/// Names compare without regard to case (RFC 9110 §5.1). A value is bytes, each held as the Unicode
/// scalar of the same number (0 to 255), so that whatever came in goes out unchanged.
package struct HeaderFields: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        package let name: String
        /// Without white space around it.
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }

        /// Whether this is its name, case aside.
        func has(_ other: String) -> Bool {
            guard name.utf8.count == other.utf8.count else { return false }
            return name == other
                || zip(name.utf8, other.utf8).allSatisfy {
                    HeaderFields.lower($0) == HeaderFields.lower($1)
                }
        }
    }

    package private(set) var fields: [Field]

    package init(_ fields: [Field] = []) { self.fields = fields }

    package var isEmpty: Bool { fields.isEmpty }

    /// The first value under `name`; nil if there is none.
    ///
    /// Setting replaces all values by one.
    package subscript(name: String) -> String? {
        get { fields.first { $0.has(name) }?.value }
        set {
            remove(name)
            if let newValue { add(name, newValue) }
        }
    }

    /// All values under `name`.
    package func values(_ name: String) -> [String] {
        fields.filter { $0.has(name) }.map(\.value)
    }

    /// All values under `name` as one list (RFC 9110 §5.3); nil if there is none.
    package func combined(_ name: String) -> String? {
        let values = values(name)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    package func contains(_ name: String) -> Bool { fields.contains { $0.has(name) } }

    package mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name, value))
    }

    package mutating func remove(_ name: String) {
        fields.removeAll { $0.has(name) }
    }

    /// The same with another value under `name` wherever it stands, or at the end if it is nowhere.
    package func replacing(_ name: String, by value: String) -> HeaderFields {
        guard contains(name) else { return HeaderFields(fields + [Field(name, value)]) }
        return HeaderFields(fields.map { $0.has(name) ? Field($0.name, value) : $0 })
    }

    /// Whether a comma-separated list under `name` has `token`, case aside, as in `Connection: close`.
    package func list(_ name: String, hasToken token: String) -> Bool {
        let wanted = Field(token, "")
        return fields.contains { field in
            guard field.has(name) else { return false }
            return wanted.has(field.value)
                || field.value.split(separator: ",").contains { item in
                    wanted.has(
                        String(
                            item.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
                        )
                    )
                }
        }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, String)...) {
        self.init(elements.map { Field($0.0, $0.1) })
    }
}
