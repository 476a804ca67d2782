internal import Basics
internal import HTTPWire
package import ResumableClient
internal import SystemIO

/// A file as a part of `multipart/form-data` (RFC 7578): what stands before and after it.
package struct FormContent: Hashable, Sendable {
    let head: [UInt8]
    let tail: [UInt8]
    /// The value of `Content-Type`.
    package let contentType: String

    /// - Parameters:
    ///   - form: what the form says.
    ///   - name: of the file.
    ///   - source: the file; what is sent again later must have the same boundary.
    package init(_ form: FormChoice, fileNamed name: String, source: SourceIdentity) {
        let boundary = Self.boundary(form, name, source)
        var text = ""
        for field in form.fields {
            text += Self.partHead(boundary, field.name) + "\r\n\r\n\(field.value)\r\n"
        }
        text += Self.partHead(boundary, form.name) + "; filename=\"\(Self.quoted(name))\"\r\n"
        text += "Content-Type: application/octet-stream\r\n\r\n"
        head = Array(text.utf8)
        tail = Array("\r\n--\(boundary)--\r\n".utf8)
        contentType = "multipart/form-data; boundary=\(boundary)"
    }

    /// Made of all that the form is made of, so that it is the same after a pause, and nothing that
    /// was written before the file was can contain it.
    private static func boundary(
        _ form: FormChoice,
        _ name: String,
        _ source: SourceIdentity
    ) -> String {
        var facts = [
            form.name, name, "\(source.size)", "\((source.modified ?? .zero).nanoseconds)",
        ]
        for field in form.fields { facts += [field.name, field.value] }
        let text = facts.map { "\($0.utf8.count):\($0)" }.joined()
        let digest = SHA256.digest(Array(text.utf8))
        return "linkcond-\(HexadecimalText.encode(Array(digest.prefix(16))))"
    }

    private static func partHead(_ boundary: String, _ name: String) -> String {
        "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(quoted(name))\""
    }

    /// As browsers write names (the HTML standard, "multipart/form-data encoding algorithm").
    private static func quoted(_ name: String) -> String {
        PercentEncoding.escape("\"\r\n", in: name)
    }
}
