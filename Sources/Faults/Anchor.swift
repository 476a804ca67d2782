package import Basics
package import HTTPWire

/// Where in the traffic of a connection or request a fault acts.
package enum Anchor: Hashable, Sendable {
    /// When the connection was accepted, before anything else.
    case connect
    /// Once exactly so many bytes of this direction were delivered.
    case byte(Direction, Offset)
    /// In a request (`up`) or its final response (`down`).
    case message(Direction, Part, PartOffset)
    /// In an interim response of this status; nil for each of them, else the n-th of the request.
    case interim(status: Int, ordinal: UInt32?, PartOffset)
    /// When a response is complete and no request is under way.
    case idle
    /// Everything.
    case whole
    /// Datagrams of a direction, counted from 1 as they come, each or those of one type.
    case datagrams(Direction, OrdinalSelector)
    /// When a flow or connection has been silent in both directions for so long.
    case silence(Duration)
    /// In the TLS of a connection that linkcond answers.
    case tls(TLSPlace)

    /// In a message inside the content, or inside what a 101 began.
    case inside(Inside, PartOffset)

    /// A message inside a stream, by its ordinal in its direction, from 1.
    package struct Inside: Hashable, Sendable {
        package let kind: MessageKind
        package let direction: Direction
        package let ordinal: UInt32

        package init(_ kind: MessageKind, _ direction: Direction, _ ordinal: UInt32) {
            self.kind = kind
            self.direction = direction
            self.ordinal = ordinal
        }

        package var canonicalText: String {
            "\(name)[\(ordinal)]"
        }

        /// What its messages are called, whichever of them it is.
        package var name: String {
            kind == .event
                ? kind.rawValue : "\(kind.rawValue).\(direction == .up ? "up" : "down")"
        }

        fileprivate var order: [UInt64] {
            let place: UInt64 =
                switch kind {
                case .webSocket: 0
                case .event: 1
                case .grpc: 2
                }
            return [place, UInt64(direction.rawValue), UInt64(ordinal)]
        }
    }

    /// A place in what a client is told by TLS.
    package enum TLSPlace: Hashable, Sendable {
        /// The client's first message is complete, and nothing was said to it.
        case hello
        /// The client has the first record of the answer, the ServerHello, and no more.
        case handshake
        /// In the middle of the n-th record of content, from 1: the client has all records before it,
        /// of 16,384 bytes of content each, and half of this one.
        case record(UInt32)

        package var canonicalText: String {
            switch self {
            case .hello: "tls.hello"
            case .handshake: "tls.handshake"
            case .record(let ordinal): "tls.record[\(ordinal)]"
            }
        }

        /// The number of content bytes before it.
        package var contentOffset: UInt64 {
            if case .record(let ordinal) = self {
                UInt64(ordinal - 1) * Self.recordLength
            } else {
                0
            }
        }

        /// What a record holds at most (RFC 8446 §5.1).
        package static let recordLength: UInt64 = 16_384

        fileprivate var order: [UInt64] {
            switch self {
            case .hello: [0]
            case .handshake: [1]
            case .record(let ordinal): [2, UInt64(ordinal)]
            }
        }
    }

    /// A number of delivered bytes.
    package enum Offset: Hashable, Sendable {
        case at(UInt64)
        /// Drawn evenly from the range, for each connection or request.
        case drawn(ClosedRange<UInt64>)

        package var canonicalText: String {
            switch self {
            case .at(let offset): "+\(offset)"
            case .drawn(let range): "+\(range.lowerBound)..\(range.upperBound)"
            }
        }

        /// The smallest number that it may be.
        var lowest: UInt64 {
            switch self {
            case .at(let offset): offset
            case .drawn(let range): range.lowerBound
            }
        }

        fileprivate var order: [UInt64] {
            switch self {
            case .at(let offset): [offset, 0]
            case .drawn(let range): [range.lowerBound, range.upperBound]
            }
        }
    }

    /// A part of a message.
    package enum Part: Hashable, Sendable {
        /// Start line, fields and the empty line.
        case head
        /// The content, without chunk framing.
        case body
        /// The n-th chunk of the content, from 1.
        case chunk(UInt32)
        /// The line that gives the size of the n-th chunk (RFC 9112 §7.1).
        case size(UInt32)
        /// The last chunk, which has no content, and the trailers after it (RFC 9112 §7.1.2).
        case last
        /// The whole message, trailers and all.
        case end

        var canonicalText: String {
            switch self {
            case .head: "head"
            case .body: "body"
            case .chunk(let ordinal): "chunk[\(ordinal)]"
            case .size(let ordinal): "size[\(ordinal)]"
            case .last: "last"
            case .end: "end"
            }
        }

        fileprivate var order: [UInt64] {
            switch self {
            case .head: [0, 0]
            case .body: [1, 0]
            case .chunk(let ordinal): [2, UInt64(ordinal)]
            case .size(let ordinal): [3, UInt64(ordinal)]
            case .last: [4, 0]
            case .end: [5, 0]
            }
        }
    }

    /// A place in a part of a message; the receiver gets what is before it and nothing after.
    package enum PartOffset: Hashable, Sendable {
        /// From its start: so many of its bytes were delivered.
        case fromStart(Offset)
        /// So many of its bytes, at least 1, are left; needs a length declared in the message.
        case fromEnd(UInt64)
        /// So many thousandths of it, rounded down; needs a length declared in the message.
        case perMille(UInt32)
        /// Its end.
        case end

        package var canonicalText: String {
            switch self {
            case .fromStart(let offset): offset.canonicalText
            case .fromEnd(let count): "-\(count)"
            case .perMille(let thousandths): "~\(thousandths)"
            case .end: ""
            }
        }

        fileprivate var order: [UInt64] {
            switch self {
            case .fromStart(let offset): [0] + offset.order
            case .perMille(let thousandths): [1, UInt64(thousandths), 0]
            case .fromEnd(let count): [2, .max - count, 0]
            case .end: [3, 0, 0]
            }
        }
    }

    package var canonicalText: String {
        switch self {
        case .connect: return "connect"
        case .byte(.down, let offset): return "down\(offset.canonicalText)"
        case .byte(.up, let offset): return "up\(offset.canonicalText)"
        case .message(let direction, let part, let offset):
            let message = direction == .up ? "req" : "resp"
            return "\(message).\(part.canonicalText)\(offset.canonicalText)"
        case .interim(let status, let ordinal, let offset):
            let which = ordinal.map { $0 == 1 ? "" : "#\($0)" } ?? "#*"
            return "interim(\(status)\(which))\(offset.canonicalText)"
        case .idle: return "idle"
        case .whole: return ""
        case .datagrams(let direction, let ordinals):
            return (direction == .up ? "up" : "down") + ordinals.datagramText
        case .silence(let duration): return "idle(\(Quantity.text(duration)))"
        case .tls(let place): return place.canonicalText
        case .inside(let message, let offset):
            return message.canonicalText + offset.canonicalText
        }
    }

    /// Sorts by place in an exchange.
    var order: [UInt64] {
        switch self {
        case .whole: [0]
        case .connect: [1]
        case .byte(let direction, let offset): [2, UInt64(direction.rawValue)] + offset.order
        case .message(.up, let part, let offset): [3] + part.order + offset.order
        case .interim(let status, let ordinal, let offset):
            [4, UInt64(status), UInt64(ordinal ?? 0)] + offset.order
        case .message(.down, let part, let offset): [5] + part.order + offset.order
        case .idle: [6]
        case .datagrams(let direction, let ordinals):
            [7, UInt64(direction.rawValue)] + ordinals.order
        case .silence(let duration): [8, UInt64(duration.nanoseconds)]
        case .tls(let place): [9] + place.order
        case .inside(let message, let offset): [10] + message.order + offset.order
        }
    }
}

extension OrdinalSelector {
    /// `#3`; nothing for every one, whose chance stands alone: `?2%`.
    fileprivate var datagramText: String {
        let text = canonicalText
        return ordinals == Self.every.ordinals ? String(text.dropFirst()) : "#\(text)"
    }
}
