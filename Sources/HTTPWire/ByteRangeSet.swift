/// The ranges of bytes that a request asks for (RFC 9110 §14.1.2, §14.2).
package struct ByteRangeSet: Hashable, Sendable {
    package enum Specifier: Hashable, Sendable {
        /// From a first to a last position, both included; to the end if there is no last.
        case from(Int, through: Int?)
        /// So many bytes at the end.
        case suffix(Int)
    }

    /// What a set means for a representation of a known length.
    package enum Selection: Hashable, Sendable {
        /// The request is to be answered as if it asked for no range.
        case whole
        /// None of the ranges touches the representation: 416.
        case unsatisfiable
        /// At least one; none is empty, none overlaps another, in the order of the request.
        case ranges([Range<Int>])
    }

    /// As many ranges as one request may ask for.
    ///
    /// More are ignored as a whole, as RFC 9110 §14.2 allows: each would be a part with a head of its
    /// own (§17.15).
    package static let maximumCount = 100

    package let specifiers: [Specifier]

    package init(_ specifiers: [Specifier]) { self.specifiers = specifiers }

    /// Reads the value of `Range`.
    ///
    /// nil, which means that the field is to be ignored, for another unit than bytes, for what does
    /// not follow the grammar, and for more ranges than `maximumCount`. A position that no integer can
    /// hold becomes the largest one, as it is behind every end alike.
    package init?(_ text: String) {
        var scanner = FieldScanner(text)
        guard scanner.token()?.asciiLowercased == "bytes", scanner.skip("=") else { return nil }
        var specifiers: [Specifier] = []
        repeat {
            scanner.skipBlanks()
            if scanner.isAtEnd || scanner.next == UInt8(ascii: ",") { continue }
            guard let specifier = Self.specifier(&scanner) else { return nil }
            specifiers.append(specifier)
            scanner.skipBlanks()
        } while scanner.skip(",")
        guard scanner.isAtEnd, (1...Self.maximumCount).contains(specifiers.count) else {
            return nil
        }
        self.specifiers = specifiers
    }

    private static func specifier(_ scanner: inout FieldScanner) -> Specifier? {
        if scanner.skip("-") { return position(&scanner).map { .suffix($0) } }
        guard let first = position(&scanner), scanner.skip("-") else { return nil }
        guard let last = position(&scanner) else { return .from(first, through: nil) }
        return first <= last ? .from(first, through: last) : nil
    }

    private static func position(_ scanner: inout FieldScanner) -> Int? {
        let digits = scanner.take(while: \.isDigit)
        return digits.isEmpty ? nil : Int(String(scalars: digits)) ?? .max
    }

    /// As it stands in a request.
    package var text: String {
        let parts = specifiers.map { specifier in
            switch specifier {
            case .from(let first, let last): "\(first)-\(last.map(String.init) ?? "")"
            case .suffix(let count): "-\(count)"
            }
        }
        return "bytes=" + parts.joined(separator: ",")
    }

    /// What the set means for a representation of `length` bytes.
    ///
    /// Ranges that overlap or touch, or whose distance is at most `gap`, become one, which takes the
    /// place of the first of them (RFC 9110 §15.3.7.2). An empty representation is always whole.
    package func selection(length: Int, gap: Int = 0) -> Selection {
        guard length > 0 else { return .whole }
        let ranges = specifiers.compactMap { Self.range($0, length: length) }
        guard !ranges.isEmpty else { return .unsatisfiable }
        return .ranges(Self.coalesce(ranges, gap: gap))
    }

    private static func range(_ specifier: Specifier, length: Int) -> Range<Int>? {
        switch specifier {
        case .from(let first, let last):
            guard first < length else { return nil }
            return first..<min(last ?? length - 1, length - 1) + 1
        case .suffix(let count):
            return count > 0 ? length - min(count, length)..<length : nil
        }
    }

    private static func coalesce(_ ranges: [Range<Int>], gap: Int) -> [Range<Int>] {
        let ascending = ranges.enumerated().sorted {
            ($0.element.lowerBound, $0.offset) < ($1.element.lowerBound, $1.offset)
        }
        var merged: [(place: Int, range: Range<Int>)] = []
        for (place, range) in ascending {
            if let last = merged.last, range.lowerBound - last.range.upperBound <= gap {
                let end = max(last.range.upperBound, range.upperBound)
                merged[merged.count - 1] = (
                    min(last.place, place), last.range.lowerBound..<end
                )
            } else {
                merged.append((place, range))
            }
        }
        return merged.sorted { $0.place < $1.place }.map(\.range)
    }
}
