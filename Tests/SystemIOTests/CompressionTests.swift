import SystemIO
import Testing

@Suite struct CompressionTests {
    private static let magic: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]

    private static func frame(_ bytes: [UInt8], windowBits: Int32 = 18) -> [UInt8] {
        ZstandardCompressor(level: 3, windowBits: windowBits).compress(bytes, reach: .frame)
    }

    /// - Returns: the content, and how much of it came at a time.
    private static func read(
        _ bytes: [UInt8],
        pieceSize: Int = 1 << 20
    ) throws(ZstandardError) -> (content: [UInt8], longest: Int, unfinished: UInt64) {
        var input = CompressibleInput()
        var (content, longest) = ([UInt8](), 0)
        func add(_ piece: ArraySlice<UInt8>) -> Bool {
            content += piece
            longest = max(longest, piece.count)
            return true
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            _ = try input.take(rest.prefix(pieceSize), add)
            rest = rest.dropFirst(pieceSize)
        }
        input.finish(add)
        return (content, longest, input.unfinishedBytes)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 1_000, 1 << 20])
    func `frames read back in pieces of any size`(pieceSize: Int) throws {
        let (one, two) = (Array("one ".utf8), [UInt8](repeating: 7, count: 300_000))
        let read = try Self.read(
            Self.frame(one) + Self.frame([]) + Self.frame(two),
            pieceSize: pieceSize
        )
        #expect(read.content == one + two)
        #expect(read.unfinished == 0)
    }

    @Test(arguments: [[], [0x28], [0x28, 0xB5, 0x2F], Array("plain text".utf8)])
    func `what is not compressed is given as it is`(bytes: [UInt8]) throws {
        #expect(try Self.read(bytes, pieceSize: 1).content == bytes)
        #expect(try Self.read(bytes).content == bytes)
    }

    @Test func `a block can be read before its frame ends`() throws {
        let compressor = ZstandardCompressor(level: 3, windowBits: 18)
        let held = compressor.compress(Array("held back".utf8), reach: .any)
        let shown = compressor.compress(Array(", shown".utf8), reach: .block)
        let read = try Self.read(held + shown)
        #expect(read.content == Array("held back, shown".utf8))
        #expect(read.unfinished == UInt64(held.count + shown.count))
        let end = compressor.compress([], reach: .frame)
        #expect(try Self.read(held + shown + end).unfinished == 0)
    }

    @Test(arguments: [1, 5, 1 << 20])
    func `frames that readers skip are skipped`(pieceSize: Int) throws {
        let skipped: [UInt8] = [0x53, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]
        let bytes = skipped + Self.frame([1]) + skipped + Self.frame([2])
        #expect(try Self.read(bytes, pieceSize: pieceSize).content == [1, 2])
    }

    @Test func `a small file that unpacks to much is given in small pieces`() throws {
        let bomb = Self.frame([UInt8](repeating: 0, count: 50_000_000))
        #expect(bomb.count < 10_000)
        let read = try Self.read(bomb)
        #expect(read.content.count == 50_000_000)
        #expect(read.longest <= 1 << 18)
    }

    @Test func `nothing more is unpacked once it is not wanted`() throws {
        var (input, pieces) = (CompressibleInput(), 0)
        let wantsMore = try input.take(Self.frame([UInt8](repeating: 0, count: 50_000_000))[...]) {
            _ in
            pieces += 1
            return pieces < 3
        }
        #expect(!wantsMore)
        #expect(pieces == 3)
    }

    /// The descriptor states a window of `bits`; an empty last block follows.
    private static func claimed(windowBits: UInt8) -> [UInt8] {
        magic + [0, (windowBits - 10) << 3, 1, 0, 0]
    }

    @Test func `a frame that wants too much memory is refused`() throws {
        #expect(try Self.read(Self.claimed(windowBits: 23)).content.isEmpty)
        let error = try #require(throws: ZstandardError.self) {
            try Self.read(Self.frame([1]) + Self.claimed(windowBits: 24))
        }
        #expect(error.kind == .windowTooLarge)
        #expect(error.frameOffset == UInt64(Self.frame([1]).count))
    }

    @Test(arguments: [[0x27, 0xB5, 0x2F, 0xFD, 0, 0, 0], Array("text".utf8)])
    func `what follows a frame is a frame, of this form`(rest: [UInt8]) throws {
        let frame = Self.frame([1, 2])
        let error = try #require(throws: ZstandardError.self) { try Self.read(frame + rest) }
        #expect(error.kind == .damaged)
        #expect(error.frameOffset == UInt64(frame.count))
        #expect(error.words == "no frame begins there")
    }

    @Test func `a changed byte is noticed, unless it changes nothing`() {
        let text = Array("a line of text, and another line of text\n".utf8)
        let frame = Self.frame(text)
        for place in frame.indices.dropFirst(Self.magic.count) {
            for change: UInt8 in [1, 0x80] {
                var changed = frame
                changed[place] ^= change
                // A changed length may need more bytes than there are.
                let read = try? Self.read(changed)
                #expect(read.map { $0.content == text || $0.unfinished > 0 } ?? true, "\(place)")
            }
        }
    }
}
