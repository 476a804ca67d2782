import HTTPWire

/// What passes on a connection, in order.
struct TapScript: Hashable, ExpressibleByArrayLiteral {
    enum Step: Hashable {
        case bytes(TapSide, [UInt8])
        case end(TapSide, isOrderly: Bool)
    }

    var steps: [Step]

    init(_ steps: [Step]) { self.steps = steps }

    /// Each line is bytes of the client (`>`) or of the server (`<`), or their end: `>.` and `<.` in
    /// order, `<!` by a reset.
    init(arrayLiteral elements: String...) {
        steps = elements.map { text in
            let side: TapSide = text.first == ">" ? .client : .server
            switch text.dropFirst() {
            case ".": return .end(side, isOrderly: true)
            case "!": return .end(side, isOrderly: false)
            case let rest: return .bytes(side, String(rest).wireBytes)
            }
        }
    }

    /// What a tap says, with the bytes of each step cut into pieces of these sizes.
    func events(pieces: [Int] = [.max], limits: MessageLimits = HTTPTap.limits) -> [TapEvent] {
        var tap = HTTPTap(limits: limits)
        var events: [TapEvent] = []
        for step in steps {
            switch step {
            case .bytes(let side, let bytes):
                for piece in ParserLog.cut(bytes, pieces) {
                    tap.read(piece.span, from: side, into: &events)
                }
            case .end(let side, let isOrderly):
                tap.end(side, isOrderly: isOrderly, into: &events)
            }
        }
        return Self.joined(events)
    }

    /// What a tap says, as text; places are offsets in the stream of the side.
    func log(limits: MessageLimits = HTTPTap.limits) -> String {
        events(limits: limits).map(text).joined(separator: " ")
    }

    /// With adjacent content as one.
    static func joined(_ events: [TapEvent]) -> [TapEvent] {
        events.reduce(into: []) { result, event in
            if case .content(let side, let number, let bytes, _) = event,
                case .content(side, number, let before, let from) = result.last,
                before.upperBound == bytes.lowerBound
            {
                result.removeLast()
                let range = before.lowerBound..<bytes.upperBound
                result.append(.content(side, r: number, bytes: range, from: from))
            } else {
                result.append(event)
            }
        }
    }

    private func text(_ event: TapEvent) -> String {
        switch event {
        case .requestHead(let r, let head, let framing, let range):
            ">\(r):\(head.method)/\(framing)\(Self.text(range))"
        case .interim(let r, let k, let head, let range):
            "<\(r):\(head.status)#\(k)\(Self.text(range))"
        case .responseHead(let r, let head, let framing, let range):
            "<\(r):\(head.status)/\(framing)\(Self.text(range))"
        case .chunk(let side, let r, let index, let offset, let size, let range):
            "\(Self.mark(side))\(r):chunk\(index)@\(offset)+\(size)\(Self.text(range))"
        case .content(let side, let r, let range, let from):
            "\(Self.mark(side))\(r):\(from)=\(content(side, range))\(Self.text(range))"
        case .messageEnd(let side, let r, let place, let bytes, let how):
            "\(Self.mark(side))\(r):\(how)(\(bytes))@\(place)"
        case .incompleteHead(let side, let r, let range):
            "\(Self.mark(side))\(r):head\(Self.text(range))"
        case .inside(let side, let r, let kind, let event):
            "\(Self.mark(side))\(r):\(kind) \(event)"
        case .opaque(let side, let place, let reason): "\(Self.mark(side))?\(reason)@\(place)"
        }
    }

    private func content(_ side: TapSide, _ range: Range<UInt64>) -> String {
        let stream = steps.flatMap { step in
            if case .bytes(side, let bytes) = step { bytes } else { [UInt8]() }
        }
        return String(
            decoding: stream[Int(range.lowerBound)..<Int(range.upperBound)],
            as: UTF8.self
        )
    }

    private static func text(_ range: Range<UInt64>) -> String {
        "[\(range.lowerBound),\(range.upperBound)]"
    }

    private static func mark(_ side: TapSide) -> String { side == .client ? ">" : "<" }
}
