import HTTPWire
import Testing

@Suite struct Base64Tests {
    /// The examples of RFC 4648 §10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
    func `bytes have one form`(plain: String, encoded: String) {
        #expect(Base64.encode(plain.utf8) == encoded)
        #expect(Base64.decode(encoded) == Array(plain.utf8))
    }

    @Test(arguments: [
        "Zg", "Zg=", "Zg===", "Zh==", "Zm9=", "Z", "Z===", "=", "====", "Zm9v=", "Zm 9v", "Zm9v\n",
        "Zm-_", "Zg==Zg==", "Zm9vYg==x", "é", "Zm9v====",
    ])
    func `another form is refused`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test func `padding and stray bits may be passed over`() {
        #expect(Base64.decode("Zg", isStrict: false) == [0x66])
        #expect(Base64.decode("Zh", isStrict: false) == [0x66])
        #expect(Base64.decode("Zh==", isStrict: false) == [0x66])
        #expect(Base64.decode("Zg=", isStrict: false) == nil)
        #expect(Base64.decode("Z", isStrict: false) == nil)
    }

    @Test func `every digit is read as it is written`() {
        let bytes = (0...255).map { UInt8($0) }
        #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
}
