internal import Basics
internal import HTTPWire

// Where a fault acts.
extension FaultParser {
    private static let anchors = [
        "connect", "up", "down", "req", "resp", "interim", "idle", "tls", "ws", "sse",
        "grpc",
    ]

    /// What to write before a place that stands alone; nil if none does.
    private var placeAlone: String? {
        let name = scanner.wordAhead
        guard Self.anchors.contains(name),
            let next = scanner.rest(from: scanner.position + name.utf8.count).first,
            "+.=[".utf8.contains(next)
        else { return nil }
        let isOfConnection = ["connect", "up", "down", "tls"].contains(name)
        let (whose, who) = isOfConnection ? ("a connection", "c1") : ("a request", "c1/r1")
        return "'\(name)' is a place of \(whose); write which one before it, as in '\(who):\(name)'"
    }

    mutating func address() throws(ScheduleError) -> FaultAddress {
        if let advice = placeAlone ?? Self.advice(onPlaceOf: scanner.wordAhead) {
            throw scanner.error(advice)
        }
        let host = try host()
        let target = try target(of: host)
        guard scanner.take(":") else { return FaultAddress(target, .whole, host: host) }
        let start = scanner.position
        if case .queries = target {
            throw scanner.error("a name lookup has no parts; expected '=' and an effect", at: start)
        }
        let anchor: Anchor
        if case .flows = target { anchor = try flowAnchor() } else { anchor = try self.anchor() }
        if let objection = objection(to: anchor, of: target) {
            throw scanner.error(objection, at: start)
        }
        return FaultAddress(target, anchor, host: host)
    }

    /// `host(` with its pattern and `)/`, if it is there.
    private mutating func host() throws(ScheduleError) -> HostPattern? {
        guard scanner.takeWord("host(") else { return nil }
        let start = scanner.position
        let text = scanner.takeText { $0 != UInt8(ascii: ")") && (0x21...0x7E).contains($0) }
        let pattern = try host(text, at: start)
        guard scanner.takeWord(")/") else {
            throw scanner.error(
                "expected ')/' and a connection, like 'host(api.example.com)/c1', found"
                    + " \(scanner.foundHere)"
            )
        }
        return pattern
    }

    private func host(_ text: String, at start: Int) throws(ScheduleError) -> HostPattern {
        guard text.utf8.count <= ScheduleLimits.globLength, let pattern = HostPattern(text) else {
            throw scanner.error(
                "'\(QuantityError.shown(text))' is no host; write a name like 'api.example.com' or"
                    + " '*.example.com', or an address, each with or without ':PORT'",
                at: start
            )
        }
        return pattern
    }

    private mutating func target(of host: HostPattern?) throws(ScheduleError) -> FaultTarget {
        let start = scanner.position
        let target = try target()
        switch target {
        case .connections, .requests: return target
        case .matching, .object, .flows, .queries:
            guard host == nil else {
                throw scanner.error(
                    "'host(...)/' is followed by a connection, like 'host(api.example.com)/c1'; by"
                        + " path write 'GET(//api.example.com/x)#1'",
                    at: start
                )
            }
            return target
        }
    }

    /// Why an anchor does not go with a target; nil if it does.
    private func objection(to anchor: Anchor, of target: FaultTarget) -> String? {
        switch (anchor, target) {
        case (.connect, .connections), (.byte, .connections), (.tls, .connections): nil
        case (.connect, _): "'connect' is of a connection; write 'c1:connect'"
        case (.byte, _): "'up' and 'down' count the bytes of a connection; write 'c1:up+5'"
        case (.tls, _): "'tls' is of a connection; write 'c1:\(anchor.canonicalText)'"
        case (.silence, .connections), (.silence, .flows): nil
        case (.silence, _): "'idle(...)' is of a connection; write 'c1:idle(90s)'"
        default: nil
        }
    }

    // Targets.

    private mutating func target() throws(ScheduleError) -> FaultTarget {
        let start = scanner.position
        if scanner.takeWord("obj(") {
            return .object(try glob().path, try ordinal(of: "request"))
        }
        if scanner.isQueryAhead { return try queries() }
        if scanner.takeWord("*(") { return try matching(method: nil) }
        let method = scanner.methodAhead
        if !method.isEmpty {
            guard method.utf8.allSatisfy(isUpperCase) else {
                throw scanner.error(
                    "'\(QuantityError.shown(method))' is no method; methods are written in upper"
                        + " case, like 'PATCH(/u/*)#1'",
                    at: start
                )
            }
            _ = scanner.takeWord("\(method)(")
            return try matching(method: method)
        }
        if scanner.take("u") { return try flows(from: start) }
        guard scanner.take("c") else {
            throw scanner.error(
                "expected a connection, 'c1' for the first or 'c*' for all, a request, like"
                    + " 'GET(/big.bin)#1', a flow of datagrams, like 'u1', or a name lookup, like"
                    + " 'A(api.example.com)#1', found \(scanner.foundHere)"
            )
        }
        let connections = try scanner.selector(of: "connection", from: start)
        guard scanner.takeWord("/r") else { return .connections(connections) }
        return .requests(
            on: connections,
            try scanner.selector(of: "request", from: scanner.position - 1)
        )
    }

    private mutating func queries() throws(ScheduleError) -> FaultTarget {
        var parser = QueryFaultParser(scanner: scanner)
        let (type, names, ordinals) = try parser.place()
        scanner = parser.scanner
        return .queries(type, names, ordinals)
    }

    private mutating func matching(method: String?) throws(ScheduleError) -> FaultTarget {
        let (host, path) = try glob(takesHost: true)
        let pattern = RequestPattern(method: method, host: host, path: path)
        return .matching(pattern, try ordinal(of: "request"))
    }

    /// The rest of `obj(` or `METHOD(`, of which only the latter may name a host.
    private mutating func glob(
        takesHost: Bool = false
    ) throws(ScheduleError) -> (host: HostPattern?, path: PathGlob) {
        let start = scanner.position
        let host = takesHost ? try hostOfPath() : nil
        let text = scanner.takeText { $0 != UInt8(ascii: ")") && (0x21...0x7E).contains($0) }
        guard text.utf8.count <= ScheduleLimits.globLength else {
            throw scanner.error(
                "the path has \(text.utf8.count) bytes; the most is \(ScheduleLimits.globLength)",
                at: start
            )
        }
        guard scanner.take(")") else {
            throw scanner.error(
                "expected a path like '/u/*' and ')', found \(scanner.foundHere);"
                    + " other bytes are percent-encoded"
            )
        }
        guard !text.isEmpty else {
            throw scanner.error("expected a path like '/u/*', found ')'", at: start)
        }
        guard let glob = PathGlob(text) else {
            throw scanner.error("'%' is not followed by two hexadecimal digits", at: start)
        }
        return (host, glob)
    }

    /// `//` and a host before a path, if they are there.
    private mutating func hostOfPath() throws(ScheduleError) -> HostPattern? {
        guard scanner.takeWord("//") else { return nil }
        let start = scanner.position
        return try host(scanner.takeText { !"/)".utf8.contains($0) }, at: start)
    }

    private mutating func ordinal(of kind: String) throws(ScheduleError) -> OrdinalSelector {
        guard scanner.take("#") else {
            throw scanner.error(
                "expected '#' and a number, like '#1' for the first \(kind), found"
                    + " \(scanner.foundHere)"
            )
        }
        return try scanner.selector(of: kind, from: scanner.position - 1)
    }

    // Anchors.

    private mutating func anchor() throws(ScheduleError) -> Anchor {
        let start = scanner.position
        let name = scanner.takeText { isNameByte($0) && $0 != UInt8(ascii: "-") }
        switch name {
        case "connect": return .connect
        case "idle": return try scanner.isAhead("(") ? silence() : .idle
        case "up": return .byte(.up, try byteOffset(after: name))
        case "down": return .byte(.down, try byteOffset(after: name))
        case "req", "resp":
            guard scanner.take(".") else {
                throw scanner.error(
                    "expected a part like '\(name).body', found \(scanner.foundHere)"
                )
            }
            let direction: Direction = name == "req" ? .up : .down
            let column = scanner.position
            let part = try part(of: name)
            return .message(direction, part, try partOffset(of: part, from: column))
        case "interim": return try interim()
        case "tls": return .tls(try tlsPlace())
        case "ws": return try inside(.webSocket, try messageDirection(of: name))
        case "grpc": return try inside(.grpc, try messageDirection(of: name))
        case "sse": return try inside(.event, .down)
        default: throw scanner.unknown("place", name, among: Self.anchors, at: start)
        }
    }

    mutating func part(of message: String) throws(ScheduleError) -> Anchor.Part {
        let start = scanner.position
        let name = scanner.takeText { isNameByte($0) && $0 != UInt8(ascii: "-") }
        switch name {
        case "head": return .head
        case "body": return .body
        case "end": return .end
        case "chunk": return .chunk(try bracketed("chunk"))
        case "size": return .size(try bracketed("size"))
        case "last": return .last
        default:
            throw scanner.unknown(
                "part",
                name,
                among: ["head", "body", "chunk", "size", "last", "end"],
                at: start
            )
        }
    }

    /// `[1]`, after the name of what is counted.
    private mutating func bracketed(_ kind: String) throws(ScheduleError) -> UInt32 {
        guard scanner.take("[") else {
            throw scanner.error("expected a number like '\(kind)[1]', found \(scanner.foundHere)")
        }
        let ordinal = try scanner.ordinal("a \(kind) number", of: kind)
        guard scanner.take("]") else {
            throw scanner.error("expected ']', found \(scanner.foundHere)")
        }
        return ordinal
    }

    /// The rest of `tls.hello` and the like.
    private mutating func tlsPlace() throws(ScheduleError) -> Anchor.TLSPlace {
        guard scanner.take(".") else {
            throw scanner.error("expected a part like 'tls.hello', found \(scanner.foundHere)")
        }
        let start = scanner.position
        let name = scanner.takeText { isNameByte($0) && $0 != UInt8(ascii: "-") }
        switch name {
        case "hello": return .hello
        case "handshake": return .handshake
        case "record": return .record(try bracketed("record"))
        default:
            throw scanner.unknown("part", name, among: ["hello", "handshake", "record"], at: start)
        }
    }

    /// The rest of `ws.down`.
    private mutating func messageDirection(of kind: String) throws(ScheduleError) -> Direction {
        guard scanner.take(".") else {
            throw scanner.error(
                "expected a direction like '\(kind).down', found \(scanner.foundHere)"
            )
        }
        let start = scanner.position
        let name = scanner.takeText { isNameByte($0) && $0 != UInt8(ascii: "-") }
        switch name {
        case "up": return .up
        case "down": return .down
        default: throw scanner.unknown("direction", name, among: ["up", "down"], at: start)
        }
    }

    /// The number of a message and what may follow.
    private mutating func inside(
        _ kind: MessageKind,
        _ direction: Direction
    ) throws(ScheduleError) -> Anchor {
        let start = scanner.position
        let ordinal = try bracketed(Anchor.Inside(kind, direction, 1).name)
        return .inside(
            Anchor.Inside(kind, direction, ordinal),
            try partOffset(of: .body, from: start)
        )
    }

    /// What may follow `req.body` and the like.
    mutating func partOffset(
        of part: Anchor.Part,
        from start: Int
    ) throws(ScheduleError) -> Anchor.PartOffset {
        let column = scanner.position
        let offset: Anchor.PartOffset
        if scanner.take("-") {
            let count = try byteCount()
            offset = count == 0 ? .end : .fromEnd(count)
        } else if scanner.take("~") {
            offset = .perMille(UInt32(try scanner.number(upTo: 1_000, what: "thousandths")))
        } else if scanner.take("+") {
            offset = .fromStart(try byteRange())
        } else {
            return .end
        }
        guard part != .end else {
            throw scanner.error("'end' takes no offset; 'body-1' does", at: column)
        }
        return offset
    }

    private mutating func interim() throws(ScheduleError) -> Anchor {
        guard scanner.take("(") else {
            throw scanner.error(
                "expected a status like 'interim(104)', found \(scanner.foundHere)"
            )
        }
        let start = scanner.position
        let status = Int(try scanner.number(upTo: 999, what: "an interim status like 104"))
        guard isInterimStatus(status) else {
            throw scanner.error(
                "\(status) is no interim status; expected 100 or 102 to 199",
                at: start
            )
        }
        var ordinal: UInt32? = 1
        if scanner.take("#") {
            ordinal =
                scanner.take("*") ? nil : try scanner.ordinal("a number or '*'", of: "response")
        }
        guard scanner.take(")") else {
            throw scanner.error("expected ')', found \(scanner.foundHere)")
        }
        return .interim(
            status: status,
            ordinal: ordinal,
            try partOffset(of: .head, from: start)
        )
    }

    private mutating func byteOffset(after name: String) throws(ScheduleError) -> Anchor.Offset {
        guard scanner.take("+") else {
            let isFromEnd =
                scanner.peek == UInt8(ascii: "-") || scanner.peek == UInt8(ascii: "~")
            let hint = isFromEnd ? "; a connection has no length to count from" : ""
            throw scanner.error(
                "expected an offset like '\(name)+1024', found \(scanner.foundHere)\(hint)"
            )
        }
        return try byteRange()
    }

    private mutating func byteRange() throws(ScheduleError) -> Anchor.Offset {
        let start = scanner.position
        let low = try byteCount()
        guard scanner.takeWord("..") else { return .at(low) }
        let high = try byteCount()
        guard low <= high else {
            throw scanner.error(
                "the range \(low)..\(high) is empty; the smaller end comes first",
                at: start
            )
        }
        return low == high ? .at(low) : .drawn(low...high)
    }

    private mutating func byteCount() throws(ScheduleError) -> UInt64 {
        let start = scanner.position
        let value = scanner.takeQuantity()
        guard !value.isEmpty else {
            throw scanner.error("expected a number of bytes, found \(scanner.foundHere)")
        }
        return try scanner.byteCount(of: value, at: start)
    }
}

/// Whether a response of this status is followed by another one (RFC 9110 §15.2).
func isInterimStatus(_ status: Int) -> Bool { (100..<200).contains(status) && status != 101 }

private func isUpperCase(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "-")
}
