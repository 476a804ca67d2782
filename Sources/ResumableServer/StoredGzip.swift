/// The gzip form of an object, without compression: a frame (RFC 1952 §2.3) around stored blocks
/// (RFC 1951 §3.2.4).
///
/// It is as good to a decoder as any other, and no byte before the trailer depends on the content, so a
/// range of it can be made without what comes before. It is a little longer than the object: a range
/// that continues the object is also one of the form, and not refused for being beyond its end.
package struct StoredGzip: Hashable, Sendable {
    /// Bytes of the object.
    private let contentSize: Int

    /// Magic number, deflate, no flags, no time, no level, an unknown system.
    private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
    private static let blockHeaderSize = 5
    /// `LEN` has sixteen bits.
    private static let blockContentSize = 65_535
    private static let trailerSize = 8

    package init(contentSize: Int) { self.contentSize = contentSize }

    /// Bytes of the form.
    package var size: Int {
        Self.header.count + blockCount * Self.blockHeaderSize + contentSize + Self.trailerSize
    }

    /// Whether a range of the form has bytes that the whole content decides on.
    package func hasChecksum(in range: Range<Int>) -> Bool {
        range.upperBound > size - Self.trailerSize && !range.isEmpty
    }

    /// What a range of the form consists of.
    ///
    /// - Parameters:
    ///   - range: within the form.
    ///   - checksum: of the whole content; of no meaning where `hasChecksum` is false.
    /// - Returns: bytes of the frame, and ranges of the object.
    package func pieces(_ range: Range<Int>, checksum: UInt32) -> [RangePlan.Piece] {
        var pieces: [RangePlan.Piece] = []
        func add(_ text: [UInt8], at place: Int) {
            let part = range.clamped(to: place..<place + text.count)
            guard !part.isEmpty else { return }
            pieces.append(.text(Array(text[part.lowerBound - place..<part.upperBound - place])))
        }
        add(Self.header, at: 0)
        let first = blockIndex(of: range.lowerBound)
        for index in first..<max(first, blockIndex(of: range.upperBound - 1) + 1) {
            add(blockHeader(index), at: blockPlace(index))
            let content = contentRange(index)
            let place = blockPlace(index) + Self.blockHeaderSize
            let part = range.clamped(to: place..<place + content.count)
            guard !part.isEmpty else { continue }
            let shift = content.lowerBound - place
            pieces.append(.content(part.lowerBound + shift..<part.upperBound + shift))
        }
        add(trailer(checksum), at: size - Self.trailerSize)
        return pieces
    }

    // MARK: Blocks

    /// An object without content has an empty block, since the last one is marked.
    private var blockCount: Int {
        max(1, (contentSize + Self.blockContentSize - 1) / Self.blockContentSize)
    }

    /// The block at a place of the form; what is before and behind all blocks counts to the nearest.
    private func blockIndex(of place: Int) -> Int {
        let index = (place - Self.header.count) / (Self.blockHeaderSize + Self.blockContentSize)
        return min(max(index, 0), blockCount - 1)
    }

    private func blockPlace(_ index: Int) -> Int {
        Self.header.count + index * (Self.blockHeaderSize + Self.blockContentSize)
    }

    private func contentRange(_ index: Int) -> Range<Int> {
        let start = index * Self.blockContentSize
        return start..<min(start + Self.blockContentSize, contentSize)
    }

    /// `BFINAL` with the type of a stored block, `LEN`, and `NLEN`, its complement.
    private func blockHeader(_ index: Int) -> [UInt8] {
        let length = UInt16(contentRange(index).count)
        return [index == blockCount - 1 ? 1 : 0] + Self.bytes(length) + Self.bytes(~length)
    }

    /// The checksum, and the size modulo 2³².
    private func trailer(_ checksum: UInt32) -> [UInt8] {
        Self.bytes(checksum) + Self.bytes(UInt32(truncatingIfNeeded: contentSize))
    }

    /// Lowest byte first.
    private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
