/// A media type with its parameters, as `multipart/form-data; boundary="x y"` (RFC 9110 §8.3.1).
package struct MediaType: Hashable, Sendable {
    /// In small letters.
    package let type: String
    /// In small letters.
    package let subtype: String
    package let parameters: FieldParameters

    package init(_ type: String, _ subtype: String, parameters: FieldParameters = [:]) {
        self.type = type.asciiLowercased
        self.subtype = subtype.asciiLowercased
        self.parameters = parameters
    }

    /// Reads a whole field value; nil if it is not a media type.
    package init?(_ text: String) {
        var scanner = FieldScanner(text)
        guard let type = scanner.token(), scanner.skip("/"), let subtype = scanner.token(),
            let parameters = FieldParameters(&scanner), scanner.isAtEnd
        else {
            return nil
        }
        self.init(type, subtype, parameters: parameters)
    }

    /// Type and subtype alone: `text/plain`.
    package var essence: String { "\(type)/\(subtype)" }

    package var text: String { essence + parameters.text }
}
