/// Parts of a URL as it stands in a message, without any check of the rest.
enum URLText {
    /// Where the authority stands in `scheme://authority/path` or `//authority/path`; nil for a URL
    /// without one.
    static func authority(in bytes: ArraySlice<UInt8>) -> Range<Int>? {
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
    static func path(of location: String, base: String) -> String {
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
