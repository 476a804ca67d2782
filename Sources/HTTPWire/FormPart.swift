/// What the fields of a part of a form say of it (RFC 7578 §4.2).
package struct FormPart: Hashable, Sendable {
    package let name: String
    /// What the sender calls the file; nil if this is no file.
    ///
    /// Not to be trusted: it may hold slashes, dots or anything else.
    package let fileName: String?
    package let contentType: MediaType?

    /// nil if the fields do not say which part of a form this is.
    package init?(_ fields: HeaderFields) {
        guard let text = fields["Content-Disposition"] else { return nil }
        var scanner = FieldScanner(text)
        guard scanner.token()?.asciiLowercased == "form-data",
            let parameters = Self.parameters(&scanner), let name = parameters["name"]
        else {
            return nil
        }
        self.name = name
        fileName = parameters["filename"]
        contentType = fields["Content-Type"].flatMap { MediaType($0) }
    }

    /// nil if a name comes twice or something else stands there.
    private static func parameters(_ scanner: inout FieldScanner) -> [String: String]? {
        var parameters: [String: String] = [:]
        scanner.skipBlanks()
        while scanner.skip(";") {
            scanner.skipBlanks()
            guard let name = scanner.token()?.asciiLowercased else { continue }
            guard scanner.skip("="), parameters[name] == nil,
                let value = quoted(&scanner) ?? scanner.token()
            else {
                return nil
            }
            parameters[name] = value
            scanner.skipBlanks()
        }
        return scanner.isAtEnd ? parameters : nil
    }

    /// Quoted text as browsers and curl write it.
    ///
    /// A backslash that does not stand before a quote or another one is only itself, as in
    /// `filename="C:\temp\x"`; the bytes are UTF-8, or are taken one by one if they are not.
    private static func quoted(_ scanner: inout FieldScanner) -> String? {
        guard scanner.skip("\"") else { return nil }
        var bytes: [UInt8] = []
        while let byte = scanner.take() {
            if byte == UInt8(ascii: "\"") {
                return String(validating: bytes, as: UTF8.self) ?? String(scalars: bytes)
            }
            let next = scanner.next
            let isEscape =
                byte == UInt8(ascii: "\\") && (next == UInt8(ascii: "\"") || next == byte)
            bytes.append(isEscape ? scanner.take() ?? byte : byte)
        }
        return nil
    }
}

extension MultipartReader {
    /// Begins to read a form; nil if the type is not `multipart/form-data` with a right boundary.
    package init?(
        form type: MediaType,
        limits: MessageLimits = MessageLimits(),
        maximumParts: Int = 1_000
    ) {
        guard type.essence == "multipart/form-data", let boundary = type.parameters["boundary"]
        else {
            return nil
        }
        self.init(boundary: boundary, limits: limits, maximumParts: maximumParts)
    }
}
