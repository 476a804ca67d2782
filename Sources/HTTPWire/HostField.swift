/// The field that says which host a request is for (RFC 9110 §7.2).
enum HostField {
    /// Holds that there is exactly one in HTTP/1.1 and at most one in HTTP/1.0, and that it is a host
    /// with or without a port (RFC 9112 §3.2).
    static func check(_ head: RequestHead) throws(MessageError) {
        var found: String?
        for field in head.fields.fields where field.has("Host") {
            guard found == nil else { throw .malformed("more than one Host") }
            found = field.value
        }
        guard let host = found else {
            guard head.version == .http10 else { throw .malformed("no Host") }
            return
        }
        // Not among them: what would begin a path, a query or user information.
        guard host.utf8.allSatisfy({ isHostCharacter($0) }) else {
            throw .malformed("a Host that is no host")
        }
    }

    private static func isHostCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"),
            UInt8(ascii: "%"), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"),
            UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"),
            UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
            true
        default: byte.isAlpha || byte.isDigit
        }
    }
}
