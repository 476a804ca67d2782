internal import SystemIO

/// Lines as frames of Zstandard, each of whole lines.
///
/// Whoever is killed leaves frames that can be read, and of the last one what was compressed so far.
struct CompressedLines {
    /// So little is compressed at a time that the loop does not notice: a tenth of a millisecond.
    private static let blockSize = 32_768
    /// Longer frames compress no better, since they look no further back.
    private static let frameSize = 1 << 20
    /// Measured with journals: higher levels take more time and hardly less space.
    private let compressor = ZstandardCompressor(level: 1, windowBits: 18)
    /// Content of the open frame, and of it what may not have come out.
    private var (frameBytes, blockBytes) = (0, 0)

    /// Whether there are lines whose frame has not ended.
    var hasOpenFrame: Bool { frameBytes > 0 }

    /// Adds a line, its line feed included; often nothing comes out.
    mutating func add(_ line: [UInt8]) -> [UInt8] {
        frameBytes += line.count
        blockBytes += line.count
        guard blockBytes >= Self.blockSize else { return compressor.compress(line, reach: .any) }
        blockBytes = 0
        guard frameBytes >= Self.frameSize else { return compressor.compress(line, reach: .block) }
        frameBytes = 0
        return compressor.compress(line, reach: .frame)
    }

    /// Ends the frame, so that all lines can be read; nothing comes of no lines.
    mutating func endFrame() -> [UInt8] {
        guard hasOpenFrame else { return [] }
        (frameBytes, blockBytes) = (0, 0)
        return compressor.compress([], reach: .frame)
    }
}
