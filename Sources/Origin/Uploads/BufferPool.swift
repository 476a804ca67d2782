internal import SystemIO

/// Memory for bytes on their way to the disk, bounded for all uploads together.
///
/// A body begins with little and gets more while its bytes come faster than the buffer empties, so
/// that a thousand slow uploads cost little and a fast one is written in large pieces.
final class BufferPool {
    /// Bytes of a buffer of each size.
    ///
    /// What is received is read again when it is written: more than a core's second cache holds makes
    /// uploads slower (256 KiB: 0.8 times the speed of `cp` and `sync`, 1 MiB 0.7, 4 MiB 0.6).
    static let sizes = [16 << 10, 64 << 10, 256 << 10]

    private let limit: Int
    private var free: [[TransferBuffer]] = sizes.map { _ in [] }
    private(set) var lentBytes = 0

    /// - Parameter limit: bytes beyond which only the smallest buffers are lent.
    init(limit: Int) { self.limit = limit }

    /// Whether a buffer of a size can be lent within the limit.
    func hasRoom(size: Int) -> Bool { lentBytes + Self.sizes[size] <= limit }

    /// Lends a buffer of a size or, where that would go beyond the limit, of the smallest.
    func take(size: Int) -> PooledBuffer {
        let size = hasRoom(size: size) ? size : 0
        lentBytes += Self.sizes[size]
        let buffer = free[size].popLast() ?? TransferBuffer(capacity: Self.sizes[size])
        return PooledBuffer(buffer, size: size, pool: self)
    }

    fileprivate func giveBack(_ buffer: TransferBuffer, size: Int) {
        lentBytes -= Self.sizes[size]
        let kept = zip(free, Self.sizes).reduce(0) { $0 + $1.0.count * $1.1 }
        if kept + buffer.capacity <= limit / 4 { free[size].append(buffer) }
    }
}

/// A buffer that returns to its pool with its last reference.
final class PooledBuffer {
    let buffer: TransferBuffer
    /// Its place in `BufferPool.sizes`.
    let size: Int
    private let pool: BufferPool

    fileprivate init(_ buffer: TransferBuffer, size: Int, pool: BufferPool) {
        self.buffer = buffer
        self.size = size
        self.pool = pool
    }

    deinit { pool.giveBack(buffer, size: size) }
}
