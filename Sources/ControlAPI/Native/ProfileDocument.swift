internal import Basics
internal import Faults
internal import LinkProfile

/// A profile as a document; amounts are texts with units.
enum ProfileDocument {
    static func json(_ profile: Profile) -> JSONValue {
        [
            "name": .string(profile.name), "summary": .string(profile.summary),
            "source": .string(profile.source), "group": .string(profile.kind.title),
            "faults": .array(profile.faults.map { .string($0.canonicalText) }),
            "settable": .array(
                profile.settableKeys.map { key in
                    [
                        "key": .string(key.key), "value": .optional(key.value),
                        "help": .string(key.help), "form": .string(key.placeholder),
                        "words": .array(key.words.map { .string($0) }),
                    ]
                }
            ),
            "yaml": .string(profile.canonicalText),
        ]
    }
}
