/// A pattern for paths: `*` stands for any bytes, `/` among them, and `?` for one byte.
///
/// Both sides are compared as the bytes that percent-encoding stands for, so `/a%20b` and `/a b`
/// are one path; a literal `*` or `?` is written `%2A` or `%3F`.
package struct PathGlob: Hashable, Sendable {
    private enum Token: Hashable {
        case byte(UInt8)
        case one
        case any
    }

    private let tokens: [Token]

    private init(tokens: [Token]) { self.tokens = tokens }

    /// `*`: every path.
    package static let every = PathGlob(tokens: [.any])

    /// Reads a pattern; nil if it is empty, or a percent sign is not followed by two digits.
    package init?(_ text: String) {
        var tokens: [Token] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "*"):
                if tokens.last != .any { tokens.append(.any) }
            case UInt8(ascii: "?"): tokens.append(.one)
            case UInt8(ascii: "%"):
                guard let byte = rest.popEscape() else { return nil }
                tokens.append(.byte(byte))
            default: tokens.append(.byte(byte))
            }
        }
        guard !tokens.isEmpty else { return nil }
        self.tokens = tokens
    }

    /// Whether the path of a request target fits; a query is no part of it.
    ///
    /// - Parameter target: origin form, absolute form or `*` (RFC 9112 §3.2).
    /// - Returns: true if all of the path fits.
    package func matches(target: String) -> Bool { matches(path: Self.path(of: target)) }

    /// Whether a path below some folder fits.
    package func matches(name: String) -> Bool { matches(path: Array(name.utf8)) }

    private func matches(path: [UInt8]) -> Bool {
        var token = 0
        var place = 0
        // Where the latest `*` stands, and how far it reached: on a mismatch it takes one more.
        var star: (token: Int, place: Int)?
        while place < path.count {
            if token < tokens.count, tokens[token] == .any {
                star = (token, place)
                token += 1
            } else if token < tokens.count, fits(tokens[token], path[place]) {
                token += 1
                place += 1
            } else if let (at, reached) = star {
                star = (at, reached + 1)
                token = at + 1
                place = reached + 1
            } else {
                return false
            }
        }
        return tokens[token...].allSatisfy { $0 == .any }
    }

    private func fits(_ token: Token, _ byte: UInt8) -> Bool {
        switch token {
        case .byte(let wanted): wanted == byte
        case .one, .any: true
        }
    }

    /// The one way to write this pattern.
    package var canonicalText: String {
        tokens.map { token in
            switch token {
            case .any: "*"
            case .one: "?"
            case .byte(let byte): TextEscape.encode([byte])
            }
        }.joined()
    }

    /// The bytes of the path of a request target.
    private static func path(of target: String) -> [UInt8] {
        var bytes = Array(target.utf8)[...]
        let scheme = bytes.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "/") }
        if bytes.dropFirst(scheme.count).starts(with: "://".utf8) {
            let authority = bytes.dropFirst(scheme.count + 3)
            bytes = authority.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
            if bytes.first != UInt8(ascii: "/") { bytes = [UInt8(ascii: "/")] }
        }
        return TextEscape.decodeLeniently(bytes.prefix { $0 != UInt8(ascii: "?") })
    }
}

/// Percent-encoding as it stands in the text of faults.
enum TextEscape {
    /// What stands in a path or value as it is.
    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }

    static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in bytes {
            if isPlain(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                text += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return text
    }

    /// Nil if a percent sign is not followed by two digits.
    static func decode(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let byte = rest.popEscape() else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// Leaves a percent sign that begins no escape as it is.
    fileprivate static func decodeLeniently(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let escaped = rest.popEscape() {
                decoded.append(escaped)
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }
}

extension ArraySlice<UInt8> {
    /// Takes two hexadecimal digits; nil, and nothing is taken, if they do not follow.
    fileprivate mutating func popEscape() -> UInt8? {
        guard count >= 2, let high = Self.digit(self[startIndex]),
            let low = Self.digit(self[startIndex + 1])
        else { return nil }
        removeFirst(2)
        return high << 4 | low
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
