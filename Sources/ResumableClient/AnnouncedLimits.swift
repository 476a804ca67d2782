internal import HTTPWire

/// What a server announces in `Upload-Limit`, or tus in `Tus-Max-Size`.
struct AnnouncedLimits: Hashable, Sendable {
    var largestUpload: UInt64?
    var smallestUpload: UInt64?
    var largestAppend: UInt64?
    /// Does not bind a request that carries the end.
    var smallestAppend: UInt64?

    init() {}

    /// From `Upload-Limit`, of which unknown keys are passed over.
    ///
    /// nil if it is missing, is no dictionary, or a known key has a value that is no integer from 0
    /// on.
    init?(_ fields: HeaderFields) {
        guard let dictionary = fields.structuredDictionary("Upload-Limit") else { return nil }
        for entry in dictionary.entries where Self.keys.contains(entry.key) {
            guard case .integer(let value)? = entry.value.value, value >= 0 else { return nil }
            take(entry.key, UInt64(value))
        }
    }

    private static let keys = [
        "max-size", "min-size", "max-append-size", "min-append-size", "expires", "max-age",
    ]

    private mutating func take(_ key: String, _ value: UInt64) {
        switch key {
        case "max-size": largestUpload = value
        case "min-size": smallestUpload = value
        case "max-append-size": largestAppend = value
        case "min-append-size": smallestAppend = value
        default: break
        }
    }

    /// Learns later limits of the same upload, which never tighten: what is known and wider stays.
    mutating func learn(_ later: AnnouncedLimits) {
        largestUpload = Self.wider(largestUpload, later.largestUpload, max)
        largestAppend = Self.wider(largestAppend, later.largestAppend, max)
        smallestUpload = Self.wider(smallestUpload, later.smallestUpload, min)
        smallestAppend = Self.wider(smallestAppend, later.smallestAppend, min)
    }

    private static func wider(
        _ known: UInt64?,
        _ later: UInt64?,
        _ choose: (UInt64, UInt64) -> UInt64
    ) -> UInt64? {
        guard let known, let later else { return known ?? later }
        return choose(known, later)
    }

    /// Why a source of this length cannot be uploaded; nil if it can.
    func refusal(of length: UInt64) -> String? {
        if let largestUpload, length > largestUpload {
            return "the upload has \(length) bytes, the server takes at most \(largestUpload)"
        }
        if let smallestUpload, length < smallestUpload {
            return "the upload has \(length) bytes, the server takes \(smallestUpload) or more"
        }
        return nil
    }

    /// The end of an append that begins at `offset`: as much as is allowed and `wanted`.
    func endOfAppend(from offset: UInt64, length: UInt64, wanted: UInt64?) -> UInt64 {
        var size = wanted ?? .max
        if let smallestAppend { size = max(size, smallestAppend) }
        if let largestAppend { size = min(size, largestAppend) }
        let left = length - min(offset, length)
        return length - left + min(max(size, 1), left)
    }
}
