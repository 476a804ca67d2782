/// Reads numbers of a datagram; nil where it is too short.
struct ByteReader {
    private let bytes: [UInt8]
    private(set) var position: Int

    init(_ bytes: [UInt8], at position: Int) {
        self.bytes = bytes
        self.position = position
    }

    var isAtEnd: Bool { position >= bytes.count }

    mutating func integer(bytes count: Int) -> UInt64? {
        guard position + count <= bytes.count else { return nil }
        defer { position += count }
        return bytes[position..<position + count].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A length in one byte, then that many bytes.
    mutating func counted() -> ArraySlice<UInt8>? {
        guard let length = integer(bytes: 1).map({ Int($0) }), position + length <= bytes.count
        else {
            return nil
        }
        defer { position += length }
        return bytes[position..<position + length]
    }

    /// A number whose first two bits say how many bytes it has (RFC 9000 §16).
    mutating func variable() -> UInt64? {
        guard position < bytes.count else { return nil }
        let count = 1 << Int(bytes[position] >> 6)
        return integer(bytes: count).map { $0 & (UInt64.max >> (66 - UInt64(count) * 8)) }
    }

    mutating func skip(_ count: UInt64) -> Bool {
        guard count <= UInt64(bytes.count - position) else { return false }
        position += Int(count)
        return true
    }

    mutating func skipRest() { position = bytes.count }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, count <= bytes.count - position else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }
}
