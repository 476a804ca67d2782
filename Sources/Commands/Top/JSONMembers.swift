internal import Basics

// What a document of the control API says.
extension JSONObject {
    /// A text; nil if the member is missing or something else.
    func text(_ key: String) -> String? {
        guard case .string(let text) = self[key] else { return nil }
        return text
    }

    /// A whole number that fits; nil if the member is missing or something else.
    func number<Number: FixedWidthInteger>(_ key: String) -> Number? {
        guard case .integer(let number) = self[key] else { return nil }
        return Number(exactly: number)
    }

    func truth(_ key: String) -> Bool? {
        guard case .bool(let truth) = self[key] else { return nil }
        return truth
    }

    func object(_ key: String) -> JSONObject? {
        guard case .object(let object) = self[key] else { return nil }
        return object
    }

    /// The objects of a list; what is no object is left out.
    func objects(_ key: String) -> [JSONObject] {
        guard case .array(let values) = self[key] else { return [] }
        return values.compactMap { value in
            if case .object(let object) = value { object } else { nil }
        }
    }

    /// The texts of a list; what is no text is left out.
    func texts(_ key: String) -> [String] {
        guard case .array(let values) = self[key] else { return [] }
        return values.compactMap { value in
            if case .string(let text) = value { text } else { nil }
        }
    }
}
