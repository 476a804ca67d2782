/// What opening an Initial packet needs of a library of cryptography.
package protocol QUICCryptography {
    /// The HMAC with SHA-256 (RFC 2104), 32 bytes.
    func authenticationCode(of data: [UInt8], key: [UInt8]) -> [UInt8]
    /// One block of 16 bytes under AES-128.
    func encryptBlock(_ block: [UInt8], key: [UInt8]) -> [UInt8]
    /// What AES-128-GCM sealed, its tag of 16 bytes at the end; nil if the tag is wrong.
    func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8], header: [UInt8]) -> [UInt8]?
}

/// The keys of a client's Initial packets, which anyone on the path can derive (RFC 9001 §5.2,
/// RFC 9369 §3.3).
package struct QUICInitialKeys: Hashable, Sendable {
    package let key: [UInt8]
    package let nonce: [UInt8]
    /// Of header protection.
    package let mask: [UInt8]

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
        let isSecond = version == QUICVersion.two
        let initial = cryptography.authenticationCode(
            of: Array(destination),
            key: isSecond ? Self.saltOfSecond : Self.saltOfFirst
        )
        func expand(_ secret: [UInt8], _ label: String, _ count: Int) -> [UInt8] {
            // HKDF-Expand-Label of RFC 8446 §7.1; one block of SHA-256 is enough for each.
            let name = Array("tls13 \(label)".utf8)
            let info = [0, UInt8(count), UInt8(name.count)] + name + [0, 1]
            return Array(cryptography.authenticationCode(of: info, key: secret).prefix(count))
        }
        let client = expand(initial, "client in", 32)
        let prefix = isSecond ? "quicv2" : "quic"
        key = expand(client, "\(prefix) key", 16)
        nonce = expand(client, "\(prefix) iv", 12)
        mask = expand(client, "\(prefix) hp", 16)
    }

    private static let saltOfFirst: [UInt8] = [
        0x38, 0x76, 0x2c, 0xf7, 0xf5, 0x59, 0x34, 0xb3, 0x4d, 0x17, 0x9a, 0xe6, 0xa4, 0xc8, 0x0c,
        0xad, 0xcc, 0xbb, 0x7f, 0x0a,
    ]
    private static let saltOfSecond: [UInt8] = [
        0x0d, 0xed, 0xe3, 0xde, 0xf7, 0x00, 0xa6, 0xdb, 0x81, 0x93, 0x81, 0xbe, 0x6e, 0x26, 0x9d,
        0xcb, 0xf9, 0xbd, 0x2e, 0xd9,
    ]

    /// Takes the protection off an Initial packet (RFC 9001 §5.3, §5.4).
    ///
    /// - Parameters:
    ///   - packet: an Initial of the client.
    ///   - datagram: that holds it.
    ///   - cryptography: a library.
    /// - Returns: its frames; nil if it is not what it seems.
    package func frames(
        of packet: QUICPacket,
        in datagram: [UInt8],
        with cryptography: some QUICCryptography
    ) -> [UInt8]? {
        guard let start = packet.numberStart, start + 20 <= packet.range.upperBound else {
            return nil
        }
        let mask = cryptography.encryptBlock(Array(datagram[start + 4..<start + 20]), key: mask)
        guard mask.count == 16 else { return nil }
        var header = Array(datagram[packet.range.lowerBound..<start])
        header[0] ^= mask[0] & 0x0F
        let length = Int(header[0] & 3) + 1
        let number = zip(datagram[start..<start + length], mask.dropFirst()).map { $0 ^ $1 }
        header += number
        var nonce = nonce
        for (place, byte) in number.reversed().enumerated() { nonce[11 - place] ^= byte }
        return cryptography.open(
            Array(datagram[start + length..<packet.range.upperBound]),
            key: key,
            nonce: nonce,
            header: header
        )
    }
}
