import QUICWire
import TestSupport
import Testing

struct QUICHelloReaderTests {
    /// Protects nothing: the mask is zero, and the tag is 16 bytes of 9.
    private struct NoCryptography: QUICCryptography {
        func authenticationCode(of data: [UInt8], key: [UInt8], _ hash: QUICHash) -> [UInt8] {
            [UInt8](repeating: 0, count: 32)
        }
        func mask(of sample: [UInt8], key: [UInt8], _ cipher: QUICCipher) -> [UInt8] {
            [UInt8](repeating: 0, count: 16)
        }
        func open(
            _ sealed: [UInt8],
            key: [UInt8],
            nonce: [UInt8],
            header: [UInt8],
            _ cipher: QUICCipher
        ) -> [UInt8]? {
            guard sealed.suffix(16).allSatisfy({ $0 == 9 }) else { return nil }
            return sealed.dropLast(16)
        }
    }

    private static func counted(_ bytes: [UInt8], in lengthBytes: Int) -> [UInt8] {
        let shifts = (0..<lengthBytes).reversed().map { 8 * $0 }
        return shifts.map { UInt8(truncatingIfNeeded: bytes.count >> $0) } + bytes
    }

    /// A ClientHello for a name that offers h3 and h2, with an extension of filler in between.
    private static func hello(_ name: String, filler: Int = 300) -> [UInt8] {
        let host = counted([0] + counted(Array(name.utf8), in: 2), in: 2)
        let protocols = counted([2] + "h3".utf8 + [2] + "h2".utf8, in: 2)
        let extensions =
            [0, 0] + counted(host, in: 2) + [0, 51]
            + counted([UInt8](repeating: 5, count: filler), in: 2) + [0, 16]
            + counted(protocols, in: 2)
        let body =
            [3, 3] + [UInt8](repeating: 1, count: 32) + [0] + counted([0x13, 1], in: 2) + [1, 0]
            + counted(extensions, in: 2)
        return [1] + counted(body, in: 3)
    }

    private static func crypto(_ bytes: some Collection<UInt8>, at offset: Int) -> [UInt8] {
        [6, 0x40 | UInt8(offset >> 8), UInt8(offset & 255)]
            + [0x40 | UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + bytes
    }

    /// A datagram with one Initial of these frames.
    private static func datagram(_ frames: [UInt8]) -> [UInt8] {
        let sealed = frames + [UInt8](repeating: 0, count: max(0, 4 - frames.count))
        let length = 1 + sealed.count + 16
        return [0xC0, 0, 0, 0, 1, 2, 1, 2, 0, 0]
            + [0x40 | UInt8(length >> 8), UInt8(length & 255)] + [0] + sealed
            + [UInt8](repeating: 9, count: 16)
    }

    private static var reader: QUICHelloReader {
        QUICHelloReader(QUICInitialKeys(version: 1, destination: [1, 2], with: NoCryptography()))
    }

    private static func take(
        _ reader: inout QUICHelloReader,
        _ datagram: [UInt8]
    ) -> QUICHelloReader.Hello? {
        reader.take(datagram, QUICPacketReader.packets(in: datagram), with: NoCryptography())
    }

    @Test func `a ClientHello in one packet says whom the client wants`() throws {
        var reader = Self.reader
        let frames = Self.crypto(Self.hello("example.test"), at: 0) + [0, 0, 0]
        let hello = try #require(Self.take(&reader, Self.datagram(frames)))
        #expect(hello.serverName == "example.test")
        #expect(hello.protocols == ["h3", "h2"])
    }

    @Test func `it is put together from parts in any order, at any place`() throws {
        let whole = Self.hello("example.test", filler: 900)
        var random = SeededRandom(seed: 5)
        for _ in 0..<200 {
            let cuts = (0..<3).map { _ in Int.random(in: 0...whole.count, using: &random) }.sorted()
            let ends = [0] + cuts + [whole.count]
            var parts = zip(ends, ends.dropFirst()).map { ($0, whole[$0..<$1]) }
            parts.shuffle(using: &random)
            var reader = Self.reader
            var hello: QUICHelloReader.Hello?
            for (offset, bytes) in parts {
                // An ACK with a range, a PING and padding in front.
                let others: [UInt8] = [2, 5, 0, 1, 0, 0, 0, 1, 0, 0]
                hello = Self.take(&reader, Self.datagram(others + Self.crypto(bytes, at: offset)))
            }
            #expect(hello?.serverName == "example.test")
        }
    }

    @Test func `hundreds of frames in one packet are read`() {
        let whole = Self.hello("example.test")
        let frames = whole.indices.flatMap { Self.crypto(whole[$0...$0], at: $0) }
        var reader = Self.reader
        #expect(whole.count > 128)
        #expect(Self.take(&reader, Self.datagram(frames))?.serverName == "example.test")
    }

    @Test func `as long as a byte is missing nothing is known`() {
        let whole = Self.hello("example.test")
        var reader = Self.reader
        #expect(Self.take(&reader, Self.datagram(Self.crypto(whole.dropFirst(), at: 1))) == nil)
        #expect(Self.take(&reader, Self.datagram(Self.crypto(whole.prefix(1), at: 0))) != nil)
    }

    @Test func `what cannot be opened or read is passed over`() {
        var reader = Self.reader
        var broken = Self.datagram(Self.crypto(Self.hello("a"), at: 0))
        broken[broken.count - 1] = 0
        #expect(Self.take(&reader, broken) == nil)
        #expect(Self.take(&reader, Self.datagram([6, 0, 0x40, 200, 1])) == nil)
        #expect(Self.take(&reader, Self.datagram([0x1E])) == nil)
        let whole = Self.datagram(Self.crypto(Self.hello("a"), at: 0))
        for end in 0..<whole.count {
            var reader = Self.reader
            #expect(Self.take(&reader, Array(whole[..<end])) == nil)
        }
    }
}
