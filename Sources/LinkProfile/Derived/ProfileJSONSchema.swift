package import Basics

/// The JSON Schema (draft 7) of a profile's file, for editors.
///
/// It follows the keys that the reader knows: a new key does not build before it has its form here.
/// Values with units are texts; what is right for a reader of YAML alone, such as ranges, stays the
/// parser's affair.
package enum ProfileJSONSchema {
    package static var document: JSONValue {
        .object([
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": "A profile of linkcond", "type": "object", "additionalProperties": false,
            "properties": properties(ProfileKey.self, top),
        ])
    }

    private static func top(_ key: ProfileKey) -> JSONValue {
        switch key {
        case .name:
            ["type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,63}$"]
        case .summary: text("what it is like, on one line")
        case .kind: words(ProfileWords.kind.words)
        case .source: text("where its numbers come from")
        case .confirmed: truth
        case .extends: text("the name of a profile, or a file")
        case .parameters: ["type": "object", "description": "what --set can change by a name"]
        case .link: link
        case .path: ProfileSections.attributes.schema
        case .budget: ProfileSections.budget.schema
        case .dns: ProfileSections.nameLookup.schema
        case .faults:
            [
                "type": "array", "maxItems": .number(ProfileLimits.faults),
                "items": text("a fault, as c1:down+65536=rst"),
            ]
        case .handovers:
            either(
                words(["none"]),
                [
                    "type": "array", "maxItems": .number(ProfileLimits.outageWindows),
                    "items": mapping(HandoverKey.self, handover),
                ]
            )
        }
    }

    private static func handover(_ key: HandoverKey) -> JSONValue {
        switch key {
        case .at, .length: time
        case .to: text("the name of a profile, or a file")
        case .path: ProfileSections.attributes.schema
        case .link: link
        }
    }

    private static var link: JSONValue { mapping(LinkKey.all.map { ($0.name, $0.key.schema) }) }

    // MARK: Forms

    /// A parameter of the profile may stand for any value: `${name}`.
    private static let parameter: JSONValue = ["type": "string", "pattern": "\\$\\{[^}]+\\}"]

    static var time: JSONValue { text("a time with a unit, as 80ms") }

    static func text(_ description: String) -> JSONValue {
        ["type": "string", "minLength": 1, "description": .string(description)]
    }

    /// YAML reads yes and no as truth values in some editors, and as texts in others.
    static var truth: JSONValue {
        either(["type": "boolean"], words(ProfileWords.truth.words))
    }

    static func words(_ words: [String]) -> JSONValue {
        either(["enum": .array(words.map { .string($0) })], parameter)
    }

    static func either(_ forms: JSONValue...) -> JSONValue { ["anyOf": .array(forms)] }

    static func number(upTo limit: Int) -> JSONValue {
        either(["type": "integer", "minimum": 0, "maximum": .number(limit)], parameter)
    }

    static func mapping(_ keys: [(String, JSONValue)]) -> JSONValue {
        var object = JSONObject()
        for (key, form) in keys { object.append(key, form) }
        return ["type": "object", "additionalProperties": false, "properties": .object(object)]
    }

    private static func mapping<Key: SchemaKey>(
        _: Key.Type,
        _ form: (Key) -> JSONValue
    ) -> JSONValue {
        mapping(Key.allCases.map { ($0.rawValue, form($0)) })
    }

    private static func properties<Key: SchemaKey>(
        _: Key.Type,
        _ form: (Key) -> JSONValue
    ) -> JSONValue {
        var object = JSONObject()
        for key in Key.allCases { object.append(key.rawValue, form(key)) }
        return .object(object)
    }
}
