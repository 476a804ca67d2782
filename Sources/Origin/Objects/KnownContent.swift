/// Bytes that can be computed at any offset, so that what was received can be checked.
///
/// The content of seed S is the output of SplitMix64 (Steele, Lea, Flood 2014) started at S, each
/// 64-bit number written with its lowest byte first.
package struct KnownContent: Hashable, Sendable {
    package let seed: UInt64

    package init(seed: UInt64) { self.seed = seed }

    /// Appends the bytes at `range` to a buffer.
    package func append(_ range: Range<UInt64>, to buffer: inout [UInt8]) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            var word = word(offset / 8) >> (offset % 8 * 8)
            let end = min(range.upperBound, (offset / 8 + 1) * 8)
            while offset < end {
                buffer.append(UInt8(truncatingIfNeeded: word))
                word >>= 8
                offset += 1
            }
        }
    }

    package func bytes(_ range: Range<UInt64>) -> [UInt8] {
        var buffer: [UInt8] = []
        buffer.reserveCapacity(range.count)
        append(range, to: &buffer)
        return buffer
    }

    private func word(_ index: UInt64) -> UInt64 {
        var z = seed &+ (index &+ 1) &* 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
