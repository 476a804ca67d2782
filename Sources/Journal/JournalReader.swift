package import Basics

/// Why a file is not a journal, and where.
package struct JournalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// From 1.
    package let line: Int
    /// Unicode scalars, from 1.
    package let column: Int
    /// What is wrong and what was expected, in one line without a position.
    package let description: String

    /// A whole diagnostic, `run.jsonl:3:17: error: …`, where `label` names the file.
    package func diagnostic(label: String) -> String {
        "\(label):\(line):\(column): error: \(description)"
    }
}

/// One record as it was read: its type and connection are known, the rest is as written.
package struct JournalEntry: Hashable, Sendable {
    /// Line in the file, from 1.
    package let line: Int
    /// The `t` of the record; types of later versions of the program are kept.
    package let type: String
    /// Nil for a record of the whole run.
    package let connection: ConnectionID?
    package let object: JSONObject

    init(line: Int, type: String, connection: ConnectionID?, object: JSONObject) {
        self.line = line
        self.type = type
        self.connection = connection
        self.object = object
    }

    /// A record that came alone, as the control API tells it; nil if it is none of version 1.
    package init?(alone object: JSONObject) {
        guard case .string(let type) = object["t"],
            object["v"] == .number(JournalRecord.version)
        else {
            return nil
        }
        self.init(line: 1, type: type, connection: nil, object: object)
        guard object["c"] != nil else { return }
        guard let ordinal = Self.ordinal(object["c"]) else { return nil }
        let listener = object["l"] == nil ? 1 : Self.ordinal(object["l"])
        guard let listener else { return nil }
        self.init(
            line: 1,
            type: type,
            connection: ConnectionID(listener: listener, ordinal: ordinal),
            object: object
        )
    }

    private static func ordinal(_ value: JSONValue?) -> UInt32? {
        guard case .integer(let number) = value, number > 0 else { return nil }
        return UInt32(exactly: number)
    }
}

/// Reads a journal piece by piece, in whatever pieces it comes.
///
/// A journal is valid up to its last complete line, so that one whose writer was killed can be
/// read; `pendingBytes` says what was left over. Nothing after a mistake is read.
package struct JournalReader: Sendable {
    private var buffer: [UInt8] = []
    /// Where the next line begins, and how far from there it is known to hold no line feed.
    private var start = 0
    private var searched = 0
    private var line = 0

    package init() {}

    /// Adds the next bytes of the file.
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        buffer.removeFirst(start)
        searched -= start
        start = 0
        buffer.append(contentsOf: bytes)
    }

    /// Bytes after the last complete line; not 0 at the end of the file means that it was cut.
    package var pendingBytes: Int { buffer.count - start }

    /// The next record; nil when there is no further complete line.
    ///
    /// - Throws: the mistake in the next line; also a line that is too long to be one.
    package mutating func next() throws(JournalError) -> JournalEntry? {
        guard let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
            searched = buffer.count
            guard pendingBytes <= JSONParser.maximumLength else {
                throw error(line + 1, 1, "a line longer than \(JSONParser.maximumLength) bytes")
            }
            return nil
        }
        let bytes = buffer[start..<end]
        line += 1
        start = end + 1
        searched = start
        return try entry(bytes)
    }

    private func entry(_ bytes: ArraySlice<UInt8>) throws(JournalError) -> JournalEntry {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONParser.parse(bytes)
        } catch {
            throw self.error(line, error.column, error.description)
        }
        guard case .object(let object) = value else {
            throw error(line, 1, "expected an object in braces")
        }
        guard case .integer(let version) = object["v"] else {
            throw error(line, 1, "expected the journal's version, '\"v\":1'")
        }
        guard version == JournalRecord.version else {
            throw error(line, 1, "version \(version) of the journal; this program reads version 1")
        }
        guard case .string(let type) = object["t"] else {
            throw error(line, 1, "expected the record's type, like '\"t\":\"conn\"'")
        }
        guard (type == "start") == (line == 1) else {
            throw error(
                line,
                1,
                line == 1
                    ? "expected \"start\" first, found \(JSONValue.string(type).shown)"
                    : "a second \"start\""
            )
        }
        let connection = try connection(of: object)
        guard type != "start" || connection == nil else {
            throw error(line, 1, "\"start\" is about the whole run, not about one connection")
        }
        return JournalEntry(
            line: line,
            type: type,
            connection: connection,
            object: object
        )
    }

    private func connection(of object: JSONObject) throws(JournalError) -> ConnectionID? {
        guard let ordinal = try ordinal("c", of: object) else { return nil }
        return ConnectionID(listener: try self.ordinal("l", of: object) ?? 1, ordinal: ordinal)
    }

    private func ordinal(_ key: String, of object: JSONObject) throws(JournalError) -> UInt32? {
        guard let value = object[key] else { return nil }
        guard case .integer(let number) = value, let ordinal = UInt32(exactly: number), ordinal > 0
        else {
            throw error(line, 1, "'\(key)' counts from 1 to \(UInt32.max), found \(value.shown)")
        }
        return ordinal
    }

    private func error(_ line: Int, _ column: Int, _ description: String) -> JournalError {
        JournalError(line: line, column: column, description: description)
    }
}
