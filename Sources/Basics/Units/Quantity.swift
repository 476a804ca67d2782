/// Amounts written by people: `80ms`, `64kbit/s`, `1.5MiB`, `0.1%`.
///
/// A quantity is digits, at most one decimal point with digits on both sides, optional spaces and a
/// unit; a duration may be several. Units are mandatory, but for byte counts, and are read exactly as
/// listed (`ms` is not `Ms`). Every amount is a whole number of its base unit, computed exactly: what would need
/// rounding or does not fit is an error.
package enum Quantity {
    /// Reads a span of time: `ns`, `us` (or `µs`), `ms`, `s`, `min`, `h`; never negative.
    ///
    /// At most a century, so that adding such times cannot overflow.
    /// Several units follow each other from the largest to the smallest, as in `1h5min` or `3min30s`. Then
    /// the last number alone may have decimals, and `m` is a minute.
    package static func duration(_ text: some StringProtocol) throws(QuantityError) -> Duration {
        let source = String(text)
        var rest = source[...]
        var sum: UInt64 = 0
        var unit = UInt64.max
        repeat {
            let part = try QuantityReader(&rest, of: source, kind: .duration)
            guard part.factor < unit, part.isWhole || rest.isEmpty else {
                throw QuantityError(source, kind: .duration, .disorder)
            }
            unit = part.factor
            let (total, isTooLarge) = sum.addingReportingOverflow(try part.wholeAmount())
            guard !isTooLarge, total <= Duration.century.clampedNanoseconds else {
                throw QuantityError(source, kind: .duration, .tooLarge)
            }
            sum = total
        } while !rest.isEmpty
        return Duration(nanoseconds: Int64(sum))
    }

    /// Reads a rate: `bit/s`, `kbit/s` … `Tbit/s`, or bytes per second (`B/s`, `kB/s`, `KiB/s` …).
    ///
    /// 0 is refused ("unlimited" is not a rate), as is more than 1 Tbit/s.
    package static func bitRate(_ text: some StringProtocol) throws(QuantityError) -> BitRate {
        let amount = try QuantityReader(text, kind: .bitRate).wholeAmount()
        guard amount > 0 else { throw QuantityError(String(text), kind: .bitRate, .zero) }
        guard let rate = BitRate(bitsPerSecond: amount) else {
            throw QuantityError(String(text), kind: .bitRate, .tooLarge)
        }
        return rate
    }

    /// Reads a number of bytes: plain digits, or with `B`, `kB`, `MB`, `KiB`, `MiB` and so on.
    package static func byteCount(_ text: some StringProtocol) throws(QuantityError) -> UInt64 {
        try QuantityReader(text, kind: .byteCount).wholeAmount()
    }

    /// Reads a chance in percent: `5%`, `0.01%`; from 0 to 100.
    package static func probability(
        _ text: some StringProtocol
    ) throws(QuantityError) -> Probability {
        let reader = try QuantityReader(text, kind: .probability)
        guard let chance = Probability(reader.mantissa, outOf: reader.divisor(times: 100)) else {
            throw QuantityError(String(text), kind: .probability, .tooLarge)
        }
        return chance
    }

    /// The canonical form: a whole number of the largest of `s`, `ms`, `us`, `ns`; `0s`.
    package static func text(_ duration: Duration) -> String {
        let sign = duration.nanoseconds < 0 ? "-" : ""
        return sign + largestWhole(duration.nanoseconds.magnitude, of: durationForms)
    }

    /// The canonical form: a whole number of the largest of `Gbit/s`, `Mbit/s`, `kbit/s`, `bit/s`.
    package static func text(_ rate: BitRate) -> String {
        largestWhole(rate.bitsPerSecond, of: rateForms)
    }

    /// The canonical form of a number of bytes: its digits.
    package static func text(byteCount: UInt64) -> String { String(byteCount) }

    /// The canonical form: the shortest decimal percentage that reads as the same chance.
    package static func text(_ chance: Probability) -> String {
        // 10¹⁶ > 2⁵³, so fourteen decimals of a percent tell any two thresholds apart.
        var denominator: UInt64 = 100
        for decimals in 0...14 {
            let product = chance.threshold.multipliedFullWidth(by: denominator)
            let numerator = product.high << 11 | product.low >> 53
            if Probability(numerator, outOf: denominator) == chance {
                return decimal(numerator, decimals: decimals) + "%"
            }
            denominator *= 10
        }
        preconditionFailure("fourteen decimals always suffice")
    }

    private static let durationForms: [(String, UInt64)] = [
        ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000), ("ns", 1),
    ]
    private static let rateForms: [(String, UInt64)] = [
        ("Gbit/s", 1_000_000_000), ("Mbit/s", 1_000_000), ("kbit/s", 1_000), ("bit/s", 1),
    ]

    private static func largestWhole(_ value: UInt64, of forms: [(String, UInt64)]) -> String {
        for (unit, factor) in forms where value.isMultiple(of: factor) {
            return String(value / factor) + unit
        }
        return String(value)
    }

    private static func decimal(_ digits: UInt64, decimals: Int) -> String {
        guard decimals > 0 else { return String(digits) }
        let text = String(digits)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - text.count)) + text
        return padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }
}

/// Why a text is not the quantity it should be.
package struct QuantityError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was to be read.
    package enum Kind: Hashable, Sendable {
        case duration, bitRate, byteCount, probability

        /// In words, with an article: `a duration`.
        package var name: String {
            switch self {
            case .duration: "a duration"
            case .bitRate: "a rate"
            case .byteCount: "a number of bytes"
            case .probability: "a percentage"
            }
        }

        /// The units a message offers; aliases and rare ones are left out.
        package var acceptedUnits: [String] {
            switch self {
            case .duration: ["ns", "us", "ms", "s", "min", "h"]
            case .bitRate:
                ["bit/s", "kbit/s", "Mbit/s", "Gbit/s", "kB/s", "MB/s", "KiB/s", "MiB/s"]
            case .byteCount: ["B", "kB", "MB", "GB", "KiB", "MiB", "GiB"]
            case .probability: ["%"]
            }
        }

        /// An example of a good value.
        package var example: String {
            switch self {
            case .duration: "80ms"
            case .bitRate: "64kbit/s"
            case .byteCount: "64KiB"
            case .probability: "0.5%"
            }
        }
    }

    /// What is wrong.
    package enum Problem: Hashable, Sendable {
        /// It does not begin with a plain decimal number.
        case notANumber
        /// A number without its mandatory unit.
        case missingUnit
        /// Not a unit of this kind; the likely meant one, if there is one.
        case unknownUnit(String, meant: String?)
        /// Not a whole number of nanoseconds, bits per second or bytes; or over 18 decimals.
        case tooFine
        /// More than a century, 1 Tbit/s, 100 % or what the type can hold.
        case tooLarge
        /// A rate of 0.
        case zero
        /// Units that do not go from the largest to the smallest, or decimals before the last.
        case disorder
    }

    package let found: String
    package let kind: Kind
    package let problem: Problem

    package init(_ found: String, kind: Kind, _ problem: Problem) {
        self.found = found
        self.kind = kind
        self.problem = problem
    }

    /// One line without a position, such as `unknown unit 'msec' in '5msec'; did you mean 'ms'?`.
    package var description: String {
        let text = Self.shown(found)
        switch problem {
        case .notANumber:
            return "'\(text)' is not \(kind.name); expected a number with a unit, like \(example)"
        case .missingUnit:
            return "'\(text)' has no unit; expected one of \(units), like \(example)"
        case .unknownUnit(let unit, let meant?):
            return "unknown unit '\(Self.shown(unit))' in '\(text)'; did you mean '\(meant)'?"
        case .unknownUnit(let unit, nil):
            return "unknown unit '\(Self.shown(unit))' in '\(text)'; expected one of \(units)"
        case .tooFine:
            return "'\(text)' is too fine; the smallest step is \(smallestStep)"
        case .tooLarge:
            return "'\(text)' is too large; the most is \(most)"
        case .zero:
            return "'\(text)' is not a rate; expected more than 0, like \(example)"
        case .disorder:
            return "'\(text)' has its units out of order; expected the largest first, and decimals"
                + " only with the last, like 1h5min"
        }
    }

    /// A piece of somebody's text, fit for a one-line message: at most 40 scalars, and no control
    /// character that could break the line or speak to a terminal.
    package static func shown(_ text: String) -> String {
        let scalars = text.unicodeScalars
        var shown = String.UnicodeScalarView()
        for scalar in scalars.prefix(40) {
            let isPlain = scalar.properties.generalCategory.isPlain
            shown.append(isPlain ? scalar : "\u{FFFD}")
        }
        return String(shown) + (scalars.count > 40 ? "…" : "")
    }

    private var example: String { kind.example }
    private var units: String { kind.acceptedUnits.joined(separator: ", ") }

    private var smallestStep: String {
        switch kind {
        case .duration: "1ns"
        case .bitRate: "1bit/s"
        case .byteCount: "1 byte"
        case .probability: "1e-16%"
        }
    }

    private var most: String {
        switch kind {
        case .duration: "876000h"
        case .bitRate: "1Tbit/s"
        case .byteCount: "18446744073709551615 bytes"
        case .probability: "100%"
        }
    }
}

/// Splits a quantity into an exact decimal fraction and the size of its unit.
private struct QuantityReader {
    /// The number is `mantissa / 10^decimals` units.
    let mantissa: UInt64
    private let decimals: Int
    /// How many base units its unit has.
    let factor: UInt64
    private let source: String
    private let kind: QuantityError.Kind

    /// More decimals than this are refused: 10¹⁸ is the last power of ten with a factor to spare.
    private static let maximumDecimals = 16

    /// Reads all of a text.
    init(_ text: some StringProtocol, kind: QuantityError.Kind) throws(QuantityError) {
        let source = String(text)
        var rest = source[...]
        try self.init(&rest, of: source, kind: kind)
    }

    /// Reads the first number of what is left of a text, with its unit; another duration may follow.
    init(
        _ rest: inout Substring,
        of source: String,
        kind: QuantityError.Kind
    ) throws(QuantityError) {
        self.source = source
        self.kind = kind
        let isFirst = rest.startIndex == source.startIndex
        let whole = Self.takeDigits(&rest)
        guard !whole.isEmpty else { throw QuantityError(source, kind: kind, .notANumber) }
        var fraction: Substring = ""
        if rest.first == "." {
            rest.removeFirst()
            fraction = Self.takeDigits(&rest)
            guard !fraction.isEmpty else { throw QuantityError(source, kind: kind, .notANumber) }
        }
        while fraction.last == "0" { fraction.removeLast() }
        guard fraction.count <= Self.maximumDecimals else {
            throw QuantityError(source, kind: kind, .tooFine)
        }
        guard let digits = UInt64(whole + fraction) else {
            throw QuantityError(source, kind: kind, .tooLarge)
        }
        mantissa = digits
        decimals = fraction.count
        while rest.first == " " { rest.removeFirst() }
        var unit = kind == .duration ? rest.prefix { !Self.isDigit($0) } : rest
        rest.removeFirst(unit.count)
        if !rest.isEmpty { while unit.last == " " { unit.removeLast() } }
        // Alone it could be meant for milliseconds.
        if unit == "m", !isFirst || !rest.isEmpty { unit = "min" }
        factor = try Self.factor(of: String(unit), in: source, kind: kind)
    }

    var isWhole: Bool { decimals == 0 }

    /// 10^decimals times a small factor.
    func divisor(times small: UInt64) -> UInt64 {
        (0..<decimals).reduce(small) { power, _ in power * 10 }
    }

    /// The amount in base units, if it is a whole number of them.
    func wholeAmount() throws(QuantityError) -> UInt64 {
        let divisor = divisor(times: 1)
        let product = mantissa.multipliedFullWidth(by: factor)
        guard product.high < divisor else { throw QuantityError(source, kind: kind, .tooLarge) }
        let (amount, remainder) = divisor.dividingFullWidth(product)
        guard remainder == 0 else { throw QuantityError(source, kind: kind, .tooFine) }
        return amount
    }

    private static func takeDigits(_ rest: inout Substring) -> Substring {
        let digits = rest.prefix(while: isDigit)
        rest.removeFirst(digits.count)
        return digits
    }

    private static func isDigit(_ character: Character) -> Bool {
        ("0"..."9").contains(character) && character.isASCII
    }

    private static func factor(
        of unit: String,
        in source: String,
        kind: QuantityError.Kind
    ) throws(QuantityError) -> UInt64 {
        if unit.isEmpty {
            guard kind == .byteCount else { throw QuantityError(source, kind: kind, .missingUnit) }
            return 1
        }
        let table = units(of: kind)
        if let match = table.first(where: { $0.name == unit }) { return match.factor }
        // A small b is a bit, also where the rest is in the wrong case.
        let isBits = kind == .bitRate && unit.hasSuffix("b/s")
        let wanted = (isBits ? unit.dropLast(3) + "bit/s" : unit[...]).lowercased()
        let meant =
            misspellings.first { $0.wrong == wanted && table.contains(named: $0.right) }?.right
            ?? table.first { $0.name.lowercased() == wanted }?.name
        throw QuantityError(source, kind: kind, .unknownUnit(unit, meant: meant))
    }

    private static func units(of kind: QuantityError.Kind) -> [(name: String, factor: UInt64)] {
        switch kind {
        case .duration: timeUnits
        case .bitRate: rateUnits
        case .byteCount: byteUnits
        case .probability: [("%", 1)]
        }
    }

    private static let timeUnits: [(name: String, factor: UInt64)] = [
        ("ns", 1), ("us", 1_000), ("\u{B5}s", 1_000), ("\u{3BC}s", 1_000), ("ms", 1_000_000),
        ("s", 1_000_000_000), ("min", 60_000_000_000), ("h", 3_600_000_000_000),
    ]

    private static let rateUnits: [(name: String, factor: UInt64)] =
        [
            ("bit/s", 1), ("kbit/s", 1_000), ("Mbit/s", 1_000_000), ("Gbit/s", 1_000_000_000),
            ("Tbit/s", 1_000_000_000_000),
        ] + byteUnits.map { ($0.name + "/s", $0.factor * 8) }

    private static let byteUnits: [(name: String, factor: UInt64)] = [
        ("B", 1), ("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000),
        ("TB", 1_000_000_000_000), ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30),
        ("TiB", 1 << 40),
    ]

    private static let misspellings: [(wrong: String, right: String)] = [
        ("sec", "s"), ("secs", "s"), ("second", "s"), ("seconds", "s"), ("msec", "ms"),
        ("millis", "ms"), ("usec", "us"), ("m", "min"), ("minutes", "min"), ("hours", "h"),
        ("bps", "bit/s"), ("kbps", "kbit/s"), ("mbps", "Mbit/s"), ("gbps", "Gbit/s"),
        ("kbit", "kbit/s"), ("mbit", "Mbit/s"), ("gbit", "Gbit/s"), ("bit", "bit/s"),
        ("kb", "kB"), ("k", "KiB"), ("m", "MiB"), ("g", "GiB"),
        ("kib", "KiB"), ("mib", "MiB"), ("percent", "%"),
    ]
}

extension [(name: String, factor: UInt64)] {
    fileprivate func contains(named name: String) -> Bool { contains { $0.name == name } }
}

extension Unicode.GeneralCategory {
    fileprivate var isPlain: Bool {
        switch self {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
            .unassigned:
            false
        default: true
        }
    }
}
