/// Parts of a URL as it stands in a message, without any check of the rest.
package enum URLText {
    /// Where the authority stands in `scheme://authority/path` or `//authority/path`; nil for a URL
    /// without one.
    package static func authority(in bytes: ArraySlice<UInt8>) -> Range<Int>? {
        let slash = UInt8(ascii: "/")
        let scheme = bytes.prefix { $0 != slash && $0 != UInt8(ascii: "?") }
        let begin = scheme.endIndex + 2
        guard scheme.isEmpty || scheme.last == UInt8(ascii: ":"),
            bytes[scheme.endIndex...].starts(with: [slash, slash])
        else {
            return nil
        }
        let end = bytes[begin...].firstIndex { $0 == slash || $0 == UInt8(ascii: "?") }
        return begin..<(end ?? bytes.endIndex)
    }

    /// The path with its query that a `Location` stands for, which answered a request for `base`.
    ///
    /// Dot segments stay as they are.
    ///
    /// - Parameters:
    ///   - location: a URL or a relative reference.
    ///   - base: the target of the request.
    /// - Returns: the path; equal URLs have equal ones.
    package static func path(of location: String, base: String) -> String {
        let bytes = Array(location.utf8)[...]
        if let authority = authority(in: bytes) {
            let path = String(decoding: bytes[authority.upperBound...], as: UTF8.self)
            return path.isEmpty ? "/" : path
        }
        guard bytes.first != UInt8(ascii: "/") else { return location }
        let basePath = Array(path(of: base, base: "/").utf8)
            .prefix { $0 != UInt8(ascii: "?") }
        let folder = basePath[...(basePath.lastIndex(of: UInt8(ascii: "/")) ?? 0)]
        return String(decoding: folder, as: UTF8.self) + location
    }
}

extension URLText {
    /// The authority that a URL names; nil for a relative reference.
    package static func authority(of text: String) -> String? {
        let bytes = Array(text.utf8)
        return authority(in: bytes[...]).map { String(decoding: bytes[$0], as: UTF8.self) }
    }
}
