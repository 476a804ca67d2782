internal import CLibrary

/// Memory for the queues of one loop, in equal pieces.
///
/// Pieces are cut from slabs, and a slab that is free as a whole goes back to the system, but for a
/// few. The heap would keep what a few long-lived pieces of other connections lie between.
@safe
package final class ChunkPool {
    /// 4 KiB: what one message on each of thousands of connections costs.
    static let chunkSize = 4_096
    /// Mapped at once, and aligned, so that a chunk's address tells its slab.
    private static let slabSize = 262_144
    /// The first place of a slab describes it.
    private static let chunksPerSlab = slabSize / chunkSize - 1
    /// Slabs that stay while nothing waits.
    private static let maximumIdle = 16

    /// Bytes of chunks that are in use.
    package private(set) var usedBytes = 0
    /// Bytes of slabs, which the system has given.
    package private(set) var mappedBytes = 0
    /// What may wait in all queues together; see `share`.
    package var limit = 536_870_912

    /// The start of each slab.
    @unsafe private struct Header {
        /// Neighbours in the list of slabs with a free chunk.
        var next: UnsafeMutablePointer<Header>?
        var previous: UnsafeMutablePointer<Header>?
        /// Chunks that were used and given back; each begins with the address of the next.
        var free: UnsafeMutableRawPointer?
        /// Chunks in use.
        var used = 0
        /// Chunks that were ever used: the others lie behind them, untouched.
        var touched = 0
    }

    /// Slabs with a free chunk, those in use before those that are free as a whole.
    private var first: UnsafeMutablePointer<Header>?
    /// Slabs that are free as a whole.
    private var idle: [UnsafeMutablePointer<Header>] = unsafe []

    package init() {}

    deinit { while let slab = unsafe idle.popLast() { unsafe Self.unmap(slab) } }

    func take() -> UnsafeMutableRawPointer {
        let slab = unsafe first ?? reviveOrMap()
        unsafe slab.pointee.used += 1
        usedBytes += Self.chunkSize
        defer {
            if unsafe slab.pointee.used == Self.chunksPerSlab { unsafe unlink(slab) }
        }
        if let chunk = unsafe slab.pointee.free {
            unsafe slab.pointee.free = chunk.load(as: UnsafeMutableRawPointer?.self)
            return unsafe chunk
        }
        unsafe slab.pointee.touched += 1
        return unsafe UnsafeMutableRawPointer(slab) + slab.pointee.touched * Self.chunkSize
    }

    func give(back chunk: UnsafeMutableRawPointer) {
        let base = UInt(bitPattern: chunk) & ~UInt(Self.slabSize - 1)
        guard let slab = unsafe UnsafeMutablePointer<Header>(bitPattern: base) else { return }
        unsafe chunk.storeBytes(of: slab.pointee.free, as: UnsafeMutableRawPointer?.self)
        unsafe slab.pointee.free = chunk
        if unsafe slab.pointee.used == Self.chunksPerSlab { unsafe link(slab) }
        unsafe slab.pointee.used -= 1
        usedBytes -= Self.chunkSize
        if unsafe slab.pointee.used == 0 { unsafe retire(slab) }
    }

    private func retire(_ slab: UnsafeMutablePointer<Header>) {
        unsafe unlink(slab)
        if unsafe idle.count < Self.maximumIdle {
            unsafe idle.append(slab)
        } else {
            unsafe Self.unmap(slab)
            mappedBytes -= Self.slabSize
        }
    }

    private func reviveOrMap() -> UnsafeMutablePointer<Header> {
        let slab = unsafe idle.popLast() ?? map()
        unsafe link(slab)
        return unsafe slab
    }

    private func link(_ slab: UnsafeMutablePointer<Header>) {
        unsafe slab.pointee.next = first
        unsafe slab.pointee.previous = nil
        unsafe first?.pointee.previous = slab
        unsafe first = slab
    }

    private func unlink(_ slab: UnsafeMutablePointer<Header>) {
        let (next, previous) = unsafe (slab.pointee.next, slab.pointee.previous)
        unsafe next?.pointee.previous = previous
        if let previous = unsafe previous {
            unsafe previous.pointee.next = next
        } else {
            unsafe first = next
        }
    }

    /// Twice the size is mapped, and what is before and behind an aligned slab given back.
    private func map() -> UnsafeMutablePointer<Header> {
        let size = Self.slabSize
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        guard
            let start = unsafe mmap(nil, 2 * size, PROT_READ | PROT_WRITE, flags, -1, 0),
            unsafe start != MAP_FAILED
        else { fatalError("out of memory: the system maps no more") }
        let before = (size - Int(bitPattern: start) & (size - 1)) & (size - 1)
        let aligned = unsafe start + before
        if before > 0 { _ = unsafe munmap(start, before) }
        if before < size { _ = unsafe munmap(aligned + size, size - before) }
        mappedBytes += size
        return unsafe aligned.initializeMemory(as: Header.self, to: Header())
    }

    private static func unmap(_ slab: UnsafeMutablePointer<Header>) {
        _ = unsafe munmap(slab, slabSize)
    }
}

extension ChunkPool {
    /// What one queue may always hold, however much waits elsewhere.
    package static let leastShare = 16_384
    /// What one queue may hold where room begins to be short: more than a link's windows need.
    private static let firstShare = 4_194_304

    /// Bytes that one queue may hold now: anything below three quarters of the limit, then less and
    /// less, as Linux lets windows shrink between the marks of `tcp_mem`.
    ///
    /// So all queues together hold no more than the limit and `leastShare` each.
    package var share: Int {
        let pressure = limit / 4 * 3
        guard usedBytes > pressure else { return .max }
        let left = max(0, limit - usedBytes)
        return max(Self.leastShare, Self.firstShare * left / max(1, limit - pressure))
    }
}
