internal import Basics

/// Where in its connection a record stands, before the order of arrival counts.
///
/// First `conn` and draws; faults at `connect`, of `down` and of `up`, each by offset and text; then
/// whatever is about the connection as a whole; then its exchanges by ordinal, each with request,
/// request body, interim responses, response, response body and faults; at last `opaque` and
/// `connend`. The directions of a connection are not in step with each other, so that arrival says
/// nothing between them.
struct CanonicalPlace: Comparable, Hashable, Sendable {
    private let lane: Int
    /// Of a record about an exchange; else 0.
    private let request: Int128
    private let part: Int
    /// Of a fault at a byte; else 0 and empty.
    private let offset: Int128
    private let id: String

    static let first = CanonicalPlace(lane: 0)

    private init(
        lane: Int,
        request: Int128 = 0,
        part: Int = 0,
        offset: Int128 = 0,
        id: String = ""
    ) {
        self.lane = lane
        self.request = request
        self.part = part
        self.offset = offset
        self.id = id
    }

    init(_ object: JSONObject, _ type: String) {
        if let part = Self.part(object, type), case .integer(let request) = object["r"] {
            self.init(lane: 6, request: request, part: part)
            return
        }
        switch type {
        case "conn": self = .first
        case "draw": self.init(lane: 1)
        case "fault":
            self = Self.fault(object)
        case "opaque": self.init(lane: 7)
        case "connend": self.init(lane: 8)
        default: self.init(lane: 5)
        }
    }

    /// The place of a record within its exchange; nil for another type.
    private static func part(_ object: JSONObject, _ type: String) -> Int? {
        switch type {
        case "req": 0
        case "body": object["dir"] == .string(MessageSide.request.rawValue) ? 1 : 4
        case "interim": 2
        case "resp": 3
        case "fault": 5
        default: nil
        }
    }

    /// Whether this is a fault at a byte of its connection.
    static func isOfBytes(_ object: JSONObject, _ type: String) -> Bool {
        type == "fault" && fault(object).lane != 2
    }

    /// Faults at one byte act by what they do, which their text decides, so that in it they have one
    /// order whoever let them act.
    private static func fault(_ object: JSONObject) -> Self {
        guard case .string(let address) = object["address"] else { return Self(lane: 2) }
        let isDown = address.utf8.starts(with: "down+".utf8)
        guard isDown || address.utf8.starts(with: "up+".utf8) else { return Self(lane: 2) }
        var (offset, text): (Int128, String) = (0, "")
        if case .integer(let value) = object["offset"] { offset = value }
        if case .string(let id) = object["id"] { text = id }
        return Self(lane: isDown ? 3 : 4, offset: offset, id: text)
    }

    static func < (a: CanonicalPlace, b: CanonicalPlace) -> Bool {
        guard (a.lane, a.request, a.part, a.offset) == (b.lane, b.request, b.part, b.offset) else {
            return (a.lane, a.request, a.part, a.offset) < (b.lane, b.request, b.part, b.offset)
        }
        return a.id.utf8.lexicographicallyPrecedes(b.id.utf8)
    }
}
