internal import COpenSSL

/// What a client says in an extension of its first message (RFC 8446 §4.2).
enum HelloExtension {
    /// The content of an extension; empty for one that is not there.
    ///
    /// Only to be called while the message is being looked at.
    static func bytes(of session: OpaquePointer?, _ kind: CInt) -> [UInt8] {
        var start: UnsafePointer<UInt8>?
        var count = 0
        let isThere = unsafe SSL_client_hello_get0_ext(session, CUnsignedInt(kind), &start, &count)
        guard isThere == 1, let start = unsafe start else { return [] }
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// The first host name of a list of names (RFC 6066 §3); nil if there is none.
    static func hostName(_ bytes: [UInt8]) -> String? {
        let hostName: UInt8 = 0
        guard bytes.count > 5, bytes[2] == hostName else { return nil }
        let length = Int(bytes[3]) << 8 | Int(bytes[4])
        let name = bytes.dropFirst(5).prefix(length)
        guard name.count == length, length > 0, !name.contains(0) else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    /// A list of protocols (RFC 7301 §3.1), as far as it is one.
    static func protocols(_ bytes: [UInt8]) -> [String] {
        var names: [String] = []
        var rest = bytes.dropFirst(2)
        while let length = rest.popFirst(), rest.count >= Int(length) {
            names.append(String(decoding: rest.prefix(Int(length)), as: UTF8.self))
            rest = rest.dropFirst(Int(length))
        }
        return names
    }
}
