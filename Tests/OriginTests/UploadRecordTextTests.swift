import Basics
import HTTPWire
import Journal
import ResumableServer
import Testing

@testable import Origin

@Suite struct UploadRecordTextTests {
    private static let full =
        #"{"identifier":"id","dialect":"tus-1.0.0","location":"/u/id","origin":{"method":"POST","#
        + #""target":"/u","contentType":"a/b","contentEncoding":"gzip","metadata":"name YQ==","#
        + #""concatenation":{"final":{"field":"final;/u/a /u/b","parts":["/u/a","/u/b"]}},"#
        + #""digests":[{"algorithm":"sha256","value":[0,255]}],"wantedDigest":"sha512"},"#
        + #""offset":5,"length":5,"state":{"complete":{"_0":{"status":201,"#
        + #""fields":[["Location","/x"]],"body":[104,105]}}},"endsAt":9}"#

    private static let least =
        #"{"identifier":"id","dialect":"ietf-6","location":"/u/id","origin":{"method":"PUT","#
        + #""target":"/u","digests":[]},"offset":0,"state":{"active":{}}}"#

    private static func parse(_ text: String) throws -> UploadRecord {
        let value = try JSONParser.parse(Array(text.utf8)[...])
        guard case .object(let object) = value, case .integer(let offset)? = object["offset"] else {
            throw RecordError("no record")
        }
        return try UploadRecordText.parse(value, offset: UInt64(offset))
    }

    /// Records of earlier versions are read, and written as those versions wrote them.
    @Test(arguments: [full, least])
    func `the text of a record does not change`(text: String) throws {
        let record = try Self.parse(text)
        #expect(JSONValue.object(UploadRecordText.json(record)).text == text)
    }

    @Test(arguments: ["active", "finalising", "cancelled", "expired", "invalid", "gone"])
    func `every state is read back`(state: String) throws {
        let text = Self.least.replacing("active", with: state)
            .replacing(#""digests""#, with: #""concatenation":{"partial":{}},"digests""#)
        #expect(JSONValue.object(UploadRecordText.json(try Self.parse(text))).text == text)
    }

    @Test(arguments: UploadProtocol.all)
    func `every protocol is read back`(dialect: UploadProtocol) throws {
        let text = Self.least.replacing("ietf-6", with: dialect.description)
        let record = try Self.parse(text)
        #expect(record.dialect == dialect)
        #expect(JSONValue.object(UploadRecordText.json(record)).text == text)
    }

    @Test func `a complete record is read field by field`() throws {
        let record = try Self.parse(Self.full)
        #expect(record.dialect == .tus && record.offset == 5 && record.endsAt == 9)
        #expect(record.state == .complete(StoredAnswer(201, ["Location": "/x"], body: [104, 105])))
        #expect(record.origin.digests == [ExpectedDigest(.sha256, [0, 255])])
        #expect(record.origin.concatenation?.isFinal(of: ["/u/a", "/u/b"]) == true)
    }

    @Test(arguments: [
        ("tus-1.0.0", "tus-2", "'dialect' has to be the name of an upload protocol"),
        ("[0,255]", "[0,256]", "'value' has to be a list of bytes"),
        ("sha512", "md5", "'wantedDigest' has to be the name of a digest"),
        (#""parts":["/u/a""#, #""parts":[1"#, "'parts' has to be texts"),
        ("complete", "done", "'complete' is not a JSON object"),
        (#"["Location","/x"]"#, #"["Location"]"#, "'fields' has to be pairs of name and value"),
        (#""status":201"#, #""status":true"#, "'status' has to be a whole number"),
        (#""identifier":"id","#, "", "'identifier' has to be a text"),
        (#""length":5"#, #""length":-1"#, "'length' has to be a whole number"),
    ])
    func `what does not fit is refused by name`(
        change: (from: String, to: String, message: String)
    ) throws {
        let error = #expect(throws: RecordError.self) {
            _ = try Self.parse(Self.full.replacing(change.from, with: change.to))
        }
        #expect(error?.description.contains(change.message) == true, "\(String(describing: error))")
    }
}

extension TusConcatenation {
    fileprivate func isFinal(of parts: [String]) -> Bool {
        if case .final(_, let mine) = self { mine == parts } else { false }
    }
}
