import HTTPWire
import Basics
import ResumableClient
import Testing

@testable import Transfers
@testable import Basics

/// What is written to files is read back, and nothing else is.
@Suite struct DescriptionTextTests {
    static func full() throws -> TransferDescription {
        var choices = UploadChoices()
        choices.choice = .known(.ietf(.v8))
        choices.creation = .careful
        choices.appendSize = 1 << 20
        choices.digestsAppends = true
        choices.metadata = [.init("filename", "a b")]
        choices.form = FormChoice("photo")
        choices.form?.fields = [.init("title", "a b")]
        choices.wantsResponse = true
        choices.method = "PUT"
        var description = TransferDescription(
            .upload(choices),
            try HTTPURL("https://[::1]:8443/a?b=c"),
            file: "/tmp/ä"
        )
        description.fields = ["Authorization": "Bearer x", "X-Byte": "\u{FF}"]
        description.sha256 = Array(0..<32)
        description.keepsCoding = true
        description.connection.authorities = "/ca.pem"
        description.connection.isUnverified = true
        description.connection.isHTTP1Only = true
        description.connection.unixSocket = "/run/s"
        description.retry = .background
        description.retry.deadline = .milliseconds(1_500)
        description.path.allowsExpensive = false
        description.path.movesToBetterPath = true
        description.path.expectedBytesToSend = .max
        description.notBefore = 1_800_000_000
        description.pathSource = "/run/path"
        description.seed = .max
        return description
    }

    @Test func `a description is read back as it was`() throws {
        let description = try Self.full()
        let bytes = Array(JSONValue.object(DescriptionText.json(description)).text.utf8)
        #expect(try DescriptionText.parse(try JSONParser.parse(bytes[...])) == description)
        let plain = TransferDescription(.download, try HTTPURL("http://a/"), file: "x")
        #expect(try DescriptionText.parse(.object(DescriptionText.json(plain))) == plain)
    }

    @Test(arguments: ["kind", "url", "file", "seed", "connection", "retry", "path", "upload"])
    func `a description without a part is refused by its name`(key: String) throws {
        var object = JSONObject()
        for member in DescriptionText.json(try Self.full()).members where member.key != key {
            object.append(member.key, member.value)
        }
        let error = #expect(throws: RecordError.self) {
            try DescriptionText.parse(.object(object))
        }
        #expect(error?.description.contains("'\(key)'") == true)
    }

    @Test func `every protocol has a name that is read back`() {
        let dialects: [UploadPlan.Dialect] =
            InteropVersion.allCases.map { .ietf($0) } + [.tus, .plain]
        for dialect in dialects {
            #expect(ProtocolName.dialect(ProtocolName.text(dialect)) == dialect)
        }
        #expect(ProtocolName.dialect("ietf-4") == nil && ProtocolName.dialect("auto") == nil)
        #expect(ProtocolName.choice("auto") == .asked)
    }

    @Test func `hexadecimal digits come in pairs`() {
        #expect(HexadecimalText.decode("00ffA0") == [0, 255, 160])
        #expect(HexadecimalText.encode([0, 255, 160]) == "00ffa0")
        for text in ["0", "0g", "é0"] { #expect(HexadecimalText.decode(text) == nil) }
    }
}
