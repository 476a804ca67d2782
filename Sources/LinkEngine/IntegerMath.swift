/// Integer functions that give the same bits on every machine, where a C library might not.
enum IntegerMath {
    /// ⌊∛value⌋, exact, bit by bit.
    static func cubeRoot(_ value: UInt64) -> UInt64 {
        var remaining = value
        var root: UInt64 = 0
        var shift = 63
        while shift >= 0 {
            root <<= 1
            let step = 3 * root * (root + 1) + 1
            if remaining >> UInt64(shift) >= step {
                remaining -= step << UInt64(shift)
                root += 1
            }
            shift -= 3
        }
        return root
    }
}
