import HTTPWire
import ResumableServer
import Testing

/// No client has to take more progress 104s than it can.
@Suite struct ProgressIntervalTests {
    /// The progress 104s of one request of so many bytes, which come in pieces.
    private func progress(
        _ bytes: UInt64,
        isChunked: Bool = false,
        piece: UInt64 = 1 << 20,
        _ settings: UploadSettings = UploadSettings()
    ) -> [ResponseHead] {
        var bench = UploadBench(settings)
        var head = RequestHead("POST", "/files/x")
        head.fields = ["Upload-Draft-Interop-Version": "6", "Upload-Complete": "?1"]
        if isChunked {
            head.fields["Transfer-Encoding"] = "chunked"
        } else {
            head.fields["Content-Length"] = "\(bytes)"
        }
        let exchange = bench.head(head)
        var left = bytes
        while left > 0 {
            bench.body(min(piece, left), exchange)
            left -= min(piece, left)
        }
        bench.end(exchange)
        #expect(bench.record?.offset == bytes)
        return (bench.interims[exchange] ?? []).filter { $0.fields.contains("Upload-Offset") }
    }

    /// What curl counts: all heads of the responses to one request.
    private func headBytes(_ heads: [ResponseHead]) throws -> Int {
        try heads.reduce(0) { sum, head in sum + (try MessageWriter.bytes(of: head).count) }
    }

    @Test(arguments: [1 << 20, 100 << 20, 1 << 30, (1 << 30) + 12_345, 1 << 34] as [UInt64])
    func `curl takes the heads of a request of any size`(bytes: UInt64) throws {
        for isChunked in [false, true] {
            let heads = progress(bytes, isChunked: isChunked, piece: 1 << 22)
            #expect(heads.count >= 3 && heads.count <= (isChunked ? 2_000 : 1_024))
            #expect(try headBytes(heads) < 250 << 10)
        }
    }

    @Test func `a short request is reported each 256 KiB`() {
        let offsets = progress(1 << 20).map { $0.fields["Upload-Offset"] }
        #expect(offsets == ["262144", "524288", "786432"])
    }

    @Test func `the offsets do not depend on the pieces in which bytes come`() {
        for isChunked in [false, true] {
            let pieces: [UInt64] = [1_000_000, 65_536, 1 << 25, 7_654_321]
            let runs = pieces.map {
                progress((1 << 28) + 1, isChunked: isChunked, piece: $0)
            }
            #expect(Set(runs).count == 1)
        }
    }

    @Test func `an interval that somebody fixed is kept`() {
        var settings = UploadSettings()
        settings.progressBytes = 1 << 10
        #expect(progress(10 << 20, settings).count == 10_239)
        settings.progressBytes = 0
        #expect(progress(10 << 20, settings).isEmpty)
    }
}
