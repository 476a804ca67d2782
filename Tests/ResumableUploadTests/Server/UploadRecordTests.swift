import Foundation
import HTTPWire
import ResumableUpload
import Testing

@Suite struct UploadRecordTests {
    @Test(arguments: UploadProtocol.all)
    func `a record is written and read without loss, in every state`(
        dialect: UploadProtocol
    ) throws {
        for start in UploadStateTableTests.starts(dialect) {
            guard let record = UploadStateTableTests.bench(dialect, start).record else { continue }
            let data = try JSONEncoder().encode(record)
            #expect(try JSONDecoder().decode(UploadRecord.self, from: data) == record)
        }
    }

    @Test func `digests, concatenation and the target's fields are kept`() throws {
        var bench = UploadBench()
        bench.stored = StoredAnswer(200, ["A": "1", "a": "2"], body: [0, 255])
        let fields: HeaderFields = ["Repr-Digest": "sha-512=:AQID:"]
        bench.digests = [ExpectedDigest(.sha512, [1, 2, 3])]
        bench.send(UploadHeads.creation(.ietf(.v8), fields), bytes: 100)
        let record = try #require(bench.record)
        #expect(record.state == .complete(bench.stored))
        let data = try JSONEncoder().encode(record)
        #expect(try JSONDecoder().decode(UploadRecord.self, from: data) == record)
    }

    @Test func `a record of an unknown protocol is refused`() throws {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([UploadProtocol].self, from: Data("[\"ietf-7\"]".utf8))
        }
    }
}
