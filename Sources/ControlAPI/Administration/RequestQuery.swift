internal import Basics
internal import HTTPWire

/// The query of a request: known names, each once.
package struct RequestQuery {
    private let items: [QueryItem]

    /// - Throws: a problem for a name that is unknown or there twice.
    package init(_ request: ControlRequest, _ names: [String]) throws(Problem) {
        items = request.query
        for (index, item) in items.enumerated() {
            guard names.contains(item.name) else {
                let nearest = NearestName.of(item.name, among: names)
                let hint =
                    nearest.map { "; did you mean '\($0)'?" }
                    ?? " (known: \(names.joined(separator: ", ")))"
                throw Self.wrong(item.name, "unknown parameter\(hint)", suggestion: nearest)
            }
            guard !items[..<index].contains(where: { $0.name == item.name }) else {
                throw Self.wrong(item.name, "the parameter is there twice")
            }
        }
    }

    package func value(_ name: String) -> String? {
        items.first { $0.name == name }.map { $0.value ?? "" }
    }

    package func number<Number: FixedWidthInteger>(
        _ name: String,
        in range: ClosedRange<Number>
    ) throws(Problem) -> Number? {
        guard let text = value(name) else { return nil }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Number(text),
            range.contains(number)
        {
            return number
        }
        throw Self.wrong(
            name,
            "expected a whole number from \(range.lowerBound) to \(range.upperBound)"
        )
    }

    package func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String,
        _ type: Choice.Type
    ) throws(Problem) -> Choice? where Choice.RawValue == String {
        guard let text = value(name) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let words = Choice.allCases.map(\.rawValue)
        throw Self.wrong(
            name,
            "expected one of \(words.joined(separator: ", "))",
            suggestion: NearestName.of(text, among: words)
        )
    }

    package func truth(_ name: String) throws(Problem) -> Bool? {
        switch value(name) {
        case nil: return nil
        case "true", "": return true
        case "false": return false
        default: throw Self.wrong(name, "expected true or false")
        }
    }

    /// A value that `parse` reads, which throws what is wrong with it.
    package func parsed<Value, Failure: Error & CustomStringConvertible>(
        _ name: String,
        _ parse: (String) throws(Failure) -> Value
    ) throws(Problem) -> Value? {
        guard let text = value(name) else { return nil }
        do throws(Failure) {
            return try parse(text)
        } catch {
            throw Self.wrong(name, error.description)
        }
    }

    /// A problem with a parameter, whose pointer begins with a question mark.
    package static func wrong(
        _ name: String,
        _ message: String,
        suggestion: String? = nil
    ) -> Problem {
        Problem(
            400,
            "bad-query",
            "?\(name): \(message)",
            mistakes: [.init("?\(name)", message, suggestion: suggestion)]
        )
    }
}
