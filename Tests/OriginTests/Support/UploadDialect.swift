import HTTPWire
import Testing

/// A version of the IETF's protocol as a client speaks it.
struct UploadDialect: Sendable, CustomTestStringConvertible {
    let version: Int

    static let all = [3, 5, 6, 8].map(UploadDialect.init)

    var testDescription: String { "interop \(version)" }

    var marker: (String, String) { ("Upload-Draft-Interop-Version", "\(version)") }

    /// Says whether the request carries the end.
    func says(last: Bool) -> (String, String) {
        version == 3
            ? ("Upload-Incomplete", last ? "?0" : "?1") : ("Upload-Complete", last ? "?1" : "?0")
    }

    func creation(last: Bool) -> [(String, String)] { [marker, says(last: last)] }

    func append(at offset: Int, last: Bool) -> [(String, String)] {
        var fields = [marker, ("Upload-Offset", "\(offset)"), says(last: last)]
        if version >= 6 { fields.append(("Content-Type", "application/partial-upload")) }
        return fields
    }

    /// Whether an answer says that the upload is complete.
    func isComplete(_ response: RawResponse) -> Bool? {
        let name = version == 3 ? "Upload-Incomplete" : "Upload-Complete"
        guard let value = response.head.fields.structuredBoolean(name) else { return nil }
        return version == 3 ? !value : value
    }
}
