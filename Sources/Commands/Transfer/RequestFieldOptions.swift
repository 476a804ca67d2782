internal import Arguments
internal import HTTPWire
internal import SystemIO

/// `--header`: fields as arguments and from files.
enum RequestFieldOptions {
    /// The most bytes of a file with fields.
    private static let fileLimit = 65_536

    /// Fields whose values nobody else may see.
    private static let secret = ["authorization", "cookie", "proxy-authorization"]

    static func fields(_ values: [String]) throws(Failure) -> HeaderFields {
        var fields = HeaderFields()
        for value in values {
            if value.hasPrefix("@") {
                try add(file: String(value.dropFirst()), to: &fields)
                continue
            }
            let field = try parse(value, place: "--header")
            if secret.contains(field.name.lowercased()) {
                throw Failure(
                    .usage,
                    "--header \(field.name): other users see arguments; put the field into a file"
                        + " and give --header @FILE"
                )
            }
            fields.add(field.name, field.value)
        }
        return fields
    }

    private static func add(file: String, to fields: inout HeaderFields) throws(Failure) {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileSystem.read(file, limit: fileLimit)
        } catch {
            throw Failure(.inputMissing, "--header @\(file): \(error)")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in lines.enumerated() {
            if line.allSatisfy({ $0 == " " || $0 == "\t" }) { continue }
            let field = try parse(String(line), place: "\(file), line \(index + 1)")
            fields.add(field.name, field.value)
        }
    }

    private static func parse(
        _ text: String,
        place: String
    ) throws(Failure) -> HeaderFields.Field {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else {
            throw Failure(.usage, "\(place): a field looks like 'Name: value'")
        }
        // A field's bytes are held as scalars of the same number.
        let bytes = trimmed(parts[1]).utf8
        let value = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        let field = HeaderFields.Field(String(parts[0]), value)
        guard MessageWriter.canWrite(field) else {
            throw Failure(.usage, "\(place): '\(parts[0])' is no name of a field, or its value")
        }
        return field
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
