import HTTPWire
import Testing

@Suite struct HeaderFieldsTests {
    private let fields: HeaderFields = ["Via": "a", "ETag": "\"1\"", "via": "b, c"]

    @Test func `names compare without regard to case and keep their order`() {
        #expect(fields["etag"] == "\"1\"")
        #expect(fields.values("VIA") == ["a", "b, c"])
        #expect(fields.combined("via") == "a, b, c")
        #expect(fields["x"] == nil)
        #expect(fields.combined("x") == nil)
    }

    @Test func `setting replaces every value of a name`() {
        var fields = fields
        fields["VIA"] = "d"
        #expect(fields.values("via") == ["d"])
        fields["via"] = nil
        #expect(!fields.contains("via"))
    }

    @Test func `another value stands where the name did, or at the end`() {
        let changed = fields.replacing("VIA", by: "d")
        #expect(
            changed.fields.map { "\($0.name): \($0.value)" } == ["Via: d", "ETag: \"1\"", "via: d"]
        )
        #expect(fields.replacing("Host", by: "x").fields.last == .init("Host", "x"))
    }

    @Test func `a token is found in a list whatever its case and place`() {
        let fields: HeaderFields = ["Connection": "Upgrade,\tkeep-alive ", "connection": "CLOSE"]
        #expect(fields.list("connection", hasToken: "Keep-Alive"))
        #expect(fields.list("connection", hasToken: "close"))
        #expect(!fields.list("connection", hasToken: "keep"))
    }
}
