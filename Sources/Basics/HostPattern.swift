/// A host with or without a port; `*` in it stands for any characters.
package struct HostPattern: Hashable, Sendable {
    /// In small letters; an IPv6 address without brackets.
    package let host: String
    /// Nil for any port.
    package let port: UInt16?

    /// Reads `HOST`, `HOST:PORT`, `[IPv6]` or `[IPv6]:PORT`; nil for anything else.
    package init?(_ text: String) {
        guard let (host, port) = Self.split(text), !host.isEmpty,
            host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"/;,=()#?@".utf8.contains($0) })
        else { return nil }
        self.host = host.lowercased()
        guard let port else {
            self.port = nil
            return
        }
        guard let number = UInt16(port), number > 0 else { return nil }
        self.port = number
    }

    private static func split(_ text: String) -> (host: Substring, port: Substring?)? {
        guard text.hasPrefix("[") else {
            guard let colon = text.lastIndex(of: ":") else { return (text[...], nil) }
            guard text.firstIndex(of: ":") == colon else { return nil }
            return (text[..<colon], text[text.index(after: colon)...])
        }
        guard let end = text.firstIndex(of: "]") else { return nil }
        let host = text[text.index(after: text.startIndex)..<end]
        let rest = text[text.index(after: end)...]
        guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
        return (host, rest.isEmpty ? nil : rest.dropFirst())
    }

    package var isEverything: Bool { host == "*" }

    /// - Parameters:
    ///   - host: a name, in any case, or an address without brackets.
    ///   - port: nil if it is not known; then only a pattern without a port fits.
    /// - Returns: whether this is one of the hosts that are meant.
    package func matches(host: String, port: UInt16?) -> Bool {
        guard self.port == nil || self.port == port else { return false }
        return Self.matches(Array(self.host.utf8), Array(host.lowercased().utf8))
    }

    /// The same for what a Host field has.
    package func matches(authority: String) -> Bool {
        guard let (host, port) = Self.split(authority) else {
            return matches(host: authority, port: nil)
        }
        return matches(host: String(host), port: port.flatMap { UInt16($0) })
    }

    private static func matches(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
        var (token, place) = (0, 0)
        // Where the latest `*` stands, and how far it reached: on a mismatch it takes one more.
        var star: (token: Int, place: Int)?
        while place < text.count {
            if token < pattern.count, pattern[token] == UInt8(ascii: "*") {
                star = (token, place)
                token += 1
            } else if token < pattern.count, pattern[token] == text[place] {
                (token, place) = (token + 1, place + 1)
            } else if let (at, reached) = star {
                star = (at, reached + 1)
                (token, place) = (at + 1, reached + 1)
            } else {
                return false
            }
        }
        return pattern[token...].allSatisfy { $0 == UInt8(ascii: "*") }
    }

    /// The one way to write it.
    package var canonicalText: String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return name + (port.map { ":\($0)" } ?? "")
    }
}
