import HTTPTransport
import SystemIO
import Testing

@testable import Origin

@Suite struct RevisedContentTests {
    /// The bytes of a part of a message, made in pieces of odd sizes.
    private func bytes(_ segment: BodySegment) throws -> [UInt8] {
        switch segment {
        case .bytes(let bytes): return bytes
        case .file(let file, let range):
            return try file.read(at: range.lowerBound, count: range.count)
        case .generated(_, let generate):
            let buffer = TransferBuffer(capacity: 64)
            var made: [UInt8] = []
            while true {
                switch generate(buffer, 3..<40) {
                case .stored(let count): made += buffer.bytes(3..<3 + count)
                case .end: return made
                case .later, .failed: throw SystemError.inputOutput
                }
            }
        }
    }

    private func objects() throws -> [OriginObject] {
        let folder = try OriginFolder()
        let content = KnownContent(seed: 1).bytes(0..<200)
        try folder.write("a", content)
        let file = try folder.folder.file("a", for: .reading)
        return [
            OriginObject(content: .known(.init(seed: 1)), size: 200, contentType: ""),
            OriginObject(content: .file(file), size: 200, contentType: ""),
        ]
    }

    @Test func `the first revision is the object, and each other differs in every byte`() throws {
        for object in try objects() {
            var seen: [[UInt8]] = []
            for revision in 0..<5 {
                let found = try bytes(RevisedContent.segment(object, 50..<150, revision: revision))
                for other in seen { #expect(zip(found, other).allSatisfy { $0 != $1 }) }
                seen.append(found)
            }
            #expect(seen[0] == KnownContent(seed: 1).bytes(50..<150))
            let parts = try [0..<77, 77..<200].flatMap { (range: Range<UInt64>) in
                try bytes(RevisedContent.segment(object, range, revision: 2))
            }
            #expect(parts == (try bytes(RevisedContent.segment(object, 0..<200, revision: 2))))
        }
    }

    @Test func `an object that has grown beyond its file goes on`() throws {
        let object = try objects()[1]
        let grown = try bytes(RevisedContent.segment(object, 190..<230, revision: 1))
        #expect(grown.count == 40)
        #expect(grown[10...].allSatisfy { $0 == grown[10] })
    }
}
