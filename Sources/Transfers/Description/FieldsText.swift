internal import Basics
internal import HTTPWire

/// Fields as a list of name and value pairs.
enum FieldsText {
    static func json(_ fields: HeaderFields) -> JSONValue {
        .array(fields.fields.map { .array([.string($0.name), .string($0.value)]) })
    }

    static func parse(_ values: [JSONValue]) throws(RecordError) -> HeaderFields {
        var fields = HeaderFields()
        for value in values {
            guard case .array(let pair) = value, pair.count == 2, case .string(let name) = pair[0],
                case .string(let text) = pair[1]
            else {
                throw RecordError("a field is a list of its name and its value")
            }
            fields.add(name, text)
        }
        return fields
    }
}
