internal import Basics
internal import Faults
internal import LinkEngine
internal import LinkProfile

/// A profile as JSON; amounts are text with units.
enum ProfileJSON {
    static func value(_ profile: Profile) -> JSONValue {
        [
            "name": .string(profile.name), "summary": .string(profile.summary),
            "source": .string(profile.source), "confirmed": .bool(profile.isConfirmed),
            "down": direction(profile.link.down), "up": direction(profile.link.up),
            "path": [
                "interface": .string(profile.path.interface.rawValue),
                "expensive": .bool(profile.path.isExpensive),
                "constrained": .bool(profile.path.isConstrained),
                "onDemand": profile.path.onDemand.map { .string(Quantity.readable($0)) } ?? .null,
            ],
            "faults": .array(profile.faults.map { .string($0.canonicalText) }),
            "parameters": .array(
                profile.parameters.map { parameter in
                    [
                        "name": .string(parameter.name), "value": .string(parameter.value),
                        "default": .string(parameter.defaultValue),
                        "allowed": .string(parameter.allowed), "help": .string(parameter.help),
                    ]
                }
            ),
            "settable": .array(
                profile.settableKeys.map { key in
                    [
                        "key": .string(key.key), "value": .optional(key.value),
                        "help": .string(key.help),
                    ]
                }
            ),
        ]
    }

    private static func direction(_ path: PathSettings) -> JSONValue {
        let rate: JSONValue =
            switch path.capacity {
            case .unlimited: .null
            case .rate(let rate): .string(Quantity.readable(rate))
            case .trace(let trace): .string("\(trace.meanBitsPerSecond)bit/s")
            }
        return [
            "rate": rate, "delay": .string(Quantity.readable(path.delay)),
            "loss": .optional(LinkDescription.loss(path.loss)),
            "description": .string(LinkDescription.direction(path)),
        ]
    }
}
