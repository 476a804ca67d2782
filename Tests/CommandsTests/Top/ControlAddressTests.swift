import Testing

@testable import Commands

@Suite struct ControlAddressTests {
    private func address(_ text: String) throws -> String? {
        guard case .address(let address) = try ControlAddress.reference(text) else { return nil }
        return address.description
    }

    @Test(arguments: [
        ("127.0.0.1:9000", "127.0.0.1:9000"), ("localhost:1", "localhost:1"),
        ("[::1]:9000", "[::1]:9000"), ("http://127.0.0.1:9000", "127.0.0.1:9000"),
        ("http://127.0.0.1:9000/", "127.0.0.1:9000"), ("unix:/run/l.sock", "unix:/run/l.sock"),
        ("unix:l.sock", "unix:l.sock"),
    ])
    func `an address is read as people write it`(text: String, meaning: String) throws {
        #expect(try address(text) == meaning)
    }

    @Test(arguments: ["ready.json", "/tmp/ready", "./a:1", "ready"])
    func `the path of a file is none`(text: String) throws {
        #expect(try ControlAddress.reference(text) == .readyFile(text))
    }

    @Test(arguments: [
        ("https://127.0.0.1:9000", "http, not https"), ("http://127.0.0.1:9000/v1", "the path"),
        ("http://127.0.0.1:9000/#t=0123456789abcdef", "--ui"),
        ("ftp://127.0.0.1:9000", "http"), ("unix:", "unix:/path"), ("http://", "host"),
        ("127.0.0.1:99999", "host"), ("http://user:word@127.0.0.1:9000", ""),
    ])
    func `what is no address says what to write`(text: String, words: String) {
        let error = #expect(throws: ControlAddress.Mistake.self) {
            try ControlAddress.reference(text)
        }
        #expect(words.isEmpty || error?.words.contains(words) == true, "\(error?.words ?? "")")
    }

    @Test func `a ready-file is known by what it has`() {
        let text =
            #"{"v":1,"event":"listening","control":"http://127.0.0.1:9","token":"t","pid":1}"#
        let file = ReadyFile(Array(text.utf8))
        #expect(file?.control == "http://127.0.0.1:9" && file?.token == "t")
        #expect(ReadyFile(Array(#"{"control":null,"pid":1}"#.utf8))?.control == nil)
        #expect(ReadyFile(Array(#"{"control":null,"pid":1}"#.utf8)) != nil)
        for text in ["", "[]", "{}", #"{"pid":1}"#, "control http://127.0.0.1:9"] {
            #expect(ReadyFile(Array(text.utf8)) == nil, "\(text)")
        }
    }
}
