import Basics

/// What a parameter measures.
enum ParameterKind: CaseIterable {
    case number, duration, rate, bytes, percentage, packets, word

    /// The kind that a default value shows by its unit.
    static func inferred(from text: String) -> ParameterKind {
        allCases.first { kind in
            if case .success = kind.read(text) { true } else { false }
        } ?? .word
    }

    /// What to write, for a message.
    var expected: String {
        switch self {
        case .number: "a whole number"
        case .duration: "a duration, like 80ms"
        case .rate: "a rate, like 64kbit/s"
        case .bytes: "a number of bytes, like 64KiB"
        case .percentage: "a percentage, like 0.5%"
        case .packets: "a number of packets, like 50packets"
        case .word: "a word of letters a-z, digits and hyphens"
        }
    }

    func read(_ text: String) -> Result<ParameterText, ParameterMistake> {
        do throws(QuantityError) {
            switch self {
            case .duration:
                let value = try Quantity.duration(text)
                return .success(made(Quantity.text(value), UInt64(value.nanoseconds)))
            case .rate:
                let value = try Quantity.bitRate(text)
                return .success(made(Quantity.text(value), value.bitsPerSecond))
            case .bytes:
                let value = try byteCountWithUnit(text)
                return .success(made(byteCountText(value), value))
            case .percentage:
                let value = try Quantity.probability(text)
                return .success(made(Quantity.text(value), value.threshold))
            case .number:
                if text.first != "+", let value = UInt64(text) {
                    return .success(made(String(value), value))
                }
            case .packets:
                if let value = PacketCount.whole(text) {
                    return .success(made(PacketCount.text(value), UInt64(value)))
                }
            case .word:
                if isProfileName(text), !(text.utf8.first.map { $0 <= UInt8(ascii: "9") } ?? true) {
                    return .success(made(text, 0))
                }
            }
        } catch {
            return .failure(ParameterMistake(error.description))
        }
        return .failure(ParameterMistake("'\(text)' is not \(expected)"))
    }

    private func made(_ text: String, _ magnitude: UInt64) -> ParameterText {
        ParameterText(kind: self, text: text, magnitude: magnitude)
    }
}

/// A value of a parameter in canonical form.
struct ParameterText: Hashable {
    let kind: ParameterKind
    let text: String
    /// In base units; 0 for words.
    let magnitude: UInt64
}
