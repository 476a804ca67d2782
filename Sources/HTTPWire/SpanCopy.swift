extension [UInt8] {
    /// Appends the bytes of a span in one copy: byte by byte it takes half the time of a whole relay.
    package mutating func append(copying bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
