/// The path of a request, decoded, with what a server should beware of.
///
/// Nothing is normalised: a path with hazards is for the server to refuse or to take literally.
package struct RequestPath: Hashable, Sendable {
    /// What could mean something else to the file system, or to another server, than it seems.
    package enum Hazard: Hashable, Sendable, CaseIterable {
        /// A percent sign without two hexadecimal digits; the segment is left undecoded.
        case badEscape
        /// `%00`.
        case nul
        /// Another control character.
        case control
        /// `%2F`: a slash that separates nothing.
        case encodedSlash
        /// A backslash, plain or encoded.
        case backslash
        /// A segment that is `.` or `..` when decoded.
        case dotSegment
        /// Two slashes in a row.
        case emptySegment
        /// A segment that is not UTF-8 when decoded; what is not becomes U+FFFD.
        case notUTF8
    }

    /// As it came.
    package let raw: String
    /// What stands between the slashes, decoded; the last is empty if the path ends in a slash.
    package let segments: [String]
    package let hazards: Set<Hazard>

    /// - Parameter raw: empty, or from its first slash up to a question mark.
    package init(_ raw: String) {
        self.raw = raw
        var hazards: Set<Hazard> = []
        let parts = raw.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        segments = parts.dropFirst().map { Self.decode($0, &hazards) }
        if parts.dropFirst().dropLast().contains(where: \.isEmpty) { hazards.insert(.emptySegment) }
        self.hazards = hazards
    }

    private static func decode(_ part: Substring.UTF8View, _ hazards: inout Set<Hazard>) -> String {
        guard let bytes = PercentEncoding.decode(part) else {
            hazards.insert(.badEscape)
            return String(Substring(part))
        }
        if bytes.contains(0) { hazards.insert(.nul) }
        if bytes.contains(where: { ($0 < 0x20 && $0 > 0) || $0 == 0x7F }) {
            hazards.insert(.control)
        }
        if bytes.contains(UInt8(ascii: "/")) { hazards.insert(.encodedSlash) }
        if bytes.contains(UInt8(ascii: "\\")) { hazards.insert(.backslash) }
        if bytes == [UInt8(ascii: ".")] || bytes == [UInt8(ascii: "."), UInt8(ascii: ".")] {
            hazards.insert(.dotSegment)
        }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        hazards.insert(.notUTF8)
        return String(decoding: bytes, as: UTF8.self)
    }
}
