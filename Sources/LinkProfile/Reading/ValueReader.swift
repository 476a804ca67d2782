import Basics
internal import YAML

/// The keys of one kind of mapping, closed: whatever else is written is a mistake.
protocol SchemaKey: RawRepresentable<String>, CaseIterable, Hashable {
    /// Keys people know from other tools, and what to write here.
    static var hints: [String: String] { get }
}

extension SchemaKey {
    static var hints: [String: String] { [:] }
}

/// A key of the schema with what was written for it.
struct Setting<Key: SchemaKey> {
    let key: Key
    let keyPlace: Place
    let value: Node
}

/// Turns nodes into values; nil means that a mistake was reported.
extension Diagnostics {
    /// The entries of a mapping; what is no key of the schema is reported and left out.
    mutating func settings<Key: SchemaKey>(
        of node: Node,
        _: Key.Type = Key.self,
        in what: String
    ) -> [Setting<Key>] {
        entries(of: node, Key.allCases.map(\.rawValue), Key.hints, in: what).compactMap { entry in
            Key(rawValue: entry.key).map {
                Setting(key: $0, keyPlace: entry.keyPlace, value: entry.value)
            }
        }
    }

    /// The entries of a mapping that are among the known ones; others are reported.
    mutating func entries(
        of node: Node,
        _ known: [String],
        _ hints: [String: String],
        in what: String
    ) -> [Node.Entry] {
        guard case .mapping(let entries) = node.value else {
            report(
                "expected \(what) as a mapping of \(known.listed("and")); "
                    + "found \(node.description)",
                at: node.place
            )
            return []
        }
        for entry in entries where !known.contains(entry.key) {
            let answer =
                if let hint = hints[entry.key] {
                    hint
                } else if let nearest = NearestName.of(entry.key, among: known) {
                    "did you mean '\(nearest)'?"
                } else {
                    "expected \(known.listed())"
                }
            report("unknown key '\(entry.key)'; \(answer)", at: entry.keyPlace)
        }
        return entries.filter { known.contains($0.key) }
    }

    /// A text without an outer structure.
    mutating func scalar(_ node: Node, expected: String) -> String? {
        guard case .scalar(let text) = node.value, !text.isEmpty else {
            report("expected \(expected); found \(node.description)", at: node.place)
            return nil
        }
        return text
    }

    mutating func items(_ node: Node, expected: String, limit: Int) -> [Node]? {
        guard case .sequence(let items) = node.value else {
            report("expected a list of \(expected); found \(node.description)", at: node.place)
            return nil
        }
        guard items.count <= limit else {
            report("\(items.count) \(expected); the limit is \(limit)", at: node.place)
            return nil
        }
        return items
    }

    mutating func keyword<Meaning>(_ node: Node, _ words: Keywords<Meaning>) -> Meaning? {
        guard let text = scalar(node, expected: words.words.listed()) else { return nil }
        if let meaning = words[text] { return meaning }
        let nearest = NearestName.of(text, among: words.words)
        let answer = nearest.map { "did you mean '\($0)'?" } ?? "expected \(words.words.listed())"
        report("unknown word '\(text)'; \(answer)", at: node.place)
        return nil
    }

    mutating func truth(_ node: Node) -> Bool? {
        guard let text = scalar(node, expected: "yes or no") else { return nil }
        if let meaning = ProfileWords.truth[text] { return meaning }
        report("expected yes or no; found '\(text)'", at: node.place)
        return nil
    }

    mutating func quantity<Value: Comparable>(
        _ node: Node,
        _ kind: QuantityError.Kind,
        within range: ClosedRange<Value>,
        text: (Value) -> String,
        read: (String) throws(QuantityError) -> Value
    ) -> Value? {
        let expected = "\(kind.name), like \(kind.example)"
        guard let written = scalar(node, expected: expected) else { return nil }
        do throws(QuantityError) {
            let value = try read(written)
            guard range.contains(value) else {
                let bounds = "\(text(range.lowerBound)) to \(text(range.upperBound))"
                report("'\(written)' is out of range; expected \(bounds)", at: node.place)
                return nil
            }
            return value
        } catch {
            report(error.description, at: node.place)
            return nil
        }
    }

    mutating func duration(
        _ node: Node,
        within range: ClosedRange<Duration> = ProfileLimits.delay
    ) -> Duration? {
        quantity(node, .duration, within: range, text: Quantity.text) {
            text throws(QuantityError) in try Quantity.duration(text)
        }
    }

    mutating func rate(_ node: Node) -> BitRate? {
        quantity(node, .bitRate, within: ProfileLimits.rate, text: Quantity.text) {
            text throws(QuantityError) in try Quantity.bitRate(text)
        }
    }

    mutating func byteCount(
        _ node: Node,
        within range: ClosedRange<UInt64> = ProfileLimits.bytes
    ) -> UInt64? {
        quantity(node, .byteCount, within: range, text: byteCountText) {
            text throws(QuantityError) in try byteCountWithUnit(text)
        }
    }

    mutating func probability(_ node: Node) -> Probability? {
        quantity(node, .probability, within: .zero ... .one, text: Quantity.text) {
            text throws(QuantityError) in try Quantity.probability(text)
        }
    }

    /// A plain count without a unit, such as a seed.
    mutating func wholeNumber(_ node: Node) -> UInt64? {
        guard let text = scalar(node, expected: "a whole number") else { return nil }
        if text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let number = UInt64(text)
        {
            return number
        }
        report("'\(text)' is not a whole number below 2^64", at: node.place)
        return nil
    }
}

/// A byte count as profiles write it: with its unit, so that it is not taken for kilobytes.
func byteCountWithUnit(_ text: String) throws(QuantityError) -> UInt64 {
    let count = try Quantity.byteCount(text)
    guard text.utf8.last.map({ $0 > UInt8(ascii: "9") }) ?? false else {
        throw QuantityError(text, kind: .byteCount, .missingUnit)
    }
    return count
}

/// The shortest whole number of a decimal or binary unit; decimal where both are as short.
func byteCountText(_ count: UInt64) -> String {
    let units: [(String, UInt64)] = [
        ("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000),
        ("B", 1), ("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10),
    ]
    guard count > 0 else { return "0B" }
    let forms = units.filter { count.isMultiple(of: $0.1) }.map { "\(count / $0.1)\($0.0)" }
    return forms.min { $0.utf8.count < $1.utf8.count } ?? "\(count)B"
}
