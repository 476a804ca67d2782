/// The keys by which one side protects its packets of one type (RFC 9001 §5.1).
package struct QUICPacketKeys: Hashable, Sendable {
    package let key: [UInt8]
    package let nonce: [UInt8]
    /// Of header protection.
    package let mask: [UInt8]
    private let secret: [UInt8]
    private let cipher: QUICCipher
    private let version: UInt32

    /// Derives them.
    ///
    /// - Parameters:
    ///   - secret: as long as the cipher's hash.
    ///   - cipher: of the connection.
    ///   - version: 1 or 2.
    ///   - cryptography: a library.
    package init(
        secret: [UInt8],
        cipher: QUICCipher,
        version: UInt32,
        with cryptography: some QUICCryptography
    ) {
        let label = Self.prefix(version)
        self.init(
            secret: secret,
            cipher: cipher,
            version: version,
            mask: cryptography.expand(secret, "\(label) hp", cipher.keyLength, cipher.hash),
            with: cryptography
        )
    }

    private init(
        secret: [UInt8],
        cipher: QUICCipher,
        version: UInt32,
        mask: [UInt8],
        with cryptography: some QUICCryptography
    ) {
        let label = Self.prefix(version)
        self.secret = secret
        self.cipher = cipher
        self.version = version
        self.mask = mask
        key = cryptography.expand(secret, "\(label) key", cipher.keyLength, cipher.hash)
        nonce = cryptography.expand(secret, "\(label) iv", 12, cipher.hash)
    }

    /// Those after the next key update, which leaves header protection alone (RFC 9001 §6.1).
    package func next(with cryptography: some QUICCryptography) -> Self {
        let label = "\(Self.prefix(version)) ku"
        return Self(
            secret: cryptography.expand(secret, label, cipher.hash.length, cipher.hash),
            cipher: cipher,
            version: version,
            mask: mask,
            with: cryptography
        )
    }

    /// Version 2 has other labels (RFC 9369 §3.3.1).
    private static func prefix(_ version: UInt32) -> String {
        version == QUICVersion.two ? "quicv2" : "quic"
    }

    /// Takes the protection off a packet's header (RFC 9001 §5.4).
    ///
    /// - Parameters:
    ///   - packet: all of its bytes.
    ///   - start: where its packet number stands.
    ///   - cryptography: a library.
    /// - Returns: nil if it is too short.
    package func header(
        of packet: [UInt8],
        numberAt start: Int,
        with cryptography: some QUICCryptography
    ) -> QUICOpenHeader? {
        guard start > 0, start + 20 <= packet.count else { return nil }
        let sample = Array(packet[start + 4..<start + 20])
        let mask = cryptography.mask(of: sample, key: mask, cipher)
        guard mask.count >= 5 else { return nil }
        var bytes = Array(packet[..<start])
        bytes[0] ^= mask[0] & (bytes[0] & 0x80 != 0 ? 0x0F : 0x1F)
        let length = Int(bytes[0] & 3) + 1
        bytes += zip(packet[start..<start + length], mask[1...]).map { $0 ^ $1 }
        return QUICOpenHeader(bytes: bytes, numberLength: length)
    }

    /// Opens a packet's content (RFC 9001 §5.3).
    ///
    /// - Parameters:
    ///   - packet: all of its bytes.
    ///   - header: the same packet's.
    ///   - number: its whole number.
    ///   - cryptography: a library.
    /// - Returns: its frames; nil if it is not what it seems.
    package func frames(
        of packet: [UInt8],
        _ header: QUICOpenHeader,
        number: UInt64,
        with cryptography: some QUICCryptography
    ) -> [UInt8]? {
        var nonce = nonce
        for place in 0..<8 { nonce[11 - place] ^= UInt8(truncatingIfNeeded: number >> (8 * place)) }
        return cryptography.open(
            Array(packet[header.bytes.count...]),
            key: key,
            nonce: nonce,
            header: header.bytes,
            cipher
        )
    }
}

/// A header without its protection, up to the end of the packet number.
package struct QUICOpenHeader: Hashable, Sendable {
    package let bytes: [UInt8]
    let numberLength: Int

    /// Of a short header: which of two generations of keys it was protected by (RFC 9001 §6).
    var keyPhase: Bool { bytes[0] & 4 != 0 }

    /// The packet number, of which the header has the last bytes (RFC 9000 §A.3).
    ///
    /// - Parameter largest: of those that came before; nil for none.
    /// - Returns: the one that is nearest to the next number.
    package func number(after largest: UInt64?) -> UInt64 {
        let short = bytes.suffix(numberLength).reduce(0) { $0 << 8 | UInt64($1) }
        let window: UInt64 = 1 << UInt64(8 * numberLength)
        let expected = largest.map { $0 + 1 } ?? 0
        let candidate = expected & ~(window - 1) | short
        if candidate + window / 2 <= expected, candidate < (1 << 62) - window {
            return candidate + window
        }
        return candidate > expected + window / 2 && candidate >= window
            ? candidate - window : candidate
    }
}

extension QUICCryptography {
    /// HKDF-Expand-Label of RFC 8446 §7.1 with an empty context, up to one block of the hash.
    func expand(_ secret: [UInt8], _ label: String, _ count: Int, _ hash: QUICHash) -> [UInt8] {
        let name = Array("tls13 \(label)".utf8)
        let info = [0, UInt8(count), UInt8(name.count)] + name + [0, 1]
        return Array(authenticationCode(of: info, key: secret, hash).prefix(count))
    }
}
