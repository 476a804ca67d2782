package import LinkEngine

/// What a fault does.
///
/// The near leg is the connection to the side that receives the direction of the fault's anchor,
/// the far leg the other one.
package enum Effect: Hashable, Sendable {
    // Endings, at bytes and in messages.

    /// `rst`: the near leg is reset once all bytes up to the offset are acknowledged there.
    case reset
    /// `fin`: the near leg's sending side is shut down after the offset.
    case finish
    /// `hole`: nothing more is forwarded in this direction, or in `both`; nothing is closed.
    ///
    /// With a duration the silence ends in a reset of both legs, without it lasts until the
    /// client closes.
    case hole(both: Bool, for: Duration?)
    /// `truncate`: as `fin`, for content whose end no length tells: what arrived is whole chunks,
    /// or could be everything.
    case truncate

    // Changes after which the stream goes on.

    /// `stall`: silence for a while, then the held bytes flow on.
    case stall(Hold)
    /// `slow`: the rest of the stream, or of the message, flows at this rate.
    case slow(BitRate)
    /// `corrupt`: one drawn bit of the byte at the offset is flipped, then the stream goes on.
    case corrupt

    // Connecting.

    /// `refuse(N)`: this connection and the N - 1 after it are accepted and reset, N ≥ 1.
    case refuse(UInt32)
    /// `silent(N)`: this connection and the N - 1 after it are accepted and never answered.
    case silent(UInt32)
    /// `down(D)`, `down(until=A)`: nothing listens in place of this connection, for a while.
    case down(Hold)

    // Of whole exchanges.

    /// `swallow`: the server's answer is read to its end, the client gets no more than `keep`, then
    /// its leg ends.
    case swallow(keep: KeptAnswer, ending: NearEnding)
    /// `late(K,until=A)`: K more bytes are read, then the client is reset; they reach the server
    /// once the event has happened.
    case late(UInt64, until: FaultAddress)
    /// `status(503)`: this answer, and the server hears nothing of the request.
    case status(InjectedMessage)
    /// `early(413)`: this answer before the content is read, then the end of the connection.
    case early(InjectedMessage)
    /// `inject(103)`: this interim response in addition.
    case inject(InjectedMessage)
    /// `withhold`: the client does not get this interim response.
    case withhold
    /// `dup`: the client gets this interim response twice.
    case duplicate
    /// `edit(location=…)`: these fields of the interim response have other values.
    case edit([InjectedField])
    /// `rst-on-next`: the kept connection is reset when the head of another request arrives.
    case resetOnNext
    /// `buffer(req)`, `buffer(resp)`: nothing passes before the whole message is there.
    case buffer(Direction)
    /// `strip(1xx)`: the client gets no interim response; a 101 is none.
    case strip

    // Of the embedded origin.

    /// `crash`: the origin is killed and started again, with a part of its state lost.
    case crash(CrashLoss)
    /// `mutate`: from this request on the object is another one.
    case mutate(ObjectMutation)
    /// `range`: what the origin does wrong with a range request.
    case range(RangeMisbehaviour)
    /// `expire`: the upload is gone from this request on.
    case expire
    /// `limit`: what the origin says that it takes at most.
    case limit(UploadLimit, UInt64)

    /// How long something is held back.
    package enum Hold: Hashable, Sendable {
        case time(Duration)
        /// Until this place has been passed, on whatever connection.
        case until(FaultAddress)

        var canonicalText: String {
            switch self {
            case .time(let duration): Quantity.text(duration)
            case .until(let address): "until=\(address.canonicalText)"
            }
        }
    }

    /// How much of a lost answer the client gets.
    package enum KeptAnswer: String, Hashable, Sendable, CaseIterable {
        case none, interim, head, half
    }

    package enum NearEnding: String, Hashable, Sendable, CaseIterable {
        case rst, fin
    }

    /// What a crash of the origin loses.
    package enum CrashLoss: Hashable, Sendable {
        case none
        /// All after the last commit.
        case uncommitted
        /// The last bytes of data, while the record claims them.
        case tail(UInt64)
        /// What the record says of the last data.
        case meta
        case all

        package var canonicalText: String {
            switch self {
            case .none: "none"
            case .uncommitted: "uncommitted"
            case .tail(let bytes): "tail:\(bytes)"
            case .meta: "meta"
            case .all: "all"
            }
        }
    }

    /// How an object becomes another one.
    package enum ObjectMutation: String, Hashable, Sendable, CaseIterable {
        case sameSize = "same-size"
        case shrink
        case grow
        /// New bytes under the same tag made weak.
        case weakTag = "weak-etag"
        /// New bytes and no tag.
        case dateOnly = "lm-only"
        /// New bytes within the second of the last change.
        case sameSecond = "same-second"
        /// The same bytes under new validators.
        case touch
    }

    /// What an origin can do wrong with a range request (RFC 9110 §14).
    package enum RangeMisbehaviour: Hashable, Sendable {
        case ignore
        case shift(Int64)
        case short(UInt64)
        case noContentRange
        case wrongTotal
        case partialAs200
        case notModified
        case unsatisfiable
        case multipart
        case gzip

        static let names: [(name: String, value: RangeMisbehaviour)] = [
            ("ignore", .ignore), ("no-content-range", .noContentRange),
            ("wrong-total", .wrongTotal), ("200-partial", .partialAs200), ("304", .notModified),
            ("416", .unsatisfiable), ("multipart", .multipart), ("gzip", .gzip),
        ]

        var canonicalText: String {
            switch self {
            case .shift(let distance): "shift:\(distance)"
            case .short(let count): "short:\(count)"
            default: Self.names.first { $0.value == self }?.name ?? ""
            }
        }
    }

    package enum UploadLimit: String, Hashable, Sendable, CaseIterable {
        case maximumAppendSize = "max-append-size"
        case maximumSize = "max-size"
    }
}

/// A response that a fault makes up.
package struct InjectedMessage: Hashable, Sendable {
    /// 100 to 999.
    package var status: Int
    package var fields: [InjectedField]
    /// Whether the connection ends behind it.
    package var closes: Bool

    package init(_ status: Int, fields: [InjectedField] = [], closes: Bool = false) {
        self.status = status
        self.fields = fields
        self.closes = closes
    }

    fileprivate var canonicalValues: [String] {
        ["\(status)"] + fields.map(\.canonicalText) + (closes ? ["close"] : [])
    }
}

/// A field of a response that a fault makes up.
package struct InjectedField: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
        /// Bytes, each as the Unicode scalar of the same number; empty to leave the field out.
        case text(String)
        /// `date+4`: so many seconds after the moment, as an HTTP date.
        case date(after: Int)
    }

    /// In lower case.
    package let name: String
    package let value: Value

    package init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }

    fileprivate var canonicalText: String {
        switch value {
        case .text(let text):
            "\(name)=\(TextEscape.encode(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }))"
        case .date(let seconds): "\(name)=date\(seconds < 0 ? "" : "+")\(seconds)"
        }
    }
}

extension Effect {
    /// Whether no byte passes behind this effect, ever.
    package var endsStream: Bool {
        switch self {
        case .reset, .finish, .hole, .truncate, .refuse, .silent, .swallow, .late, .early,
            .resetOnNext, .crash:
            true
        default: false
        }
    }

    /// Whether this effect, in one direction, also cuts the other one short.
    package var endsConnection: Bool {
        switch self {
        case .hole(let both, let duration): both || duration != nil
        default: endsStream
        }
    }

    /// The far ending that `same` stands for; nil if it cannot be chosen.
    var sameEnding: FarEnding? {
        switch self {
        case .reset, .resetOnNext: .rst
        case .finish, .truncate: .fin
        case .hole: .hole
        default: nil
        }
    }

    /// The word that names this effect.
    package var name: String {
        switch self {
        case .reset: "rst"
        case .finish: "fin"
        case .hole: "hole"
        case .truncate: "truncate"
        case .stall: "stall"
        case .slow: "slow"
        case .corrupt: "corrupt"
        case .refuse: "refuse"
        case .silent: "silent"
        case .down: "down"
        case .swallow: "swallow"
        case .late: "late"
        case .status: "status"
        case .early: "early"
        case .inject: "inject"
        case .withhold: "withhold"
        case .duplicate: "dup"
        case .edit: "edit"
        case .resetOnNext: "rst-on-next"
        case .buffer: "buffer"
        case .strip: "strip"
        case .crash: "crash"
        case .mutate: "mutate"
        case .range: "range"
        case .expire: "expire"
        case .limit: "limit"
        }
    }

    package var canonicalText: String {
        let values = canonicalValues
        return values.isEmpty ? name : "\(name)(\(values.joined(separator: ",")))"
    }

    private var canonicalValues: [String] {
        switch self {
        case .reset, .finish, .truncate, .corrupt, .withhold, .duplicate, .resetOnNext, .expire:
            []
        case .refuse(let count), .silent(let count): count == 1 ? [] : ["\(count)"]
        case .hole(let both, let duration):
            (both ? ["both"] : []) + (duration.map { [Quantity.text($0)] } ?? [])
        case .stall(let hold), .down(let hold): [hold.canonicalText]
        case .slow(let rate): [Quantity.text(rate)]
        case .swallow(let keep, let ending):
            (keep == .none ? [] : ["keep=\(keep.rawValue)"])
                + (ending == .rst ? [] : ["end=\(ending.rawValue)"])
        case .late(let count, let address): ["\(count)", "until=\(address.canonicalText)"]
        case .status(let message), .early(let message), .inject(let message):
            message.canonicalValues
        case .edit(let fields): fields.map(\.canonicalText)
        case .buffer(let direction): [direction == .up ? "req" : "resp"]
        case .strip: ["1xx"]
        case .crash(let loss): loss == .none ? [] : ["loss=\(loss.canonicalText)"]
        case .mutate(let mutation): [mutation.rawValue]
        case .range(let misbehaviour): [misbehaviour.canonicalText]
        case .limit(let limit, let bytes): ["\(limit.rawValue)=\(bytes)"]
        }
    }
}
