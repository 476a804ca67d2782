internal import Basics

/// Why text is not an expectation, and where.
package struct ExpectationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Characters, from 1.
    package let column: Int
    /// What is wrong and what would be right, in one line.
    package let description: String
}

extension Expectation {
    /// Reads an expectation.
    ///
    /// - Parameters:
    ///   - text: as in `exit=0,R2,attempts<=5`.
    ///   - nearest: finds the known name that a mistyped one most likely means.
    /// - Throws: the first mistake.
    package init(
        parsing text: String,
        nearest: @escaping (_ name: String, _ names: [String]) -> String? = { _, _ in nil }
    ) throws(ExpectationError) {
        var items: [Item] = []
        var column = 1
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            var item = ExpectationItemParser(part, column: column, nearest: nearest)
            items.append(Item(text: String(part), demand: try item.parse()))
            column += part.count + 1
        }
        self.items = items
    }
}

/// Reads one item of an expectation.
private struct ExpectationItemParser {
    private let text: Substring
    private let column: Int
    private let nearest: (String, [String]) -> String?

    init(_ text: Substring, column: Int, nearest: @escaping (String, [String]) -> String?) {
        self.text = text
        self.column = column
        self.nearest = nearest
    }

    mutating func parse() throws(ExpectationError) -> Expectation.Demand {
        let name = String(text.prefix { !"<>=!".contains($0) })
        let rest = text.dropFirst(name.count)
        guard !name.isEmpty else {
            throw error("expected 'pass', a check such as R2, or a limit such as attempts<=5")
        }
        if rest.isEmpty { return try alone(name) }
        let comparison = try comparison(rest, after: name.count)
        let value = String(rest.dropFirst(comparison.rawValue.count))
        let place = name.count + comparison.rawValue.count
        if let property = Expectation.properties.first(where: { $0.name == name }) {
            guard comparison == .equal, property.words.contains(value) else {
                throw error(
                    "'\(name)' can only be demanded as \(name)=\(property.words[0])",
                    after: place
                )
            }
            return .check(property.check)
        }
        guard let quantity = Expectation.Quantity(rawValue: name) else { throw unknown(name) }
        return .quantity(quantity, comparison, try number(value, of: quantity, after: place))
    }

    private func alone(_ name: String) throws(ExpectationError) -> Expectation.Demand {
        if name == "pass" { return .pass }
        if name == "fail" { return .failure }
        if let check = Check(rawValue: name) { return .check(check) }
        if Expectation.Quantity(rawValue: name) != nil {
            throw error(
                "'\(name)' needs a limit, as in \(name)<=\(example(name))",
                after: name.count
            )
        }
        if let property = Expectation.properties.first(where: { $0.name == name }) {
            throw error("'\(name)' needs a word: \(name)=\(property.words[0])", after: name.count)
        }
        throw unknown(name)
    }

    private func example(_ name: String) -> String {
        switch name {
        case "metered": "2MB"
        case "resent": "64KiB"
        case "time": "30s"
        case "wire": "1.25"
        default: "5"
        }
    }

    private func comparison(
        _ rest: Substring,
        after place: Int
    ) throws(ExpectationError) -> Expectation.Comparison {
        for comparison in Expectation.Comparison.allCases where rest.hasPrefix(comparison.rawValue)
        {
            return comparison
        }
        throw error("expected <=, >=, <, >, = or !=", after: place)
    }

    private func number(
        _ value: String,
        of quantity: Expectation.Quantity,
        after place: Int
    ) throws(ExpectationError) -> Double {
        if quantity == .time { return try time(value, after: place) }
        let units =
            quantity == .metered || quantity == .resent ? Self.byteUnits : [("", 1)]
        let digits = value.prefix { $0.isASCII && $0.isNumber || $0 == "." }
        let unit = value.dropFirst(digits.count)
        guard let number = Double(digits), digits.first != ".", digits.last != "." else {
            throw error(
                "expected a number, as in \(quantity)<=\(example(quantity.rawValue))",
                after: place
            )
        }
        guard let factor = units.first(where: { $0.0 == unit })?.1 else {
            throw error(
                units.count == 1
                    ? "'\(quantity)' has no unit"
                    : "expected a unit: \(units.map(\.0).joined(separator: ", "))",
                after: place + digits.count
            )
        }
        guard quantity == .wire || units.count > 1 || !digits.contains(".") else {
            throw error("'\(quantity)' is a whole number", after: place)
        }
        return number * factor
    }

    private func time(
        _ value: String,
        after place: Int
    ) throws(ExpectationError) -> Double {
        do throws(QuantityError) {
            return Double(try Quantity.duration(value).nanoseconds)
        } catch {
            throw self.error(error.description, after: place)
        }
    }

    private static let byteUnits: [(String, Double)] = [
        ("B", 1), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9),
        ("KiB", 1_024), ("MiB", 1_048_576), ("GiB", 1_073_741_824),
    ]

    private func unknown(_ name: String) -> ExpectationError {
        let names =
            ["pass", "fail"] + Check.allCases.map(\.rawValue)
            + Expectation.Quantity.allCases.map(\.rawValue) + Expectation.properties.map(\.name)
        guard let near = nearest(name, names) else {
            let words =
                Expectation.Quantity.allCases.map(\.rawValue) + Expectation.properties.map(\.name)
            return error(
                "unknown '\(name)'; known are pass, fail, \(Check.ranges) and "
                    + words.joined(separator: ", ")
            )
        }
        return error("unknown '\(name)'; did you mean '\(near)'?")
    }

    private func error(_ description: String, after place: Int = 0) -> ExpectationError {
        ExpectationError(column: column + place, description: description)
    }
}
