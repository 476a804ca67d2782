/// SACK blocks of packets on their way; few packets carry any.
struct SACKPool {
    private var blocks: [SACKBlocks] = []
    private var free: [Int32] = []

    /// Keeps `blocks`; -1 if there are none.
    mutating func store(_ new: SACKBlocks) -> Int32 {
        guard new.count > 0 else { return -1 }
        if let slot = free.popLast() {
            blocks[Int(slot)] = new
            return slot
        }
        blocks.append(new)
        return Int32(blocks.count - 1)
    }

    /// What `store` kept.
    subscript(slot: Int32) -> SACKBlocks { slot < 0 ? SACKBlocks() : blocks[Int(slot)] }

    /// Gives a place back, once.
    mutating func release(_ slot: Int32) {
        if slot >= 0 { free.append(slot) }
    }
}
