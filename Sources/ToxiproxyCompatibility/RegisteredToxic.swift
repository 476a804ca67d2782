package import Basics
internal import Journal
internal import LinkEngine
package import Toxics

/// A toxic as clients see it.
package struct RegisteredToxic: Hashable, Sendable {
    /// Tells it from earlier ones of the same name.
    package let serial: UInt64
    package let name: String
    package let type: ToxicType
    /// As it was typed.
    package let stream: String
    package private(set) var toxicity: Float
    /// Of all attributes of the type, in their order.
    package private(set) var values: [Int64]
    package private(set) var action: ToxicAction

    /// Makes a toxic of what a request says.
    ///
    /// - Parameters:
    ///   - fields: what was passed over is added to its warnings.
    ///   - serial: a new number.
    ///   - isTaken: whether a name is in use.
    /// - Throws: 400 or 409, in the order of Toxiproxy's checks.
    package init(
        _ fields: inout ToxicFields,
        serial: UInt64,
        isTaken: (String) -> Bool
    ) throws(ToxiproxyError) {
        let stream = fields.stream ?? "downstream"
        guard Self.direction(stream) != nil else { throw .invalidStream }
        guard let type = fields.type.flatMap(ToxicType.init) else { throw .invalidType }
        let given = fields.name ?? ""
        let name = given.isEmpty ? "\(type.rawValue)_\(stream)" : given
        guard !isTaken(name) else { throw .toxicExists }
        let values = try fields.values(of: type)
        action = try type.action(values)
        self.serial = serial
        self.name = name
        self.type = type
        self.stream = stream
        self.values = values
        toxicity = fields.toxicity ?? 1
    }

    /// This toxic with new attributes and toxicity; all or nothing.
    package func updated(_ fields: inout ToxicFields) throws(ToxiproxyError) -> RegisteredToxic {
        var new = self
        new.values = try fields.values(of: type, over: values)
        new.action = try type.action(new.values)
        new.toxicity = fields.toxicity ?? toxicity
        return new
    }

    /// What is accepted and probably not meant.
    package var warnings: [String] {
        var warnings = type.warnings(values)
        if toxicity < 0 { warnings.append("a toxicity below 0 acts as 0") }
        if toxicity > 1 { warnings.append("a toxicity above 1 acts as 1") }
        return warnings
    }

    var isUpstream: Bool { Self.direction(stream) == .up }

    package var toxic: Toxic {
        Toxic(
            serial: serial,
            name: name,
            direction: isUpstream ? .up : .down,
            action: action,
            chance: chance
        )
    }

    /// The toxicity in steps of 2⁻⁵³, which every number of 32 bits from 0 to 1 is within.
    private var chance: Probability {
        let steps = UInt64(1) << 53
        let scaled = (Double(min(max(toxicity, 0), 1)) * Double(steps)).rounded(.up)
        return Probability(UInt64(scaled), outOf: steps) ?? .one
    }

    package var json: JSONValue {
        var attributes = JSONObject()
        for (name, value) in zip(type.attributes, values) {
            attributes.appendNew(name, .number(value))
        }
        return .object([
            "attributes": .object(attributes), "name": .string(name),
            "type": .string(type.rawValue), "stream": .string(stream),
            "toxicity": GoJSON.number(toxicity),
        ])
    }

    private static func direction(_ stream: String) -> Direction? {
        switch stream.lowercased() {
        case "upstream": .up
        case "downstream": .down
        default: nil
        }
    }
}
