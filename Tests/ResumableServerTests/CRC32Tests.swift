import ResumableServer
import Testing

/// The check value of gzip.
@Suite struct CRC32Tests {
    private func value(_ texts: String...) -> UInt32 {
        var checksum = CRC32()
        for text in texts { checksum.update(Array(text.utf8).span) }
        return checksum.value
    }

    /// The check value that lists of such codes give, and two more of well-known texts.
    @Test func `it has the values that everybody has`() {
        #expect(value("123456789") == 0xCBF4_3926)
        #expect(value("") == 0)
        #expect(value("The quick brown fox jumps over the lazy dog") == 0x414F_A339)
    }

    @Test func `it does not matter in how many parts the bytes come`() {
        #expect(value("1234", "", "5", "6789") == value("123456789"))
    }
}
