import SystemIO
import TestSupport
import Testing

@testable import Commands

@Suite struct CompressedLinesTests {
    private static func line(_ number: Int) -> [UInt8] {
        Array(#"{"v":1,"t":"note","text":"\#(number)","n_approx":\#(number)}"#.utf8) + [10]
    }

    @Test func `every cut leaves whole frames, and of the torn one nothing that is wrong`() throws {
        var lines = CompressedLines()
        var (plain, packed) = ([UInt8](), [UInt8]())
        var ends: [(packed: Int, plain: Int)] = [(0, 0)]
        for number in 1...60 {
            plain += Self.line(number)
            packed += lines.add(Self.line(number))
            if number.isMultiple(of: 20) {
                #expect(lines.hasOpenFrame)
                packed += lines.endFrame()
                #expect(!lines.hasOpenFrame)
                ends.append((packed.count, plain.count))
            }
        }
        #expect(packed.count < plain.count / 3)
        for cut in 4...packed.count {
            let unpacked = try Unpacked(Array(packed[..<cut]), pieceSize: 7)
            let whole = try #require(ends.last { $0.packed <= cut })
            #expect(plain.starts(with: unpacked.bytes))
            #expect(unpacked.bytes.count >= whole.plain)
            #expect(unpacked.unfinishedBytes == UInt64(cut - whole.packed))
        }
    }

    @Test func `long frames end by themselves, and show their lines before`() throws {
        var lines = CompressedLines()
        var random = SeededRandom(seed: 5)
        var (plain, packed, ends) = (0, [UInt8](), 0)
        while ends < 2 {
            let text = (0..<100).map { _ in UInt8.random(in: 32...126, using: &random) } + [10]
            plain += text.count
            packed += lines.add(text)
            let unpacked = plain.isMultiple(of: 101 * 500) ? try Unpacked(packed) : nil
            if let unpacked { #expect(plain - unpacked.bytes.count < 33_000) }
            if !lines.hasOpenFrame {
                ends += 1
                #expect(plain / ends > 1 << 20 && plain / ends < 1_100_000)
                #expect(try Unpacked(packed).unfinishedBytes == 0)
            }
        }
        #expect(try Unpacked(packed).bytes.count == plain)
    }

    @Test func `no lines make no frame`() {
        var lines = CompressedLines()
        #expect(lines.endFrame().isEmpty)
    }
}
