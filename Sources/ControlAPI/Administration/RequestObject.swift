package import Basics

/// Reads the members of a JSON object, each by its type, and collects what is wrong.
///
/// A member that is null counts as not given. Call `finish` last: it refuses what was not asked for.
package struct RequestObject {
    private let object: JSONObject
    /// Of the object itself.
    package let pointer: String
    private var known: [String] = []
    private var mistakes: [Problem.Mistake] = []

    /// Reads a value that has to be an object.
    ///
    /// - Throws: a problem if it is another value.
    package init(_ value: JSONValue, at pointer: String = "") throws(Problem) {
        guard case .object(let object) = value else {
            throw .invalid(pointer, "expected an object, found \(value.kindName)")
        }
        self.object = object
        self.pointer = pointer
    }

    /// The pointer of a member.
    package func place(of key: String) -> String { pointer + JSONPointer.step(key) }

    /// A member as it is; nil if it is not given.
    package mutating func value(_ key: String) -> JSONValue? {
        known.append(key)
        guard let value = object[key], value != .null else { return nil }
        return value
    }

    /// Whether a member is given, be it null.
    package func has(_ key: String) -> Bool { object[key] != nil }

    package mutating func text(_ key: String) -> String? {
        guard let value = value(key) else { return nil }
        if case .string(let text) = value { return text }
        note(key, "expected a text, found \(value.kindName)")
        return nil
    }

    package mutating func truth(_ key: String) -> Bool? {
        guard let value = value(key) else { return nil }
        if case .bool(let truth) = value { return truth }
        note(key, "expected true or false, found \(value.kindName)")
        return nil
    }

    package mutating func number<Number: FixedWidthInteger>(
        _ key: String,
        in range: ClosedRange<Number>
    ) -> Number? {
        guard let value = value(key) else { return nil }
        if case .integer(let integer) = value, let number = Number(exactly: integer),
            range.contains(number)
        {
            return number
        }
        note(
            key,
            "expected a whole number from \(range.lowerBound) to \(range.upperBound),"
                + " found \(value.shown)"
        )
        return nil
    }

    /// One of the words of an enumeration.
    package mutating func choice<Choice: RawRepresentable & CaseIterable>(
        _ key: String,
        _ type: Choice.Type = Choice.self
    ) -> Choice? where Choice.RawValue == String {
        guard let text = text(key) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let words = Choice.allCases.map(\.rawValue)
        note(
            key,
            "expected one of \(words.joined(separator: ", ")), found \(JSONValue.string(text).shown)",
            suggestion: NearestName.of(text, among: words)
        )
        return nil
    }

    /// A text that is read by `parse`, which throws what is wrong with it.
    package mutating func parsed<Value, Failure: Error & CustomStringConvertible>(
        _ key: String,
        _ parse: (String) throws(Failure) -> Value
    ) -> Value? {
        guard let text = text(key) else { return nil }
        do throws(Failure) {
            return try parse(text)
        } catch {
            note(key, error.description)
            return nil
        }
    }

    package mutating func list(_ key: String) -> [JSONValue]? {
        guard let value = value(key) else { return nil }
        if case .array(let values) = value { return values }
        note(key, "expected a list, found \(value.kindName)")
        return nil
    }

    /// The same, but of a member that has to be given; read it first.
    package mutating func require<Value>(_ key: String, _ value: Value?, _ what: String) -> Value? {
        if value == nil, object[key] == nil || object[key] == .null {
            note(key, "is missing: \(what)")
        }
        return value
    }

    /// Notes a mistake of a member.
    package mutating func note(_ key: String, _ message: String, suggestion: String? = nil) {
        mistakes.append(.init(place(of: key), message, suggestion: suggestion))
    }

    /// Notes mistakes that were found elsewhere.
    package mutating func note(_ more: [Problem.Mistake]) { mistakes += more }

    /// Throws all mistakes, including unknown members.
    package mutating func finish() throws(Problem) {
        for member in object.members where !known.contains(member.key) {
            let nearest = NearestName.of(member.key, among: known)
            let hint =
                nearest.map { "; did you mean '\($0)'?" }
                ?? " (known: \(known.joined(separator: ", ")))"
            note(member.key, "unknown key\(hint)", suggestion: nearest)
        }
        guard mistakes.isEmpty else { throw .invalid(mistakes) }
    }
}

extension JSONValue {
    /// What kind of value this is, in words.
    package var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .integer, .decimal: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }
}
