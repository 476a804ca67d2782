package import Journal

/// The name of a connection in paths and documents: `c3`, and `l2c3` of the second listener; `u3` for a
/// flow of datagrams.
package enum ConnectionName {
    package static func text(_ id: ConnectionID) -> String {
        (id.listener == 1 ? "" : "l\(id.listener)") + (id.isFlow ? "u" : "c")
            + "\(id.ordinal)"
    }

    /// Reads a name; nil if it is none.
    package static func parse(_ text: String) -> ConnectionID? {
        var rest = text[...]
        var listener: UInt32 = 1
        if rest.first == "l" {
            guard let end = rest.firstIndex(where: { $0 == "c" || $0 == "u" }),
                let number = number(rest[..<end].dropFirst())
            else {
                return nil
            }
            listener = number
            rest = rest[end...]
        }
        guard let kind = rest.first, kind == "c" || kind == "u",
            let ordinal = number(rest.dropFirst())
        else {
            return nil
        }
        return ConnectionID(listener: listener, ordinal: ordinal, isFlow: kind == "u")
    }

    private static func number(_ digits: Substring) -> UInt32? {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt32(digits), number > 0
        else {
            return nil
        }
        return number
    }
}
