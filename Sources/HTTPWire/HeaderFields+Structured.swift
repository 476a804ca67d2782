/// Structured fields by name (RFC 9651).
///
/// All lines of a name count as one value. A field that is missing, does not parse or has another type
/// than asked for is nil: it is to be treated as absent (RFC 9651 §4.2). Parameters that are not asked
/// for are passed over, so `10;a=1` is the integer 10.
extension HeaderFields {
    package func structuredItem(_ name: String) -> StructuredItem? {
        guard let text = combined(name) else { return nil }
        return try? StructuredField.parseItem(text)
    }

    package func structuredList(_ name: String) -> [StructuredMember]? {
        guard let text = combined(name) else { return nil }
        return try? StructuredField.parseList(text)
    }

    package func structuredDictionary(_ name: String) -> StructuredDictionary? {
        guard let text = combined(name) else { return nil }
        return try? StructuredField.parseDictionary(text)
    }

    /// An integer of at most 15 digits, of either sign.
    package func structuredInteger(_ name: String) -> Int? {
        guard case .integer(let integer) = structuredItem(name)?.value else { return nil }
        return integer
    }

    package func structuredBoolean(_ name: String) -> Bool? {
        guard case .boolean(let boolean) = structuredItem(name)?.value else { return nil }
        return boolean
    }
}
