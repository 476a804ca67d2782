internal import Basics

/// Where in its connection a record stands, before the order of arrival counts.
///
/// First `conn` and draws; faults at `connect`, of `down` and of `up`, each by offset or number, and text, a
/// datagram before its faults; then
/// whatever is about the connection as a whole; then its exchanges by ordinal, each with request,
/// request body, interim responses, response, response body, faults and messages; at last `opaque` and
/// `connend`. The directions of a connection are not in step with each other, so that arrival says
/// nothing between them.
struct CanonicalPlace: Comparable, Hashable, Sendable {
    private let lane: UInt8
    private let part: UInt8
    /// The request of a record about an exchange, the offset of a fault at a byte; else 0.
    private let number: Int128
    /// Of a fault at a byte; else empty.
    private let id: String

    static let first = CanonicalPlace(lane: 0)

    private init(lane: UInt8, part: UInt8 = 0, number: Int128 = 0, id: String = "") {
        self.lane = lane
        self.part = part
        self.number = number
        self.id = id
    }

    init(_ record: JSONText, _ type: String) {
        if let part = Self.part(record, type),
            let request = record.place(of: "r").flatMap(record.integer(at:))
        {
            self.init(lane: 6, part: part, number: request)
            return
        }
        switch type {
        case "conn", "flow": self = .first
        case "draw": self.init(lane: 1)
        case "fault":
            self = Self.fault(record)
        case "datagram":
            let isDown = record.place(of: "dir").flatMap(record.string(at:)) == "down"
            self.init(
                lane: isDown ? 3 : 4,
                number: record.place(of: "k").flatMap(record.integer(at:)) ?? 0
            )
        case "opaque": self.init(lane: 7)
        case "connend", "flowend": self.init(lane: 8)
        default: self.init(lane: 5)
        }
    }

    /// The place of a record within its exchange; nil for another type.
    private static func part(_ record: JSONText, _ type: String) -> UInt8? {
        switch type {
        case "req": 0
        case "body":
            record.place(of: "dir").flatMap(record.string(at:)) == MessageSide.request.rawValue
                ? 1 : 4
        case "interim": 2
        case "resp": 3
        case "fault": 5
        case "messages":
            record.place(of: "dir").flatMap(record.string(at:)) == MessageSide.request.rawValue
                ? 6 : 7
        default: nil
        }
    }

    /// Faults at one byte act by what they do, which their text decides, so that in it they have one
    /// order whoever let them act.
    private static func fault(_ record: JSONText) -> Self {
        guard let address = record.place(of: "address").flatMap(record.string(at:)) else {
            return Self(lane: 2)
        }
        if let place = ofDatagram(address, record) { return place }
        let isDown = address.utf8.starts(with: "down+".utf8)
        guard isDown || address.utf8.starts(with: "up+".utf8) else { return Self(lane: 2) }
        return Self(
            lane: isDown ? 3 : 4,
            number: record.place(of: "offset").flatMap(record.integer(at:)) ?? 0,
            id: record.place(of: "id").flatMap(record.string(at:)) ?? ""
        )
    }

    /// The place of a fault at a datagram, `down#3` or `1rtt:down#3`; nil for another one.
    private static func ofDatagram(_ address: String, _ record: JSONText) -> Self? {
        let parts = (address.split(separator: ":").last ?? "").split(separator: "#")
        guard parts.count == 2, parts[0] == "down" || parts[0] == "up",
            let number = Int128(parts[1])
        else { return nil }
        return Self(
            lane: parts[0] == "down" ? 3 : 4,
            number: number,
            id: record.place(of: "id").flatMap(record.string(at:)) ?? ""
        )
    }

    /// The request whose content a record tells of; nil for another record.
    var requestContent: Int128? { lane == 6 && part == 1 ? number : nil }

    static func < (a: CanonicalPlace, b: CanonicalPlace) -> Bool {
        guard a.lane == b.lane else { return a.lane < b.lane }
        // Of one exchange the parts count, of one direction the offsets.
        guard a.number == b.number else { return a.number < b.number }
        guard a.part == b.part else { return a.part < b.part }
        return a.id.utf8.lexicographicallyPrecedes(b.id.utf8)
    }
}
