import ResumableServer
import Testing

@Suite struct TusMetadataTests {
    @Test func `pairs are read, with and without values`() throws {
        let metadata = try #require(TusMetadata("filename d29ybGQ=, flag,empty "))
        #expect(metadata.pairs.map(\.key) == ["filename", "flag", "empty"])
        #expect(metadata.text("filename") == "world")
        #expect(metadata.text("flag") == "")
        #expect(metadata.text("other") == nil)
    }

    @Test func `bytes that are no text are no text`() throws {
        let metadata = try #require(TusMetadata("a /w=="))
        #expect(metadata.pairs[0].value == [0xFF])
        #expect(metadata.text("a") == nil)
    }

    @Test(arguments: ["", ",", "a b c", "a ?", "a YQ", "a YQ==,a", "ä YQ=="])
    func `anything else is refused`(text: String) {
        #expect(TusMetadata(text) == nil)
    }
}
