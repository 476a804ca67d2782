/// Which part of a representation a message holds (RFC 9110 §14.4).
package enum ContentRange: Hashable, Sendable {
    /// These bytes of so many in all; nil if the sender does not know how many there are.
    case part(Range<Int>, of: Int?)
    /// None: so many bytes there are, but not where the request asked.
    case unsatisfied(length: Int)

    /// Reads a whole field value.
    ///
    /// nil for another unit than bytes, for what does not follow the grammar, for positions that no
    /// integer can hold, and for a range that is empty or goes beyond the length: such a message is
    /// not to be combined with others.
    package init?(_ text: String) {
        var scanner = FieldScanner(text)
        guard scanner.token()?.asciiLowercased == "bytes", scanner.skip(" ") else { return nil }
        if scanner.skip(word: "*/") {
            guard let length = scanner.number(digits: 1...19), scanner.isAtEnd else { return nil }
            self = .unsatisfied(length: length)
            return
        }
        guard let first = scanner.number(digits: 1...19), scanner.skip("-"),
            let last = scanner.number(digits: 1...19), first <= last, last < .max,
            scanner.skip("/")
        else {
            return nil
        }
        let length = scanner.skip("*") ? nil : scanner.number(digits: 1...19) ?? -1
        guard scanner.isAtEnd, length.map({ last < $0 }) ?? true else { return nil }
        self = .part(first..<last + 1, of: length)
    }

    /// As it stands in a response; the range of a part must not be empty.
    package var text: String {
        switch self {
        case .part(let range, let length):
            "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length.map(String.init) ?? "*")"
        case .unsatisfied(let length): "bytes */\(length)"
        }
    }
}
