/// The keys of a connection's Initial packets, which anyone on the path can derive (RFC 9001 §5.2,
/// RFC 9369 §3.3).
package struct QUICInitialKeys: Hashable, Sendable {
    package let client: QUICPacketKeys
    package let server: QUICPacketKeys

    /// Derives them.
    ///
    /// - Parameters:
    ///   - version: 1 or 2; drafts are taken for 1 and do not open.
    ///   - destination: the connection id that the client chose for its first packet.
    ///   - cryptography: a library.
    package init(
        version: UInt32,
        destination: some Collection<UInt8>,
        with cryptography: some QUICCryptography
    ) {
        let initial = cryptography.authenticationCode(
            of: Array(destination),
            key: version == QUICVersion.two ? Self.saltOfSecond : Self.saltOfFirst,
            .sha256
        )
        func keys(_ label: String) -> QUICPacketKeys {
            QUICPacketKeys(
                secret: cryptography.expand(initial, label, 32, .sha256),
                cipher: .aes128GCM,
                version: version,
                with: cryptography
            )
        }
        client = keys("client in")
        server = keys("server in")
    }

    private static let saltOfFirst: [UInt8] = [
        0x38, 0x76, 0x2c, 0xf7, 0xf5, 0x59, 0x34, 0xb3, 0x4d, 0x17, 0x9a, 0xe6, 0xa4, 0xc8, 0x0c,
        0xad, 0xcc, 0xbb, 0x7f, 0x0a,
    ]
    private static let saltOfSecond: [UInt8] = [
        0x0d, 0xed, 0xe3, 0xde, 0xf7, 0x00, 0xa6, 0xdb, 0x81, 0x93, 0x81, 0xbe, 0x6e, 0x26, 0x9d,
        0xcb, 0xf9, 0xbd, 0x2e, 0xd9,
    ]
}
