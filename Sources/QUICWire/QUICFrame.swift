/// A frame of a packet that was opened (RFC 9000 §19, RFC 9221 §4), with what of it is looked at.
package enum QUICFrame: Hashable, Sendable {
    case padding
    case ping
    /// The packet numbers of its first range.
    case ack(smallest: UInt64, largest: UInt64)
    case crypto(offset: UInt64, content: ArraySlice<UInt8>)
    case newConnectionID(length: Int)
    case pathChallenge(ArraySlice<UInt8>)
    case pathResponse(ArraySlice<UInt8>)
    case connectionClose(code: UInt64, isOfApplication: Bool)
    /// One of which nothing but the type counts.
    case plain(String)
    /// Of an extension; what follows cannot be read.
    case unknown(UInt64)
    /// What follows was not read: a frame is malformed, or there are too many.
    case cut

    /// Its type, by the name that the RFC has in lower case, and what is known of it after `=`.
    package var text: String {
        switch self {
        case .padding: "padding"
        case .ping: "ping"
        case .ack(let smallest, let largest):
            smallest == largest ? "ack=\(largest)" : "ack=\(smallest)-\(largest)"
        case .crypto: "crypto"
        case .newConnectionID: "new_connection_id"
        case .pathChallenge(let data): "path_challenge=\(Self.hexadecimal(data))"
        case .pathResponse(let data): "path_response=\(Self.hexadecimal(data))"
        case .connectionClose(let code, isOfApplication: false): "connection_close=\(code)"
        case .connectionClose(let code, isOfApplication: true): "application_close=\(code)"
        case .plain(let name): name
        case .unknown(let type): "unknown=\(type)"
        case .cut: "cut"
        }
    }

    private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
