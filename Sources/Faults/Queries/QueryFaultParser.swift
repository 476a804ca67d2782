package import Basics
package import DNSWire

extension QueryFault {
    /// Reads a fault.
    ///
    /// - Throws: what is wrong with it, and at which column.
    package init(parsing text: String) throws(ScheduleError) {
        var parser = QueryFaultParser(scanner: try FaultScanner(text))
        self = try parser.fault()
    }
}

/// Reads `TYPE(NAME)#WHICH=EFFECT`, left to right.
struct QueryFaultParser {
    var scanner: FaultScanner

    fileprivate mutating func fault() throws(ScheduleError) -> QueryFault {
        let (type, names, ordinals) = try place()
        guard scanner.take("=") else {
            throw scanner.error("expected '=' and an effect, found \(scanner.foundHere)")
        }
        let effect = try effect()
        guard scanner.isAtEnd else {
            throw scanner.error("expected the end of the text, found \(scanner.foundHere)")
        }
        return QueryFault(type, names, ordinals, effect)
    }

    /// Reads where it acts.
    mutating func place() throws(ScheduleError) -> (RecordType?, HostPattern, OrdinalSelector) {
        let type = try type()
        let names = try names()
        guard scanner.take("#") else {
            throw scanner.error(
                "expected '#' and which query, '#1' for the first or '#*' for all, found"
                    + " \(scanner.foundHere)"
            )
        }
        return (type, names, try scanner.selector(of: "query", from: scanner.position - 1))
    }

    private mutating func type() throws(ScheduleError) -> RecordType? {
        let start = scanner.position
        let word = scanner.takeText { $0 != UInt8(ascii: "(") }
        guard scanner.take("("), !word.isEmpty else {
            throw scanner.error(
                "expected a query, like 'A(api.example.com)#1' or '*(*.example.com)#*'",
                at: start
            )
        }
        if word == "*" { return nil }
        guard let type = RecordType(word) else {
            throw scanner.unknown("type", word, among: RecordType.knownNames, at: start)
        }
        return type
    }

    private mutating func names() throws(ScheduleError) -> HostPattern {
        let start = scanner.position
        let text = scanner.takeText { $0 != UInt8(ascii: ")") }
        guard let pattern = HostPattern.ofNames(text) else {
            throw scanner.error(
                "'\(QuantityError.shown(text))' is no name; write one like 'api.example.com' or"
                    + " '*.example.com'",
                at: start
            )
        }
        guard scanner.take(")") else {
            throw scanner.error("expected ')', found \(scanner.foundHere)")
        }
        return pattern
    }

    /// Reads what it does.
    mutating func effect() throws(ScheduleError) -> QueryEffect {
        let start = scanner.position
        let name = scanner.takeText { $0 != UInt8(ascii: "(") && $0 != UInt8(ascii: ",") }
        switch name {
        case "nxdomain": return .code(.nameError)
        case "servfail": return .code(.serverFailure)
        case "refused": return .code(.refused)
        case "nodata": return .noData
        case "timeout": return .timeout
        case "cname-loop": return .cnameLoop
        case "truncate": return .truncate(try ending())
        case "delay": return .delay(try delay())
        case "wrong": return .wrong(try addresses())
        case "rotate": return .rotate(try addresses())
        case "dead-first": return .deadFirst(try address())
        case "ttl": return .lifetime(try seconds())
        default: throw unknown(name, at: start)
        }
    }

    /// What other faults and programs call what is called otherwise here.
    private func unknown(_ name: String, at start: Int) -> ScheduleError {
        let meant =
            switch name {
            case "drop", "hole", "blackhole": "timeout"
            case "stall", "slow", "latency": "delay(2s)"
            case "empty", "noerror": "nodata"
            default: ""
            }
        guard meant.isEmpty else {
            return scanner.error("unknown effect '\(name)'; write \(meant)", at: start)
        }
        return scanner.unknown("effect", name, among: QueryEffect.names, at: start)
    }

    // Values.

    private mutating func close() throws(ScheduleError) {
        guard scanner.take(")") else {
            throw scanner.error("expected ')', found \(scanner.foundHere)")
        }
    }

    private mutating func ending() throws(ScheduleError) -> QueryEffect.StreamEnding {
        guard scanner.take("(") else { return .answer }
        let start = scanner.position
        let word = scanner.takeText { $0 != UInt8(ascii: ")") }
        guard let ending = QueryEffect.StreamEnding(rawValue: word) else {
            let words = QueryEffect.StreamEnding.allCases.map(\.rawValue)
            throw scanner.unknown("ending of TCP", word, among: words, at: start)
        }
        try close()
        return ending
    }

    private mutating func delay() throws(ScheduleError) -> Duration {
        guard scanner.take("(") else {
            throw scanner.error("'delay' needs a time, like 'delay(2s)'")
        }
        let start = scanner.position
        let text = scanner.takeText { $0 != UInt8(ascii: ")") }
        let time = try scanner.duration(of: text, at: start)
        guard time <= QueryFaultLimits.delay else {
            throw scanner.error("'\(text)' is too long; the most is 1h", at: start)
        }
        try close()
        return time
    }

    private mutating func seconds() throws(ScheduleError) -> UInt32 {
        guard scanner.take("(") else {
            throw scanner.error("'ttl' needs a number of seconds, like 'ttl(0)'")
        }
        let seconds = try scanner.number(
            upTo: UInt64(QueryFaultLimits.lifetime),
            what: "a number of seconds"
        )
        try close()
        return UInt32(seconds)
    }

    private mutating func address() throws(ScheduleError) -> NetworkAddress? {
        let start = scanner.position
        let given = try addresses()
        guard given.count <= 1 else {
            throw scanner.error("'dead-first' takes one address", at: start)
        }
        return given.first
    }

    private mutating func addresses() throws(ScheduleError) -> [NetworkAddress] {
        guard scanner.take("(") else { return [] }
        let addresses = try scanner.addresses()
        try close()
        return addresses
    }
}

/// Bounds of what a fault in answers may ask for.
package enum QueryFaultLimits {
    static let delay = Duration(nanoseconds: 3_600_000_000_000)
    /// The largest lifetime in seconds (RFC 2181 §8).
    package static let lifetime = UInt32(Int32.max)
    /// Addresses of one name.
    package static let addresses = 64
}

extension FaultScanner {
    /// Whether the place of a query comes next, and no request, which is written alike.
    ///
    /// A name has no slash, and a type is no method. What may be either is a request if it has an anchor,
    /// or an effect that acts on whole requests.
    var isQueryAhead: Bool {
        let word = isAhead("*(") ? "*" : methodAhead
        guard word == "*" || RecordType(word) != nil else { return false }
        let name = rest(from: position + word.utf8.count + 1).prefix { !")/;".utf8.contains($0) }
        guard rest(from: name.endIndex).first != UInt8(ascii: "/") else { return false }
        guard word == "*" else { return true }
        let ordinal = rest(from: name.endIndex).prefix { !"=:;".utf8.contains($0) }
        guard rest(from: ordinal.endIndex).first == UInt8(ascii: "=") else { return false }
        let effect = rest(from: ordinal.endIndex + 1).prefix(while: isNameByte)
        let kind = Effect.Kind(named: String(decoding: effect, as: UTF8.self))
        return kind?.declaration.places.contains(.whole) != true
    }

    /// At least one, with commas between them.
    package mutating func addresses() throws(ScheduleError) -> [NetworkAddress] {
        var addresses: [NetworkAddress] = []
        repeat {
            let start = position
            let text = takeText { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ")") }
            guard let address = NetworkAddress(text) else {
                throw error(
                    "'\(QuantityError.shown(text))' is not an address, like 127.0.0.1 or ::1, without"
                        + " a port",
                    at: start
                )
            }
            guard addresses.count < QueryFaultLimits.addresses else {
                throw error("more than \(QueryFaultLimits.addresses) addresses", at: start)
            }
            addresses.append(address)
        } while take(",")
        return addresses
    }
}

extension HostPattern {
    /// Reads a name or a pattern for names, with or without a dot at its end; nil for anything else.
    package static func ofNames(_ text: String) -> HostPattern? {
        let name = text.hasSuffix(".") && text != "." ? String(text.dropLast()) : text
        guard name.utf8.count <= DomainName.limit, !name.utf8.contains(UInt8(ascii: ":")),
            !name.utf8.contains(UInt8(ascii: "["))
        else { return nil }
        return HostPattern(name)
    }
}
