import HTTPWire
import Testing

@Suite struct MediaTypeTests {
    @Test func `type and names lose their case, values keep it`() throws {
        let type = try #require(
            MediaType("Multipart/Form-Data; Boundary=\"a \\\"B\" ;Charset=UTF-8;")
        )
        #expect(type.essence == "multipart/form-data")
        #expect(type.parameters["boundary"] == "a \"B")
        #expect(type.parameters["charset"] == "UTF-8")
        #expect(type.text == "multipart/form-data; boundary=\"a \\\"B\"; charset=UTF-8")
        #expect(MediaType(type.text) == type)
    }

    @Test(arguments: [
        "", "text", "text/", "/plain", "text/plain/x", "text /plain", "text/plain x",
        "text/plain; a", "text/plain; a=", "text/plain; a =b", "text/plain; a= b",
        "text/plain; a=\"b", "text/plain; a=b; A=c", "text/plain, text/html", "text/plain; a=b c",
    ])
    func `other text is no media type`(text: String) {
        #expect(MediaType(text) == nil)
    }

    @Test func `empty parameters are passed over`() {
        #expect(MediaType("a/b;;c=d; ;")?.text == "a/b; c=d")
    }
}
