package import Basics
package import HTTPWire
package import Journal

// What the fields of a message say, as numbers.
extension ReportedFields {
    /// `Upload-Offset`, of tus and of the IETF draft.
    package var uploadOffset: UInt64? { number("upload-offset") }

    /// `Upload-Length`.
    package var uploadLength: UInt64? { number("upload-length") }

    /// `Upload-Complete`, or its older opposite `Upload-Incomplete`.
    package var uploadComplete: Bool? {
        switch (self["upload-complete"], self["upload-incomplete"]) {
        case ("?1", _), (nil, "?0"): true
        case ("?0", _), (nil, "?1"): false
        default: nil
        }
    }

    /// Whether the message belongs to a resumable upload.
    package var hasUploadFields: Bool {
        [
            "upload-offset", "upload-length", "upload-complete", "upload-incomplete",
            "upload-defer-length", "tus-resumable", "upload-draft-interop-version",
        ].contains { self[$0] != nil }
    }

    /// `Content-Length`.
    package var contentLength: UInt64? { number("content-length") }

    package var contentRange: ContentRange? { self["content-range"].flatMap { ContentRange($0) } }

    /// Where the first range of `Range` begins; nil for a suffix, several ranges or none.
    package var rangeStart: UInt64? {
        guard let ranges = self["range"].flatMap({ ByteRangeSet($0) }),
            ranges.specifiers.count == 1
        else {
            return nil
        }
        switch ranges.specifiers[0] {
        case .from(let start, _): return UInt64(clamping: start).bounded
        case .suffix: return nil
        }
    }

    package var entityTag: EntityTag? { self["etag"].flatMap { EntityTag(parsing: $0) } }

    /// `Retry-After`, and whether it was a date; nil if it is missing or garbage.
    package var retryAfter: (time: Duration, isDate: Bool)? {
        guard let value = self["retry-after"] else { return nil }
        var fields: HeaderFields = ["Retry-After": value]
        if let date = self["date"] { fields["Date"] = date }
        // Without a Date of its own a date means nothing here: a journal has no wall clock.
        let isDate = !value.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard !isDate || self["date"] != nil,
            let seconds = RetryAfter.seconds(fields, now: HTTPDate(secondsSince1970: 0))
        else {
            return nil
        }
        return (
            seconds < Duration.century.wholeSeconds ? .seconds(Int64(seconds)) : .century, isDate
        )
    }

    /// Whether `Retry-After` is a date, wherever it lies.
    var namesRetryDate: Bool {
        let epoch = HTTPDate(secondsSince1970: 0)
        return self["retry-after"].flatMap { HTTPDate($0, now: epoch) } != nil
    }

    private func number(_ name: String) -> UInt64? { self[name].flatMap { UInt64($0) }?.bounded }
}

extension UInt64 {
    /// At most 2⁵³, far more than any object has, so that sums of a few cannot overflow whatever a
    /// journal says.
    var bounded: UInt64 { Swift.min(self, 1 << 53) }

    /// Adds up to the largest number there is.
    mutating func add(_ other: UInt64) {
        let (sum, overflow) = addingReportingOverflow(other)
        self = overflow ? .max : sum
    }
}

extension RequestReport {
    /// Content bytes that the head declares, 0 for none; nil if it does not say.
    var declaredLength: UInt64? {
        switch framing {
        case .none: 0
        case .length(let length): length.bounded
        case .chunked, .close: nil
        }
    }
}
