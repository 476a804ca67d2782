import ResumableServer
import Testing

/// The gzip form that is made at any place of it.
@Suite struct StoredGzipTests {
    private static let checksum: UInt32 = 0x0102_0304

    private func content(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    }

    private func bytes(_ range: Range<Int>, of content: [UInt8]) -> [UInt8] {
        StoredGzip(contentSize: content.count).pieces(range, checksum: Self.checksum)
            .flatMap { piece in
                switch piece {
                case .text(let bytes): bytes
                case .content(let range): Array(content[range])
                }
            }
    }

    /// Reads a form with stored blocks only, as RFC 1951 §3.2.4 and RFC 1952 §2.3 have them.
    private func decoded(_ form: [UInt8]) throws -> [UInt8] {
        try #require(form.count >= 23)
        #expect(form.prefix(10) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF])
        var place = 10
        var content: [UInt8] = []
        var isLast = false
        while !isLast {
            try #require(place + 5 <= form.count && form[place] <= 1)
            isLast = form[place] == 1
            let length = Int(form[place + 1]) | Int(form[place + 2]) << 8
            let complement = Int(form[place + 3]) | Int(form[place + 4]) << 8
            #expect(length ^ complement == 0xFFFF)
            try #require(place + 5 + length <= form.count)
            content += form[place + 5..<place + 5 + length]
            place += 5 + length
        }
        let size = UInt32(truncatingIfNeeded: content.count)
        let trailer = [4, 3, 2, 1] + (0..<4).map { UInt8(truncatingIfNeeded: size >> ($0 * 8)) }
        #expect(Array(form[place...]) == trailer)
        return content
    }

    @Test(arguments: [0, 1, 65_534, 65_535, 65_536, 131_070, 131_071, 200_000])
    func `the form of every size holds the object`(count: Int) throws {
        let content = content(count)
        let size = StoredGzip(contentSize: count).size
        let form = bytes(0..<size, of: content)
        #expect(form.count == size)
        #expect(try decoded(form) == content)
    }

    @Test(arguments: [0, 1, 70_000, 131_070])
    func `every range of it has these bytes of it`(count: Int) {
        let content = content(count)
        let size = StoredGzip(contentSize: count).size
        let form = bytes(0..<size, of: content)
        let edges = [0, 9, 10, 14, 15, 16, 65_549, 65_550, 65_554, 65_555, 65_556]
        let places = Set((edges + (0...20).map { size - $0 }).filter { (0...size).contains($0) })
        for start in places {
            for end in places where start <= end {
                #expect(bytes(start..<end, of: content) == Array(form[start..<end]))
            }
        }
    }

    @Test func `the whole content decides on the check value's bytes and no others`() {
        let form = StoredGzip(contentSize: 1_000)
        #expect(form.size == 1_023)
        #expect(!form.hasChecksum(in: 0..<1_015))
        #expect(form.hasChecksum(in: 0..<1_016) && form.hasChecksum(in: 1_022..<1_023))
        #expect(!form.hasChecksum(in: 1_020..<1_020))
    }
}
