/// The type of a record or of a question (RFC 1035 §3.2.2 and IANA's registry).
package struct RecordType: Hashable, Sendable {
    package let number: UInt16

    package init(number: UInt16) { self.number = number }

    package static let a = RecordType(number: 1)
    package static let cname = RecordType(number: 5)
    package static let soa = RecordType(number: 6)
    package static let aaaa = RecordType(number: 28)
    /// What a message says of itself instead of a name (RFC 6891).
    package static let opt = RecordType(number: 41)
    /// All types, in a question.
    package static let any = RecordType(number: 255)

    /// Types with a name; others are written as `TYPE65280` (RFC 3597 §5).
    private static let names: [(name: String, number: UInt16)] = [
        ("A", 1), ("NS", 2), ("CNAME", 5), ("SOA", 6), ("PTR", 12), ("HINFO", 13), ("MX", 15),
        ("TXT", 16), ("AAAA", 28), ("SRV", 33), ("NAPTR", 35), ("OPT", 41), ("DS", 43),
        ("SSHFP", 44), ("RRSIG", 46), ("NSEC", 47), ("DNSKEY", 48), ("TLSA", 52), ("SVCB", 64),
        ("HTTPS", 65), ("ANY", 255), ("CAA", 257),
    ]

    package static var knownNames: [String] { names.map(\.name) }

    /// Reads `AAAA` or `TYPE28`, in capital letters.
    package init?(_ text: String) {
        if let known = Self.names.first(where: { $0.name == text }) {
            number = known.number
            return
        }
        guard text.hasPrefix("TYPE"), text.utf8.dropFirst(4).allSatisfy({ (48...57).contains($0) }),
            let number = UInt16(text.dropFirst(4))
        else { return nil }
        self.number = number
    }

    package var name: String {
        Self.names.first { $0.number == number }?.name ?? "TYPE\(number)"
    }

    /// A piece of a record's data.
    enum Piece {
        /// So many bytes that are copied.
        case bytes(Int)
        case name
    }

    /// How data with names in it begins; what follows is copied.
    ///
    /// These are the types whose names may be compressed (RFC 3597 §4). Of all others the data holds
    /// nothing that depends on its place.
    var layout: [Piece] {
        switch number {
        case 2, 3, 4, 5, 7, 8, 9, 12: [.name]
        case 6, 14, 17: [.name, .name]
        case 15, 18, 21: [.bytes(2), .name]
        case 26: [.bytes(2), .name, .name]
        case 33: [.bytes(6), .name]
        default: []
        }
    }
}

/// How a query was received (RFC 1035 §4.1.1, RFC 6895 §2.3).
package enum ResponseCode: UInt16, Hashable, Sendable {
    case noError = 0
    case formatError = 1
    case serverFailure = 2
    case nameError = 3
    case notImplemented = 4
    case refused = 5
    /// Of RFC 6891 §6.1.3: more than the header has room for.
    case badVersion = 16

    /// As tools print it.
    package var name: String {
        switch self {
        case .noError: "NOERROR"
        case .formatError: "FORMERR"
        case .serverFailure: "SERVFAIL"
        case .nameError: "NXDOMAIN"
        case .notImplemented: "NOTIMP"
        case .refused: "REFUSED"
        case .badVersion: "BADVERS"
        }
    }
}
