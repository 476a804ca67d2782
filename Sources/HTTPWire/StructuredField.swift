/// Structured fields as text (RFC 9651): the whole of the grammar, strictly, in both directions.
///
/// A field whose text does not parse is to be ignored as a whole (RFC 9651 §4.2); the accessors of
/// `HeaderFields` do that.
package enum StructuredField {
    /// Reads a field that is one item.
    package static func parseItem(_ text: String) throws(StructuredFieldError) -> StructuredItem {
        var parser = StructuredFieldParser(text)
        let item = try parser.item()
        try parser.end()
        return item
    }

    /// Reads a field that is a list; empty text is a list without members.
    package static func parseList(_ text: String) throws(StructuredFieldError) -> [StructuredMember]
    {
        var parser = StructuredFieldParser(text)
        let list = try parser.list()
        try parser.end()
        return list
    }

    /// Reads a field that is a dictionary; empty text is one without members.
    package static func parseDictionary(
        _ text: String
    ) throws(StructuredFieldError) -> StructuredDictionary {
        var parser = StructuredFieldParser(text)
        let dictionary = try parser.dictionary()
        try parser.end()
        return dictionary
    }

    /// Writes an item.
    ///
    /// - Throws: `StructuredFieldError` if a key, a string, a token or a number cannot be written.
    package static func serialize(_ item: StructuredItem) throws(StructuredFieldError) -> String {
        var serializer = StructuredFieldSerializer()
        try serializer.write(item)
        return serializer.text
    }

    /// Writes a list; one without members is empty text, for which no field should be sent.
    package static func serialize(
        _ list: [StructuredMember]
    ) throws(StructuredFieldError) -> String {
        var serializer = StructuredFieldSerializer()
        try serializer.write(list)
        return serializer.text
    }

    /// Writes a dictionary; one without members is empty text, for which no field should be sent.
    package static func serialize(
        _ dictionary: StructuredDictionary
    ) throws(StructuredFieldError) -> String {
        var serializer = StructuredFieldSerializer()
        try serializer.write(dictionary)
        return serializer.text
    }
}

/// Why text is not a structured field, or a value cannot be written as one.
package struct StructuredFieldError: Error, Hashable, Sendable {
    /// What is wrong, in words that complete "the field …".
    package let reason: String
    /// Bytes before the mistake in text; nil for a value.
    package let offset: Int?
}
