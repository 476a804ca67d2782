import HTTPWire
import Testing

@Suite struct PercentEncodingTests {
    @Test func `all but unreserved characters become escapes`() {
        #expect(PercentEncoding.encode("aZ09-._~") == "aZ09-._~")
        #expect(PercentEncoding.encode("a b/%?#&+\u{FC}\n") == "a%20b%2F%25%3F%23%26%2B%C3%BC%0A")
    }

    @Test func `what was encoded reads back as one segment`() {
        let text = (0...0x2FF).compactMap { Unicode.Scalar($0) }.map { String($0) }.joined()
        #expect(RequestPath("/" + PercentEncoding.encode(text)).segments == [text])
    }
}
