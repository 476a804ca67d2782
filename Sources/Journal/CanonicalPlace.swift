/// Where in its connection a record stands, before the order of arrival counts.
///
/// First `conn` and draws; faults at `connect`, of `down` and of `up`; then whatever is about the
/// connection as a whole; then its exchanges by ordinal, each with request, request body, interim
/// responses, response, response body and faults; at last `opaque` and `connend`. The directions of
/// a connection are not in step with each other, so that arrival says nothing between them.
struct CanonicalPlace: Comparable, Hashable, Sendable {
    private let lane: Int
    /// Of a record about an exchange; else 0.
    private let request: Int128
    private let part: Int

    static let first = CanonicalPlace(lane: 0)

    private init(lane: Int, request: Int128 = 0, part: Int = 0) {
        self.lane = lane
        self.request = request
        self.part = part
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
            guard case .string(let address) = object["address"] else {
                self.init(lane: 2)
                return
            }
            self.init(lane: address.hasPrefix("down+") ? 3 : address.hasPrefix("up+") ? 4 : 2)
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

    static func < (a: CanonicalPlace, b: CanonicalPlace) -> Bool {
        (a.lane, a.request, a.part) < (b.lane, b.request, b.part)
    }
}
