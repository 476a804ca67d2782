/// The opening handshake of a WebSocket, as its server takes it (RFC 6455 §4.2).
package struct WebSocketHandshake: Hashable, Sendable {
    /// Why a request opens no WebSocket.
    package enum Problem: Error, Hashable, Sendable {
        /// It asks for something else, or for another version.
        case upgradeRequired
        /// It asks for one in a way that no client may.
        case badRequest(String)

        package var status: Int {
            switch self {
            case .upgradeRequired: 426
            case .badRequest: 400
            }
        }
    }

    private static let version = "13"
    private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    private let key: String

    package init(_ request: RequestHead) throws(Problem) {
        guard request.version == .http11, request.asksForWebSocket else { throw .upgradeRequired }
        guard request.fields.list("Connection", hasToken: "upgrade") else {
            throw .badRequest("Connection does not name Upgrade.")
        }
        guard request.fields.list("Sec-WebSocket-Version", hasToken: Self.version) else {
            throw .upgradeRequired
        }
        guard let key = request.fields["Sec-WebSocket-Key"], Base64.decode(key)?.count == 16 else {
            throw .badRequest("Sec-WebSocket-Key is not 16 bytes in base64.")
        }
        self.key = key
    }

    /// What a refusal says of the way in.
    package static let invitation: HeaderFields = [
        "Upgrade": "websocket", "Sec-WebSocket-Version": version,
    ]

    /// The answer that opens the WebSocket.
    ///
    /// - Parameter sha1: makes the digest of bytes.
    /// - Returns: without extensions or a subprotocol.
    package func answer(sha1: ([UInt8]) -> [UInt8]) -> ResponseHead {
        ResponseHead(
            101,
            fields: [
                "Upgrade": "websocket", "Connection": "Upgrade",
                "Sec-WebSocket-Accept": Self.accept(of: key, sha1: sha1),
            ]
        )
    }

    /// What the answer to a key says.
    package static func accept(of key: String, sha1: ([UInt8]) -> [UInt8]) -> String {
        Base64.encode(sha1(Array((key + suffix).utf8)))
    }
}
