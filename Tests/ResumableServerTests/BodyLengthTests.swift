import HTTPWire
import ResumableServer
import Testing

/// What heads say about the size of their content, in each version.
@Suite struct BodyLengthTests {
    private func length(
        _ version: HTTPVersion,
        _ fields: HeaderFields = [:],
        endsStream: Bool = false
    ) -> BodyLength {
        var head = RequestHead("PUT", "/a", version: version, fields: fields)
        head.endsStream = endsStream
        return BodyLength(head)
    }

    @Test func `without a length there is no content but in chunks and frames`() {
        #expect(length(.http10) == .known(0) && length(.http11) == .known(0))
        #expect(length(.http11, ["Transfer-Encoding": "chunked"]) == .unknown)
        #expect(length(.http2) == .unknown)
        #expect(length(.http2, endsStream: true) == .known(0))
        for version in [HTTPVersion.http10, .http11, .http2] {
            #expect(length(version, ["Content-Length": "5"]) == .known(5))
        }
    }
}
