internal import Basics
internal import HTTPWire

/// One part of a `multipart/byteranges` (RFC 9110 §14.6).
struct ByteRangesPart: Hashable {
    let range: Range<Int>
    let total: Int?
    let bytes: [UInt8]

    var text: String { ContentRange.part(range, of: total).text }

    /// All parts of a content; nil if it does not follow the grammar, or a part does not say which bytes
    /// it holds.
    static func all(in body: [UInt8], boundary: String) -> [ByteRangesPart]? {
        let delimiter = Array("\r\n--\(boundary)".utf8)
        // The first delimiter may have no line before it.
        let pieces = (Array("\r\n".utf8) + body)
            .pieces(between: delimiter)
        guard pieces.count >= 3, pieces.last?.starts(with: "--".utf8) == true else { return nil }
        var parts: [ByteRangesPart] = []
        for piece in pieces.dropFirst().dropLast() {
            guard let part = part(piece) else { return nil }
            parts.append(part)
        }
        return parts
    }

    private static func part(_ piece: ArraySlice<UInt8>) -> ByteRangesPart? {
        guard let end = piece.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: piece[..<end.lowerBound], as: UTF8.self)
            .split(separator: "\r\n")
        for line in lines {
            let words = line.split(separator: ":", maxSplits: 1)
            guard words.count == 2, words[0].lowercased() == "content-range",
                case .part(let range, let total)? = ContentRange(
                    String(words[1].drop { $0 == " " || $0 == "\t" })
                )
            else { continue }
            return ByteRangesPart(
                range: range,
                total: total,
                bytes: Array(piece[end.upperBound...])
            )
        }
        return nil
    }
}
