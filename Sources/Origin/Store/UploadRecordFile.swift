internal import Basics
package import ResumableServer

/// What the file of an upload's record holds: the record as JSON, and two places for the offset.
///
/// The offset changes much more often than the rest, so it is written in place, in turn to one of two
/// places of one disk sector, each with a number and a check of its own. If a write is torn, the
/// other place still has the offset before it, which was true as well. All else changes by
/// replacing the whole file.
package struct UploadRecordFile: Hashable, Sendable {
    static let placeBytes = 64
    private static let headBytes = 2 * placeBytes

    package let record: UploadRecord
    /// Number of the latest offset.
    let sequence: UInt64

    // MARK: Writing

    /// A whole file.
    package static func bytes(of record: UploadRecord) -> [UInt8] {
        let place = place(offset: record.offset, sequence: 0)
        var bytes = place + place
        UploadRecordText.json(record).write(to: &bytes)
        return bytes + [UInt8(ascii: "\n")]
    }

    /// Where in the file the offset with this number stands.
    static func position(ofSequence sequence: UInt64) -> UInt64 {
        sequence % 2 * UInt64(placeBytes)
    }

    /// An offset as it stands in the file.
    static func place(offset: UInt64, sequence: UInt64) -> [UInt8] {
        let check = String(check(offset, sequence), radix: 16)
        let text = "\(padded(sequence, 20)) \(padded(offset, 20)) \(padded(check, 16))"
        let filler = String(repeating: " ", count: placeBytes - 1 - text.utf8.count)
        return Array("\(text)\(filler)\n".utf8)
    }

    private static func padded(_ value: some CustomStringConvertible, _ width: Int) -> String {
        let text = value.description
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }

    /// Two finalizers of SplitMix64 (Steele, Lea, Flood 2014): against torn writes, not enemies.
    private static func check(_ offset: UInt64, _ sequence: UInt64) -> UInt64 {
        var mix = offset
        for addend in [sequence, 0x6C69_6E6B_636F_6E64] {
            mix = mix &+ addend &* 0x9E37_79B9_7F4A_7C15
            mix = (mix ^ (mix >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mix = (mix ^ (mix >> 27)) &* 0x94D0_49BB_1331_11EB
            mix ^= mix >> 31
        }
        return mix
    }

    // MARK: Reading

    /// Reads a file; nil if it is damaged.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count > Self.headBytes,
            let value = try? JSONParser.parse(bytes[Self.headBytes...])
        else {
            return nil
        }
        let places = [0, Self.placeBytes].compactMap {
            Self.place(bytes[$0..<$0 + Self.placeBytes])
        }
        guard let latest = places.max(by: { $0.sequence < $1.sequence }),
            let record = try? UploadRecordText.parse(value, offset: latest.offset)
        else {
            return nil
        }
        self.record = record
        sequence = latest.sequence
    }

    private static func place(_ bytes: ArraySlice<UInt8>) -> (sequence: UInt64, offset: UInt64)? {
        let words = String(decoding: bytes, as: UTF8.self)
            .split { $0 == " " || $0 == "\n" }
        guard words.count == 3, let sequence = UInt64(words[0]), let offset = UInt64(words[1]),
            UInt64(words[2], radix: 16) == check(offset, sequence)
        else {
            return nil
        }
        return (sequence, offset)
    }
}
