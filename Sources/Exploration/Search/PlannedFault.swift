/// One fault of a point: a place and what happens there.
package struct PlannedFault: Hashable, Sendable, Comparable {
    package var place: FaultPlace
    /// As a schedule line writes it: `fin`, `stall(1s)`.
    package var effect: String
    /// In order, such as `see=104` or `times=all`.
    package var arguments: [String]

    package init(_ place: FaultPlace, _ effect: String, _ arguments: [String] = []) {
        self.place = place
        self.effect = effect
        self.arguments = arguments
    }

    /// Reads the canonical text of a fault; nil for a form that this search does not make.
    package init?(parsing text: Substring) {
        // A path has no `=`: it would be percent-encoded.
        guard let equals = text.firstIndex(of: "="),
            let place = FaultPlace(parsing: text[..<equals])
        else {
            return nil
        }
        let parts = Self.split(text[text.index(after: equals)...])
        guard let effect = parts.first, !effect.isEmpty else { return nil }
        self.init(place, effect, Array(parts.dropFirst()))
    }

    /// Splits at commas outside parentheses.
    private static func split(_ text: Substring) -> [String] {
        var parts = [""]
        var depth = 0
        for character in text {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if character == ",", depth == 0 {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        return parts
    }

    package var text: String {
        "\(place.text)=\(effect)" + arguments.map { ",\($0)" }.joined()
    }

    /// The effect's name without its values.
    package var effectName: String { String(effect.prefix { $0 != "(" }) }

    /// Effect and arguments: what tells two faults at one place apart.
    package var deed: String { ([effect] + arguments).joined(separator: ",") }

    /// Whether it acts on every try, so that a client cannot outlast it.
    package var isPermanent: Bool {
        guard !arguments.contains(where: { $0.hasPrefix("times=") }) else { return false }
        return switch place.target {
        case .connection(.every), .request(connection: .every, request: _),
            .matching(_, _, .every), .object(_, .every):
            true
        default: false
        }
    }

    package static func < (a: PlannedFault, b: PlannedFault) -> Bool {
        a.place == b.place ? a.text < b.text : a.place < b.place
    }
}
