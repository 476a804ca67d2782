import ResumableServer
import Testing

@testable import Origin

@Suite struct UploadRecordFileTests {
    private let record: UploadRecord

    init() throws { record = try SampleRecord.ofNewUpload() }

    private func bytes(places: [(Int, offset: UInt64, sequence: UInt64)]) throws -> [UInt8] {
        var bytes = UploadRecordFile.bytes(of: record)
        for (place, offset, sequence) in places {
            let start = place * UploadRecordFile.placeBytes
            let new = UploadRecordFile.place(offset: offset, sequence: sequence)
            bytes.replaceSubrange(start..<start + new.count, with: new)
        }
        return bytes
    }

    @Test func `a record is read back as it was written`() throws {
        let file = try #require(UploadRecordFile(UploadRecordFile.bytes(of: record)))
        #expect(file.record == record && file.sequence == 0)
    }

    @Test func `the latest offset counts, in whichever place it stands`() throws {
        for places in [[(1, 5, 1)], [(1, 5, 1), (0, 9, 2)], [(0, 9, 2), (1, 12, 3)]] {
            let written = places.map { ($0.0, offset: UInt64($0.1), sequence: UInt64($0.2)) }
            let file = try #require(UploadRecordFile(try bytes(places: written)))
            #expect(file.record.offset == written.last?.offset)
            #expect(file.sequence == written.last?.sequence)
            for (place, _, sequence) in written {
                #expect(UploadRecordFile.position(ofSequence: sequence) == UInt64(place * 64))
            }
        }
    }

    /// A write of a place may end anywhere when the power goes.
    @Test func `a torn offset leaves the one before it`() throws {
        let before = try bytes(places: [(1, 1_000, 1), (0, 2_000, 2)])
        let after = UploadRecordFile.place(offset: 3_000, sequence: 3)
        for count in 0..<after.count {
            var torn = before
            torn.replaceSubrange(64..<64 + count, with: after[..<count])
            let file = try #require(UploadRecordFile(torn), "\(count)")
            #expect(file.record.offset == 2_000 || (file.record.offset == 3_000 && count >= 58))
        }
    }

    @Test func `a flipped bit in an offset is noticed`() throws {
        let good = try bytes(places: [(1, 1_000, 1)])
        for index in 64..<123 {
            for bit in 0..<8 {
                var bad = good
                bad[index] ^= 1 << bit
                guard let file = UploadRecordFile(bad) else { continue }
                #expect(file.record.offset == 0 || file.record.offset == 1_000, "\(index) \(bit)")
            }
        }
    }

    @Test func `a damaged file is no record`() throws {
        let good = UploadRecordFile.bytes(of: record)
        #expect(UploadRecordFile([]) == nil)
        for count in [64, 128, 129, 200, good.count - 3] {
            #expect(UploadRecordFile(Array(good[..<count])) == nil, "\(count)")
        }
    }
}
