package import Faults
package import TestSupport

/// Faults of the traffic of one connection, drawn from the table of effects.
///
/// Each effect that has a place in that has its turn, at any of its places.
package struct FaultGenerator {
    private var numbers: SeededRandom
    /// Rows of effects that a place in the traffic has.
    private var rows: [EffectRow] = []
    private var turn = 0

    package init(_ numbers: SeededRandom) {
        self.numbers = numbers
        rows = Effect.Kind.allCases.map(\.declaration).filter { row in
            row.places.contains { address($0) != nil }
        }
    }

    /// A fault that the language has.
    package mutating func next() -> Fault {
        defer { turn += 1 }
        let row = rows[turn % rows.count]
        while true {
            guard let address = address(pick(row.places)) else { continue }
            let text = "\(address)=\(effect(of: row))"
            for option in [pick(Self.options), ""] {
                if let fault = try? Fault(parsing: text + option) { return fault }
            }
        }
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[numbers.below(elements.count)]
    }

    // Effects.

    /// Values besides those of the examples in the table.
    private static let variants = [
        "hole(both)", "swallow(keep=interim)", "swallow(keep=half,end=fin)", "status(503,close)",
        "status(503,page)", "early(413,page)", "buffer(resp)", "edit(x=)",
        "edit(content-type=text/plain)",
    ]

    private static let options = ["", "", "", ",see=open", ",see=104", ",gate=body+3", ",times=2"]

    /// The effect of a row with values that it may have.
    private mutating func effect(of row: EffectRow) -> String {
        let examples = row.examples.compactMap {
            $0.fault.split(separator: "=", maxSplits: 1).last.map(String.init)
        }
        let text = pick(
            examples + Self.variants.filter { $0.hasPrefix("\(row.name)(") }
        )
        // Events have no parentheses at their end.
        let parts = text.split(separator: "until=", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 ? "\(parts[0])until=\(event()))" : text
    }

    /// What an effect waits for.
    private mutating func event() -> String {
        pick([
            "c9:down+1", "c1:up+\(numbers.below(500))", "c1:down+\(numbers.below(500))",
            "c1/r1:resp.head", "c1/r1:req.body+3", "c1/r2:req.end", "PUT(*)#1:interim(104)",
        ])
    }

    // Places.

    /// An address at such a place; nil if that is in no message and at no byte of a connection.
    private mutating func address(_ place: EffectPlace) -> String? {
        switch place {
        case .byte: "c1:\(pick(["up", "down"]))+\(numbers.below(900))"
        case .request, .requestByte: "\(request()):req.\(part())"
        case .requestHead: "\(request()):req.head"
        case .requestEnd: "\(request()):req.end"
        case .response, .responseByte: "\(request()):resp.\(part())"
        case .responseHead: "\(request()):resp.head"
        case .responseContent:
            "\(request()):resp.\(pick(["body", "chunk[1]", "chunk[2]"]))\(offset())"
        case .interim: "\(request()):\(interim())\(offset())"
        case .wholeInterim: "\(request()):\(interim())"
        case .idle: "\(request()):idle"
        case .whole: request()
        case .inside, .webSocket: "\(request()):\(message())\(offset())"
        case .wholeMessage: "\(request()):\(message())"
        case .webSocketEdge: "\(request()):\(message())\(pick(["", "+0"]))"
        case .connect, .object, .datagram, .silence, .tls, .hello, .record, .lull, .query: nil
        }
    }

    private mutating func request() -> String {
        pick(["c1", "c1/r*", "c1/r1", "c1/r2", "c1/r3", "PUT(*)#2", "GET(*)#1", "c1/r*?60%"])
    }

    private mutating func part() -> String {
        let part = pick([
            "head", "head", "body", "body", "chunk[1]", "chunk[2]", "size[1]", "size[2]", "last",
            "end",
        ])
        return part == "end" ? part : part + offset()
    }

    private mutating func offset() -> String {
        pick(["", "", "+0", "+1", "+3", "+7", "+10", "-1", "-4", "~500", "+1..9", "+40"])
    }

    private mutating func interim() -> String {
        pick(["interim(103)", "interim(104)", "interim(104#2)", "interim(104#*)", "interim(100)"])
    }

    private mutating func message() -> String {
        pick(["ws.down[1]", "ws.down[2]", "ws.up[1]", "ws.up[2]", "sse[1]", "sse[2]", "sse[3]"])
    }
}
