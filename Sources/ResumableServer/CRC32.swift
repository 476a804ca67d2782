/// The check value of gzip (RFC 1952 §8; ISO 3309).
package struct CRC32: Hashable, Sendable {
    /// Bits are taken lowest first, so this is the polynomial with its bits reversed.
    private static let polynomial: UInt32 = 0xEDB8_8320
    private static let table = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in
            value & 1 == 1 ? value >> 1 ^ polynomial : value >> 1
        }
    }

    private var state = UInt32.max

    package init() {}

    package mutating func update(_ bytes: Span<UInt8>) {
        var state = state
        let table = Self.table
        for index in bytes.indices {
            state = state >> 8 ^ table[Int(UInt8(truncatingIfNeeded: state) ^ bytes[index])]
        }
        self.state = state
    }

    /// Of all bytes so far.
    package var value: UInt32 { ~state }
}
