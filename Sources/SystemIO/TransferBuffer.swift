/// Memory through which bytes pass from one socket to another; one serves a whole loop.
@safe
package final class TransferBuffer {
    package let capacity: Int
    let start: UnsafeMutableRawPointer

    package init(capacity: Int) {
        precondition(capacity > 0)
        self.capacity = capacity
        unsafe start = .allocate(byteCount: capacity, alignment: 4_096)
    }

    deinit { unsafe start.deallocate() }

    /// XORs the byte at `offset` with `bits`.
    package func flip(_ bits: UInt8, at offset: Int) {
        precondition(offset >= 0 && offset < capacity)
        let byte = unsafe start.load(fromByteOffset: offset, as: UInt8.self)
        unsafe start.storeBytes(of: byte ^ bits, toByteOffset: offset, as: UInt8.self)
    }

    /// Copies `bytes` to the start.
    package func fill(_ bytes: [UInt8]) {
        precondition(bytes.count <= capacity)
        unsafe bytes.withUnsafeBytes { source in
            guard let base = source.baseAddress else { return }
            unsafe start.copyMemory(from: base, byteCount: source.count)
        }
    }

    /// A copy of `range`.
    package func bytes(_ range: Range<Int>) -> [UInt8] {
        precondition(range.lowerBound >= 0 && range.upperBound <= capacity)
        let copied = unsafe UnsafeRawBufferPointer(
            start: start + range.lowerBound,
            count: range.count
        )
        return unsafe Array(copied)
    }
}
