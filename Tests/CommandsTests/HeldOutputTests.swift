import SystemIO
import Testing

@testable import Arguments
@testable import Commands

@Suite struct HeldOutputTests {
    private static let folder = "\(FileSystem.currentDirectory)/.build"

    /// Pieces of different lengths and content, of so many bytes in all.
    private static func pieces(of total: Int) -> [[UInt8]] {
        var (pieces, count) = ([[UInt8]](), 0)
        while count < total {
            let length = min(total - count, 1 + pieces.count * 7_919 % 300_000)
            pieces.append([UInt8](repeating: UInt8(pieces.count % 251), count: length))
            count += length
        }
        return pieces
    }

    private static func given(_ held: HeldOutput) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try held.give { bytes += $0 }
        return bytes
    }

    @Test(arguments: [0, 1_000, 4 << 20, 20_000_003])
    func `what is held comes back as it was added`(total: Int) throws {
        var held = HeldOutput(in: Self.folder)
        let pieces = Self.pieces(of: total)
        for piece in pieces { held.add(piece) }
        #expect(!held.isLost)
        #expect(held.bytesInMemory <= 6 << 20)
        #expect(try Self.given(held) == Array(pieces.joined()))
    }

    @Test func `nothing is left of what was wrong`() throws {
        var held = HeldOutput(in: Self.folder)
        for piece in Self.pieces(of: 10_000_000) { held.add(piece) }
        held.removeAll()
        held.add([1, 2, 3])
        #expect(try Self.given(held) == [1, 2, 3])
    }

    @Test func `without room for a file it is lost, not kept in memory`() {
        var held = HeldOutput(in: "\(Self.folder)/nosuchfolder")
        for piece in Self.pieces(of: 10_000_000) { held.add(piece) }
        #expect(held.isLost)
        #expect(held.bytesInMemory == 0)
    }
}
