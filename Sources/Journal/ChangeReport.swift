package import Basics

/// A change that somebody made while the run went on.
package struct ChangeReport: Hashable, Sendable {
    /// How it was asked for.
    package enum Origin: String, Hashable, Sendable {
        /// A request to the control API.
        case control
        /// A key of the live view.
        case key
        /// A signal to the program.
        case signal
    }

    /// How far a connection had come when the change took effect on it.
    package struct Place: Hashable, Sendable {
        package var connection: ConnectionID
        /// Bytes delivered in each direction.
        package var up: UInt64
        package var down: UInt64

        package init(_ connection: ConnectionID, up: UInt64, down: UInt64) {
            self.connection = connection
            self.up = up
            self.down = down
        }
    }

    /// Places of one record; further connections are only counted.
    package static let placeLimit = 256

    /// What was done, such as `cut`.
    package var action: String
    package var by: Origin
    /// What it was done with, such as the kind of cut.
    package var detail: JSONObject
    /// Faults that act from here on, in canonical text.
    package var adds: [String]
    /// Faults that were taken back before anything came of them, in canonical text.
    package var removes: [String]
    /// The connections on which it took effect, up to `placeLimit` of them.
    package let places: [Place]
    /// How many there were.
    package let connections: Int

    package init(
        _ action: String,
        by: Origin,
        detail: JSONObject = [:],
        adds: [String] = [],
        removes: [String] = [],
        places: [Place] = []
    ) {
        self.action = action
        self.by = by
        self.detail = detail
        self.adds = adds
        self.removes = removes
        self.places = Array(places.prefix(Self.placeLimit))
        connections = places.count
    }
}

extension ChangeReport {
    var object: JSONObject {
        JournalRecord.members(
            "change",
            nil,
            [
                "action": .string(action), "by": .string(by.rawValue),
                "detail": detail.isEmpty ? nil : .object(detail),
                "adds": Self.list(adds), "removes": Self.list(removes),
                "connections_approx": connections == 0 ? nil : .number(connections),
                "at_approx": places.isEmpty ? nil : .array(places.map(\.json)),
            ]
        )
    }

    private static func list(_ texts: [String]) -> JSONValue? {
        texts.isEmpty ? nil : .array(texts.map { .string($0) })
    }

    init?(_ members: RecordMembers) {
        guard let action = members.text("action") else { return nil }
        self.action = action
        by = members.text("by").flatMap(Origin.init) ?? .control
        detail = members.object("detail")
        adds = members.texts("adds")
        removes = members.texts("removes")
        places = members.objects("at_approx").compactMap { Place($0) }
        connections = members.number("connections_approx") ?? places.count
    }
}

extension ChangeReport.Place {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        if connection.listener != 1 { object.append("l", .number(connection.listener)) }
        object.append("c", .number(connection.ordinal))
        object.append("up", .number(up))
        object.append("down", .number(down))
        return .object(object)
    }

    fileprivate init?(_ object: JSONObject) {
        guard case .integer(let ordinal)? = object["c"], let ordinal = UInt32(exactly: ordinal),
            case .integer(let up)? = object["up"], let up = UInt64(exactly: up),
            case .integer(let down)? = object["down"], let down = UInt64(exactly: down)
        else {
            return nil
        }
        var listener: UInt32 = 1
        if case .integer(let number)? = object["l"], let number = UInt32(exactly: number) {
            listener = number
        }
        self.init(ConnectionID(listener: listener, ordinal: ordinal), up: up, down: down)
    }
}
