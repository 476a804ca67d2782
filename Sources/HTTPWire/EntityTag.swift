/// An opaque name for one state of a representation (RFC 9110 §8.8.3).
package struct EntityTag: Hashable, Sendable {
    /// Whether equal tags mean only equivalent content, not equal bytes.
    package let isWeak: Bool
    /// What stands between the quotes.
    package let opaque: String

    /// A tag of our own making.
    ///
    /// - Parameters:
    ///   - opaque: visible characters other than quotes, or bytes from 0x80; anything else is a mistake
    ///     of the program.
    ///   - isWeak: whether it is a weak one.
    package init(_ opaque: String, isWeak: Bool = false) {
        precondition(opaque.scalarBytes.allSatisfy(\.isEntityTagCharacter), "not an entity tag")
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// Reads a whole field value, such as `"abc"` or `W/"abc"`; nil if it is not an entity tag.
    package init?(parsing text: String) {
        var scanner = FieldScanner(text)
        guard let tag = EntityTag(&scanner), scanner.isAtEnd else { return nil }
        self = tag
    }

    fileprivate init?(_ scanner: inout FieldScanner) {
        isWeak = scanner.skip(word: "W/")
        guard scanner.skip("\"") else { return nil }
        opaque = String(scalars: scanner.take(while: \.isEntityTagCharacter))
        guard scanner.skip("\"") else { return nil }
    }

    package var text: String { "\(isWeak ? "W/" : "")\"\(opaque)\"" }

    /// Whether both are strong and equal: the bytes are the same.
    package func matchesStrongly(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }

    /// Whether both are equal, weak or not: the content is equivalent.
    package func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }
}

/// What `If-Match` and `If-None-Match` name (RFC 9110 §13.1.1, §13.1.2).
package enum EntityTagSet: Hashable, Sendable {
    /// `*`: any state of a representation, as long as there is one.
    case any
    /// At least one tag.
    case tags([EntityTag])

    /// Reads a whole field value; nil if it is neither `*` nor a list of tags.
    package init?(_ text: String) {
        var scanner = FieldScanner(text)
        if scanner.skip("*") {
            guard scanner.isAtEnd else { return nil }
            self = .any
            return
        }
        var tags: [EntityTag] = []
        // Empty members are to be passed over (RFC 9110 §5.6.1.2).
        repeat {
            scanner.skipBlanks()
            if scanner.isAtEnd || scanner.next == UInt8(ascii: ",") { continue }
            guard let tag = EntityTag(&scanner) else { return nil }
            tags.append(tag)
            scanner.skipBlanks()
        } while scanner.skip(",")
        guard scanner.isAtEnd, !tags.isEmpty else { return nil }
        self = .tags(tags)
    }
}

extension UInt8 {
    fileprivate var isEntityTagCharacter: Bool {
        self == 0x21 || (0x23...0x7E).contains(self) || self >= 0x80
    }
}
