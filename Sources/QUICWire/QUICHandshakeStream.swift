/// The messages of TLS that CRYPTO frames carry (RFC 9000 §7), up to the first gap.
struct QUICHandshakeStream: Hashable, Sendable {
    /// What the frames held, by offset; what is missing is nil.
    private var bytes: [UInt8?] = []

    /// A ClientHello has some 300 to 2,000 bytes; EncryptedExtensions come before all else.
    private static let limit = 16_384

    mutating func take(_ frames: [QUICFrame]) {
        for case .crypto(let offset, let content) in frames where offset <= UInt64(Self.limit) {
            keep(content, at: Int(offset))
        }
    }

    private mutating func keep(_ content: ArraySlice<UInt8>, at offset: Int) {
        let end = min(offset + content.count, Self.limit)
        guard offset < end else { return }
        if bytes.count < end { bytes += [UInt8?](repeating: nil, count: end - bytes.count) }
        for (place, byte) in zip(offset..<end, content) { bytes[place] = byte }
    }

    /// The body of the first message if it is of a type; nil as long as a part is missing.
    func first(ofType type: UInt8) -> [UInt8]? {
        let head = bytes.prefix(4).compactMap { $0 }
        guard head.count == 4, head[0] == type else { return nil }
        let length = head[1...].reduce(0) { $0 << 8 | Int($1) }
        let body = bytes.dropFirst(4).prefix(length)
        let known = body.compactMap { $0 }
        return body.count == length && known.count == length ? known : nil
    }
}

/// The extensions of a message of TLS (RFC 8446 §4.2).
struct QUICExtensions {
    private var reader: ByteReader

    /// - Parameter reader: before the length of the extensions.
    init?(_ reader: ByteReader) {
        var reader = reader
        guard let total = reader.integer(bytes: 2), let all = reader.take(Int(total)) else {
            return nil
        }
        self.reader = ByteReader(Array(all), at: 0)
    }

    mutating func next() -> (type: UInt64, content: [UInt8])? {
        guard let type = reader.integer(bytes: 2), let length = reader.integer(bytes: 2),
            let content = reader.take(Int(length))
        else { return nil }
        return (type, Array(content))
    }

    /// Of the extension `quic_transport_parameters` (RFC 9001 §8.2).
    static let transportParameters: UInt64 = 57

    /// The idle time that a side announces in its transport parameters (RFC 9000 §18.2).
    ///
    /// - Returns: nil if it announces none, so that it would never end a connection.
    static func idleMilliseconds(_ parameters: [UInt8]) -> UInt64? {
        var reader = ByteReader(parameters, at: 0)
        while let id = reader.variable(), let length = reader.variable(),
            let value = Int(exactly: length).flatMap({ reader.take($0) })
        {
            guard id == 1 else { continue }
            var number = ByteReader(Array(value), at: 0)
            return number.variable().flatMap { $0 > 0 ? $0 : nil }
        }
        return nil
    }
}
