package import Basics
package import ResumableClient

/// The written form of a path's status: one JSON object on one line.
///
/// `{"status":"satisfied","isConstrained":false,"isExpensive":true,"interface":"cellular",`
/// `"power":true,"seq":1}`. Unknown keys are passed over, so that other programs can say more.
package enum PathStatusText {
    /// The most bytes of one line.
    package static let lineLimit = 4_096

    /// The status as an object.
    package static func json(_ status: PathStatus) -> JSONObject {
        [
            "status": .string(status.isSatisfied ? "satisfied" : "unsatisfied"),
            "isConstrained": .bool(status.isConstrained),
            "isExpensive": .bool(status.isExpensive),
            "interface": .string(status.interface.rawValue),
            "power": .bool(status.hasPower),
            "betterPath": status.hasBetterPath ? .bool(true) : nil,
            "seq": .number(status.sequence),
        ]
    }

    /// The status as a line with its end.
    package static func line(_ status: PathStatus) -> [UInt8] {
        var bytes: [UInt8] = []
        json(status).write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// Reads a line; `data: ` in front of it, as in server-sent events, may stand there.
    ///
    /// - Throws: what is wrong with it, for people.
    package static func parse(_ line: ArraySlice<UInt8>) throws(PathStatusError) -> PathStatus {
        let prefix = Array("data:".utf8)
        let text = line.starts(with: prefix) ? line.dropFirst(prefix.count) : line
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONParser.parse(text)
        } catch {
            throw PathStatusError("column \(error.column): \(error.description)")
        }
        guard case .object(let object) = value else {
            throw PathStatusError("a path's status is a JSON object")
        }
        return try status(object)
    }

    private static func status(_ object: JSONObject) throws(PathStatusError) -> PathStatus {
        let isSatisfied: Bool
        switch object["status"] {
        case .string("satisfied"): isSatisfied = true
        case .string("unsatisfied"): isSatisfied = false
        default: throw PathStatusError("'status' is 'satisfied' or 'unsatisfied'")
        }
        return PathStatus(
            isSatisfied: isSatisfied,
            isConstrained: try truth("isConstrained", of: object) ?? false,
            isExpensive: try truth("isExpensive", of: object) ?? false,
            interface: try interface(object),
            hasPower: try truth("power", of: object) ?? true,
            hasBetterPath: try truth("betterPath", of: object) ?? false,
            sequence: try sequence(object)
        )
    }

    private static func truth(
        _ key: String,
        of object: JSONObject
    ) throws(PathStatusError) -> Bool? {
        switch object[key] {
        case nil: return nil
        case .bool(let value): return value
        default: throw PathStatusError("'\(key)' is true or false")
        }
    }

    private static func interface(
        _ object: JSONObject
    ) throws(PathStatusError) -> PathStatus.Interface {
        guard let value = object["interface"] else { return .other }
        guard case .string(let text) = value else {
            throw PathStatusError("'interface' is a text, such as 'wifi'")
        }
        return PathStatus.Interface(rawValue: text) ?? .other
    }

    private static func sequence(_ object: JSONObject) throws(PathStatusError) -> UInt64 {
        guard let value = object["seq"] else { return 0 }
        guard case .integer(let number) = value, let sequence = UInt64(exactly: number) else {
            throw PathStatusError("'seq' is a whole number from 0 on")
        }
        return sequence
    }
}

/// Why a line is not a path's status.
package struct PathStatusError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
