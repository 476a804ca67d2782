extension TransferBuffer {
    /// Copies `bytes` to the place `offset`.
    package func store(_ bytes: [UInt8], at offset: Int) {
        precondition(offset >= 0 && offset + bytes.count <= capacity)
        unsafe bytes.withUnsafeBytes { source in
            guard let base = source.baseAddress else { return }
            unsafe (start + offset).copyMemory(from: base, byteCount: source.count)
        }
    }

    /// Moves the bytes of `range` so that they begin at `offset`; the places may overlap.
    package func move(_ range: Range<Int>, to offset: Int) {
        precondition(range.lowerBound >= 0 && range.upperBound <= capacity)
        precondition(offset >= 0 && offset + range.count <= capacity)
        unsafe (start + offset).copyMemory(
            from: start + range.lowerBound,
            byteCount: range.count
        )
    }

    /// Lends `range` for reading.
    package func withBytes<Value: ~Copyable, Failure: Error>(
        _ range: Range<Int>,
        _ body: (Span<UInt8>) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        precondition(range.lowerBound >= 0 && range.upperBound <= capacity)
        let bytes = unsafe UnsafeRawBufferPointer(
            start: start + range.lowerBound,
            count: range.count
        ).assumingMemoryBound(to: UInt8.self)
        return try unsafe body(bytes.span)
    }

    /// Lends `range` for writing.
    package func withMutableBytes<Value: ~Copyable, Failure: Error>(
        _ range: Range<Int>,
        _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        precondition(range.lowerBound >= 0 && range.upperBound <= capacity)
        let bytes = unsafe UnsafeMutableRawBufferPointer(
            start: start + range.lowerBound,
            count: range.count
        ).assumingMemoryBound(to: UInt8.self)
        var span = unsafe bytes.mutableSpan
        return try body(&span)
    }
}
