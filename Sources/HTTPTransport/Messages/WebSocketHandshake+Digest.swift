package import HTTPWire
internal import SystemIO

extension WebSocketHandshake {
    /// The answer that opens the WebSocket, without extensions or a subprotocol.
    package var answer: ResponseHead { answer(sha1: Self.sha1) }

    /// What the answer to a key says.
    package static func accept(of key: String) -> String { accept(of: key, sha1: sha1) }

    private static func sha1(_ bytes: [UInt8]) -> [UInt8] {
        let digest = Digest(.sha1)
        digest.update(bytes)
        return digest.value
    }
}
