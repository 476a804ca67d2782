/// What follows a value behind semicolons: `; name=token; name="quoted"` (RFC 9110 §5.6.6).
package struct FieldParameters: Hashable, Sendable {
    package struct Parameter: Hashable, Sendable {
        /// In small letters.
        package let name: String
        /// Without quotes and escapes.
        package let value: String
    }

    package private(set) var parameters: [Parameter] = []

    /// Reads from a semicolon to the end of the text or to a comma.
    ///
    /// Empty parameters, as in `a;;b=c;`, are passed over; nil if a name comes twice or something
    /// else stands there.
    init?(_ scanner: inout FieldScanner) {
        var names: Set<String> = []
        scanner.skipBlanks()
        while scanner.skip(";") {
            scanner.skipBlanks()
            if let name = scanner.token()?.asciiLowercased {
                guard scanner.skip("="), let value = scanner.token() ?? scanner.quotedString(),
                    names.insert(name).inserted
                else {
                    return nil
                }
                parameters.append(Parameter(name: name, value: value))
                scanner.skipBlanks()
            }
        }
        guard scanner.isAtEnd || scanner.next == UInt8(ascii: ",") else { return nil }
    }

    /// The value under a name, which is given in small letters.
    package subscript(name: String) -> String? {
        parameters.first { $0.name == name }?.value
    }

    /// With a semicolon before each, values quoted where they must be.
    package var text: String {
        parameters.map { "; \($0.name)=\(QuotedString.tokenOrQuoted($0.value))" }.joined()
    }
}

extension FieldParameters: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, String)...) {
        parameters = elements.map { Parameter(name: $0.0.asciiLowercased, value: $0.1) }
    }
}
