import Basics
internal import YAML

/// A kind of value in profiles: how it is read, written and described.
struct ValueForm<Value: Sendable>: Sendable {
    /// Stands for the value where there is none, as `SIZE` in `budget.soft=SIZE`.
    let placeholder: String
    /// The words that it takes, if it takes nothing else.
    var words: [String] = []
    /// Whether it may be a mapping, so that a path can lead into it.
    var isStructured = false
    /// Its JSON Schema.
    let schema: JSONValue
    /// Nil means that a mistake was reported.
    let read: @Sendable (Node, inout Diagnostics) -> Value?
    /// Canonical: it reads back as the same value.
    let text: @Sendable (Value) -> String
    /// For people.
    let readable: @Sendable (Value) -> String
}

extension ValueForm where Value: Equatable {
    /// One of a few words.
    static func word(_ words: [(word: String, meaning: Value)]) -> ValueForm {
        word(Keywords(words))
    }

    static func word(_ words: Keywords<Value>) -> ValueForm {
        ValueForm(
            placeholder: "WORD",
            words: words.words,
            schema: ProfileJSONSchema.words(words.words),
            read: { $1.keyword($0, words) },
            text: { words.word(for: $0) },
            readable: { words.word(for: $0) }
        )
    }
}

extension ValueForm<Bool> {
    static var truth: ValueForm {
        ValueForm(
            placeholder: "WORD",
            words: ["yes", "no"],
            schema: ProfileJSONSchema.truth,
            read: { $1.truth($0) },
            text: { ProfileWords.truth.word(for: $0) },
            readable: { ProfileWords.truth.word(for: $0) }
        )
    }
}

extension ValueForm<Duration> {
    static var time: ValueForm {
        ValueForm(
            placeholder: "TIME",
            schema: ProfileJSONSchema.time,
            read: { $1.duration($0) },
            text: { Quantity.text($0) },
            readable: { Quantity.readable($0) }
        )
    }
}

extension ValueForm<BitRate> {
    static var rate: ValueForm {
        ValueForm(
            placeholder: "RATE",
            schema: ProfileJSONSchema.text("a rate, as 64kbit/s"),
            read: { $1.rate($0) },
            text: { Quantity.text($0) },
            readable: { Quantity.readable($0) }
        )
    }
}

extension ValueForm<UInt64> {
    static var bytes: ValueForm {
        ValueForm(
            placeholder: "SIZE",
            schema: ProfileJSONSchema.text("bytes with a unit, as 50MB"),
            read: { $1.byteCount($0) },
            text: { byteCountText($0) },
            readable: { byteCountText($0) }
        )
    }
}

extension ValueForm<Int> {
    /// A whole number from 0.
    static func number(upTo limit: Int) -> ValueForm {
        ValueForm(
            placeholder: "NUMBER",
            schema: ProfileJSONSchema.number(upTo: limit),
            read: { node, diagnostics in
                guard let number = diagnostics.wholeNumber(node) else { return nil }
                guard number <= limit else {
                    diagnostics.report("'\(number)' is more than \(limit)", at: node.place)
                    return nil
                }
                return Int(number)
            },
            text: { String($0) },
            readable: { String($0) }
        )
    }
}
