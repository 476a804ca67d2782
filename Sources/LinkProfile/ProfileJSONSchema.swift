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
        case .link: mapping(LinkKey.self, link)
        case .path: mapping(AttributesKey.self, attributes)
        case .budget: mapping(BudgetKey.self, budget)
        case .dns: mapping(NameLookupKey.self) { _ in time }
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
        case .path: mapping(AttributesKey.self, attributes)
        case .link: mapping(LinkKey.self, link)
        }
    }

    private static func link(_ key: LinkKey) -> JSONValue {
        switch key {
        case .down, .up: mapping(PathKey.self, path)
        case .rtt: time
        case .tcp: mapping(TCPKey.self, tcp)
        case .address: words(ProfileWords.indexing.words)
        case .crossTraffic: mapping(CrossTrafficKey.self, crossTraffic)
        case .rate: path(.rate)
        case .trace: path(.trace)
        case .delay: path(.delay)
        case .jitter: path(.jitter)
        case .loss: path(.loss)
        case .queue: path(.queue)
        case .outages: path(.outages)
        }
    }

    private static func path(_ key: PathKey) -> JSONValue {
        switch key {
        case .rate: text("a rate, as 50Mbit/s, or unlimited")
        case .trace: either(text("a file in mahimahi's format"), ["type": "object"])
        case .delay: time
        case .jitter: either(words(["none"]), ["type": "object", "maxProperties": 1])
        case .loss: either(text("none or a share, as 1%"), ["type": "object", "maxProperties": 1])
        case .queue: text("auto, 50packets or 64KiB")
        case .outages: either(words(["none"]), ["type": "array"], ["type": "object"])
        }
    }

    private static func tcp(_ key: TCPKey) -> JSONValue {
        switch key {
        case .behaviour: words(ProfileWords.behaviour.words)
        case .congestion: words(ProfileWords.congestion.words)
        case .handshake: truth
        }
    }

    private static func crossTraffic(_ key: CrossTrafficKey) -> JSONValue {
        switch key {
        case .flows:
            either(
                [
                    "type": "integer", "minimum": 0, "maximum": .number(ProfileLimits.crossFlows),
                ],
                parameter
            )
        case .direction: words(ProfileWords.direction.words)
        }
    }

    private static func attributes(_ key: AttributesKey) -> JSONValue {
        switch key {
        case .interface: words(ProfileWords.interface.words)
        case .expensive, .constrained: truth
        case .onDemand: time
        }
    }

    private static func budget(_ key: BudgetKey) -> JSONValue {
        switch key {
        case .soft, .hard: text("bytes with a unit, as 50MB")
        case .then: text("a rate, as 64kbit/s")
        case .atHard: words(ProfileWords.atHardLimit.words)
        }
    }

    // MARK: Forms

    /// A parameter of the profile may stand for any value: `${name}`.
    private static let parameter: JSONValue = ["type": "string", "pattern": "\\$\\{[^}]+\\}"]

    private static var time: JSONValue { text("a time with a unit, as 80ms") }

    private static func text(_ description: String) -> JSONValue {
        ["type": "string", "minLength": 1, "description": .string(description)]
    }

    /// YAML reads yes and no as truth values in some editors, and as texts in others.
    private static var truth: JSONValue {
        either(["type": "boolean"], words(ProfileWords.truth.words))
    }

    private static func words(_ words: [String]) -> JSONValue {
        either(["enum": .array(words.map { .string($0) })], parameter)
    }

    private static func either(_ forms: JSONValue...) -> JSONValue { ["anyOf": .array(forms)] }

    private static func mapping<Key: SchemaKey>(
        _ keys: Key.Type,
        _ form: (Key) -> JSONValue
    ) -> JSONValue {
        [
            "type": "object", "additionalProperties": false,
            "properties": properties(keys, form),
        ]
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
