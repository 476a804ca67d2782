internal import CLibuv
internal import CLibrary

/// Bytes that wait, in order; memory follows what waits and an empty queue has none.
@safe
package struct ByteQueue: ~Copyable {
    /// Chunks form a list: each begins with the address of the next.
    private var first: UnsafeMutableRawPointer?
    private var last: UnsafeMutableRawPointer?
    /// Where the first waiting byte is in the first chunk.
    private var firstOffset = Self.headerSize
    /// Where the next byte goes in the last chunk.
    private var lastEnd = ChunkPool.chunkSize
    /// Bytes that wait.
    package private(set) var count = 0
    private let pool: ChunkPool

    private static let headerSize = MemoryLayout<UInt>.size
    /// Chunks that one system call writes at most.
    private static let maximumVectors = 32

    package init(pool: ChunkPool) { self.pool = pool }

    deinit {
        var chunk = unsafe first
        while let current = unsafe chunk {
            unsafe chunk = Self.next(of: current)
            unsafe pool.give(back: current)
        }
    }

    package var isEmpty: Bool { count == 0 }

    /// Appends `count` bytes of `buffer` from `offset` on.
    package mutating func append(_ buffer: TransferBuffer, from offset: Int, count: Int) {
        precondition(offset >= 0 && count >= 0 && offset + count <= buffer.capacity)
        var source = unsafe buffer.start + offset
        var left = count
        while left > 0 {
            if lastEnd == ChunkPool.chunkSize { addChunk() }
            guard let last = unsafe last else { return }
            let length = min(left, ChunkPool.chunkSize - lastEnd)
            unsafe (last + lastEnd).copyMemory(from: source, byteCount: length)
            lastEnd += length
            unsafe source += length
            left -= length
        }
        self.count += count
    }

    /// Writes at most `limit` of the waiting bytes to `socket` and drops what was written.
    package mutating func send(to socket: borrowing Socket, limit: Int) -> TransferResult {
        let length = min(limit, count)
        let isWithinChunk = unsafe first == last || length <= ChunkPool.chunkSize - firstOffset
        let result =
            isWithinChunk
            ? sendFirst(length, to: socket) : sendMany(length, to: socket)
        if case .moved(let sent) = result { drop(sent) }
        return result
    }

    /// Writes bytes that lie in one chunk.
    private func sendFirst(
        _ length: Int,
        to socket: borrowing Socket
    ) -> TransferResult {
        guard let first = unsafe first else { return .moved(0) }
        return unsafe socket.wrote(
            CLibrary.send(socket.descriptor, first + firstOffset, length, SocketCalls.sending),
            of: length
        )
    }

    private func sendMany(
        _ length: Int,
        to socket: borrowing Socket
    ) -> TransferResult {
        let descriptor = socket.descriptor
        let sent = unsafe withUnsafeTemporaryAllocation(
            of: iovec.self,
            capacity: Self.maximumVectors
        ) { vectors in
            let used = unsafe fill(vectors, limit: length)
            var message = unsafe msghdr()
            unsafe message.msg_iov = vectors.baseAddress
            unsafe message.msg_iovlen = .init(used)
            return unsafe sendmsg(descriptor, &message, SocketCalls.sending)
        }
        return socket.wrote(sent, of: length)
    }

    /// Moves the first bytes, at most `limit`, to the start of `buffer`; answers how many.
    package mutating func read(into buffer: TransferBuffer, limit: Int = .max) -> Int {
        let most = min(buffer.capacity, limit)
        var copied = 0
        var chunk = unsafe first
        var offset = firstOffset
        while let current = unsafe chunk, copied < most {
            let end = unsafe current == last ? lastEnd : ChunkPool.chunkSize
            let length = min(end - offset, most - copied)
            unsafe (buffer.start + copied).copyMemory(from: current + offset, byteCount: length)
            copied += length
            offset = Self.headerSize
            unsafe chunk = Self.next(of: current)
        }
        drop(copied)
        return copied
    }

    /// Shows `length` of the waiting bytes, from `offset` on, piece by piece.
    package func forEachPiece(
        from offset: Int,
        count length: Int,
        _ body: (Span<UInt8>) -> Void
    ) {
        precondition(offset >= 0 && length >= 0 && offset + length <= count)
        var skipped = 0
        var left = length
        var chunk = unsafe first
        var start = firstOffset
        while left > 0, let current = unsafe chunk {
            let end = unsafe current == last ? lastEnd : ChunkPool.chunkSize
            let hidden = min(end - start, offset - skipped)
            skipped += hidden
            let shown = min(left, end - start - hidden)
            if shown > 0 {
                let bytes = unsafe UnsafeRawBufferPointer(
                    start: current + start + hidden,
                    count: shown
                ).assumingMemoryBound(to: UInt8.self)
                unsafe body(bytes.span)
                left -= shown
            }
            start = Self.headerSize
            unsafe chunk = Self.next(of: current)
        }
    }

    /// Appends a few bytes.
    package mutating func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        let buffer = TransferBuffer(capacity: bytes.count)
        buffer.store(bytes, at: 0)
        append(buffer, from: 0, count: bytes.count)
    }

    /// Drops the first `length` bytes, at most all.
    package mutating func drop(_ length: Int) {
        var left = min(length, count)
        count -= left
        while left > 0, let chunk = unsafe first {
            let end = unsafe chunk == last ? lastEnd : ChunkPool.chunkSize
            let length = min(left, end - firstOffset)
            firstOffset += length
            left -= length
            if firstOffset == end { removeFirst() }
        }
    }

    /// XORs the first waiting byte with `bits`; the queue must not be empty.
    package mutating func flipFirst(_ bits: UInt8) {
        precondition(count > 0, "a byte to flip")
        guard let first = unsafe first else { return }
        let byte = unsafe first.load(fromByteOffset: firstOffset, as: UInt8.self)
        unsafe first.storeBytes(of: byte ^ bits, toByteOffset: firstOffset, as: UInt8.self)
    }

    private mutating func addChunk() {
        let chunk = unsafe pool.take()
        unsafe Self.setNext(of: chunk, to: nil)
        if let last = unsafe last {
            unsafe Self.setNext(of: last, to: chunk)
        } else {
            unsafe first = chunk
            firstOffset = Self.headerSize
        }
        unsafe last = chunk
        lastEnd = Self.headerSize
    }

    private mutating func removeFirst() {
        guard let chunk = unsafe first else { return }
        unsafe first = Self.next(of: chunk)
        firstOffset = Self.headerSize
        if unsafe first == nil {
            unsafe last = nil
            lastEnd = ChunkPool.chunkSize
        }
        unsafe pool.give(back: chunk)
    }

    /// Describes the first `limit` bytes; answers how many vectors that took.
    private func fill(_ vectors: UnsafeMutableBufferPointer<iovec>, limit: Int) -> Int {
        var used = 0
        var left = limit
        var chunk = unsafe first
        var offset = firstOffset
        while left > 0, used < vectors.count, let current = unsafe chunk {
            let end = unsafe current == last ? lastEnd : ChunkPool.chunkSize
            let length = min(left, end - offset)
            unsafe vectors[used] = iovec(iov_base: current + offset, iov_len: length)
            used += 1
            left -= length
            offset = Self.headerSize
            unsafe chunk = Self.next(of: current)
        }
        return used
    }

    private static func next(of chunk: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        unsafe chunk.load(as: UnsafeMutableRawPointer?.self)
    }

    private static func setNext(
        of chunk: UnsafeMutableRawPointer,
        to next: UnsafeMutableRawPointer?
    ) {
        unsafe chunk.storeBytes(of: next, as: UnsafeMutableRawPointer?.self)
    }
}
