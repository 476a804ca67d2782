package import Basics
package import HTTP2

// What effects are given in parentheses.
extension Effect {
    /// How long something is held back.
    package enum Hold: Hashable, Sendable {
        case time(Duration)
        /// Until this place has been passed, on whatever connection.
        case until(FaultAddress)

        /// What it lasts until; nil for a time.
        var event: FaultAddress? {
            if case .until(let address) = self { address } else { nil }
        }

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

    /// How the near leg ends.
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

        /// One of each.
        package static let examples: [RangeMisbehaviour] = [
            .ignore, .shift(-1_000), .short(1_000), .noContentRange, .wrongTotal, .partialAs200,
            .notModified, .unsatisfiable, .multipart, .gzip,
        ]

        var canonicalText: String {
            switch self {
            case .shift(let distance): "shift:\(distance)"
            case .short(let count): "short:\(count)"
            default: Self.names.first { $0.value == self }?.name ?? ""
            }
        }
    }

    /// What becomes of the ECN field of a datagram.
    package enum CongestionMark: String, Hashable, Sendable, CaseIterable {
        /// Congestion experienced; only of one whose sender can ECN (RFC 3168 §5).
        case experienced = "ce"
        /// Cleared, as some routers do.
        case cleared = "bleach"
    }

    /// What of a flow's own address changes.
    package enum Rebinding: String, Hashable, Sendable, CaseIterable {
        case port
        case address
    }

    /// A setting of HTTP/2 with a value.
    package struct AnnouncedSetting: Hashable, Sendable {
        package let setting: Setting
        package let value: UInt32

        package init(_ setting: Setting, _ value: UInt32) {
            self.setting = setting
            self.value = value
        }

        var canonicalText: String { "\(setting.rawValue)=\(value)" }
    }

    /// Why a client must refuse a certificate (RFC 5280 §6, RFC 9110 §4.3.4).
    package enum CertificateFlaw: String, Hashable, Sendable, CaseIterable {
        case expired
        case notYetValid = "not-yet-valid"
        /// Of another host.
        case wrongName = "wrong-name"
        case selfSigned = "self-signed"
        /// Its issuer is unknown to the client, and not shown.
        case noChain = "no-chain"
        /// It is for clients.
        case wrongUsage = "wrong-usage"
    }

    /// What becomes of the protocols that a client offers (RFC 7301).
    package enum TakenProtocol: String, Hashable, Sendable, CaseIterable {
        case none
        case http1 = "http/1.1"
        case http2 = "h2"
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
    /// Whether a small page of HTML is its content; otherwise it has none.
    package var hasPage: Bool
    /// Whether the connection ends after it.
    package var closes: Bool

    package init(
        _ status: Int,
        fields: [InjectedField] = [],
        hasPage: Bool = false,
        closes: Bool = false
    ) {
        self.status = status
        self.fields = fields
        self.hasPage = hasPage
        self.closes = closes
    }

    var canonicalValues: [String] {
        ["\(status)"] + fields.map(\.canonicalText) + (hasPage ? ["page"] : [])
            + (closes ? ["close"] : [])
    }
}

/// A field of a response that a fault makes up.
package struct InjectedField: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
        /// Bytes, each as the Unicode scalar of the same number; empty to leave the field out.
        case text(String)
        /// `date+4`: that many seconds from now, as an HTTP date.
        case date(after: Int)
    }

    /// In lower case.
    package let name: String
    package let value: Value

    package init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }

    var canonicalText: String {
        switch value {
        case .text(let text):
            "\(name)=\(TextEscape.encode(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }))"
        case .date(let seconds): "\(name)=date\(seconds < 0 ? "" : "+")\(seconds)"
        }
    }
}
