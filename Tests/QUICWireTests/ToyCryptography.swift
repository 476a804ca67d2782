import QUICWire

/// Hides nothing, but notices when a key, a nonce, a header or a byte is wrong.
struct ToyCryptography: QUICCryptography {
    private func mixed(_ parts: [UInt8]..., count: Int) -> [UInt8] {
        var state: UInt64 = 0xCBF2_9CE4_8422_2325
        for part in parts {
            for byte in part + [UInt8(truncatingIfNeeded: part.count)] {
                state = (state ^ UInt64(byte)) &* 0x100_0000_01B3
            }
        }
        return (0..<count).map { place in
            state = (state ^ UInt64(place)) &* 0x100_0000_01B3
            return UInt8(truncatingIfNeeded: state >> 32)
        }
    }

    func authenticationCode(of data: [UInt8], key: [UInt8], _ hash: QUICHash) -> [UInt8] {
        mixed(data, key, count: hash == .sha256 ? 32 : 48)
    }

    func mask(of sample: [UInt8], key: [UInt8], _ cipher: QUICCipher) -> [UInt8] {
        mixed(sample, key, ["\(cipher)".utf8.count].map { UInt8($0) }, count: 5)
    }

    private func tag(
        _ content: [UInt8],
        _ key: [UInt8],
        _ nonce: [UInt8],
        _ header: [UInt8],
        _ cipher: QUICCipher
    ) -> [UInt8] {
        mixed(content, key, nonce, header, Array("\(cipher)".utf8), count: 16)
    }

    func open(
        _ sealed: [UInt8],
        key: [UInt8],
        nonce: [UInt8],
        header: [UInt8],
        _ cipher: QUICCipher
    ) -> [UInt8]? {
        guard sealed.count >= 16 else { return nil }
        let content = Array(sealed.dropLast(16))
        return sealed.suffix(16).elementsEqual(tag(content, key, nonce, header, cipher))
            ? content : nil
    }

    /// A packet as its sender would protect it.
    func seal(
        _ content: [UInt8],
        number: UInt64,
        numberLength: Int = 2,
        header: [UInt8],
        _ keys: QUICPacketKeys,
        _ cipher: QUICCipher
    ) -> [UInt8] {
        var nonce = keys.nonce
        for place in 0..<8 { nonce[11 - place] ^= UInt8(truncatingIfNeeded: number >> (8 * place)) }
        var open = header
        open[0] = open[0] & ~3 | UInt8(numberLength - 1)
        let shifts = (0..<numberLength).reversed().map { 8 * $0 }
        open += shifts.map { UInt8(truncatingIfNeeded: number >> $0) }
        let sealed = content + tag(content, keys.key, nonce, open, cipher)
        var packet = open + sealed
        let sample = Array(packet[header.count + 4..<header.count + 20])
        let mask = mask(of: sample, key: keys.mask, cipher)
        packet[0] ^= mask[0] & (packet[0] & 0x80 != 0 ? 0x0F : 0x1F)
        for place in 0..<numberLength { packet[header.count + place] ^= mask[1 + place] }
        return packet
    }
}
