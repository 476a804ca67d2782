import HTTPTransport
import ResumableServer
import Testing

@testable import Origin

/// Objects that are given in gzip form, as a server does that compresses whatever it sends.
@Suite struct GivenContentTests {
    private static let content = KnownContent(seed: 3).bytes(0..<200_000)
    private static let targets = ["/f", "/bytes/200000?seed=3"]

    private func origin(
        _ rules: String,
        _ framing: ContentFraming = .length
    ) throws -> LiveOrigin {
        let folder = try OriginFolder()
        try folder.write("f", Self.content)
        return try LiveOrigin(folder: folder) {
            $0.misbehaviour = rules
            $0.objects.framing = framing
        }
    }

    private func form(_ content: [UInt8]) -> [UInt8] {
        var checksum = CRC32()
        checksum.update(content.span)
        let gzip = StoredGzip(contentSize: content.count)
        return gzip.pieces(0..<gzip.size, checksum: checksum.value).flatMap { piece in
            switch piece {
            case .text(let bytes): bytes
            case .content(let range): Array(content[range])
            }
        }
    }

    @Test(arguments: targets)
    func `the gzip form is real, has the object's own tag, and ranges count its bytes`(
        target: String
    ) throws {
        let form = form(Self.content)
        let plain = try origin("").ask("GET", target)
        let origin = try origin("gzip")
        let whole = try origin.ask("GET", target)
        #expect(whole.status == 200 && whole.body == form)
        #expect(whole["Content-Encoding"] == "gzip" && whole["Content-Length"] == "\(form.count)")
        #expect(whole["ETag"] == plain["ETag"] && whole["ETag"] != nil)
        #expect(try origin.ask("HEAD", target)["Content-Length"] == "\(form.count)")
        for range in [
            0..<form.count, 0..<10, 5..<90_000, 100_000..<form.count, form.count - 3..<form.count,
        ] {
            let fields = [("Range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)")]
            let part = try origin.ask("GET", target, fields)
            #expect(part.status == 206 && part.body == Array(form[range]))
            #expect(part["Content-Encoding"] == "gzip" && part["ETag"] == plain["ETag"])
            let place = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(form.count)"
            #expect(part["Content-Range"] == place)
        }
        #expect(origin.records.allSatisfy { $0.misbehaviour == ["gzip"] })
    }

    @Test func `what continues a plain download with it is neither of the two`() throws {
        let origin = try origin("gzip@2")
        let first = try origin.ask("GET", "/f").body.prefix(70_000)
        let rest = try origin.ask("GET", "/f", [("Range", "bytes=70000-")])
        #expect(rest.status == 206)
        #expect(first + rest.body != Self.content[...])
        #expect(try origin.ask("GET", "/f").body == Self.content)
    }

    @Test func `an object that has changed has another form, and chunks take it too`() throws {
        let origin = try origin("mutate=grow@1; gzip@2", .chunked)
        let grown = try origin.ask("GET", "/f").body
        #expect(grown.count == 220_000)
        let coded = try origin.ask("GET", "/f")
        #expect(coded.body == form(grown) && coded["Transfer-Encoding"] == "chunked")
    }

    @Test func `what takes too long to be read through is refused`() throws {
        let origin = try origin("gzip")
        let size = GivenContent.maximumCodedBytes + 1
        #expect(try origin.ask("GET", "/bytes/\(size)").status == 500)
        // Its beginning needs no look at the rest.
        let part = try origin.ask("GET", "/bytes/\(size)", [("Range", "bytes=0-9")])
        #expect(part.status == 206 && part.body == Array(form([]).prefix(10)))
        #expect(try origin.ask("HEAD", "/bytes/\(size)").status == 200)
    }
}
