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

/// The keys that any record may have.
private enum Key {
    static let version: JSONKey = "v"
    static let type: JSONKey = "t"
    static let time: JSONKey = "at_ns"
    static let listener: JSONKey = "l"
    static let connection: JSONKey = "c"
    static let flow: JSONKey = "u"
}

/// One record as it was read: its type and connection are known, the rest is as written.
package struct JournalEntry: Hashable, Sendable {
    /// Line in the file, from 1.
    package let line: Int
    /// The `t` of the record; types of later versions of the program are kept.
    package let type: String
    /// Nil for a record of the whole run.
    package let connection: ConnectionID?
    package let text: JSONText

    init(line: Int, type: String, connection: ConnectionID?, text: JSONText) {
        self.line = line
        self.type = type
        self.connection = connection
        self.text = text
    }

    /// A record that came alone, as the control API tells it; nil if it is none of version 1.
    package init?(alone object: JSONObject) {
        let text = JSONText(writing: object)
        guard let type = text.place(of: "t").flatMap(text.string(at:)),
            object["v"] == .number(JournalRecord.version)
        else {
            return nil
        }
        do throws(JournalError) {
            let connection = try ConnectionID(text, line: 1)
            self.init(line: 1, type: type, connection: connection, text: text)
        } catch {
            return nil
        }
    }

    /// When it happened, on the journal's clock.
    package var at: Instant {
        let time = text.place(of: Key.time).flatMap(text.integer(at:)) ?? 0
        return Instant(told: UInt64(clamping: time))
    }
}

/// Reads a journal piece by piece, in whatever pieces it comes.
///
/// A journal is valid up to its last complete line, so that one whose writer was killed can be
/// read; `pendingBytes` says what was left over. Nothing after a mistake is read.
package struct JournalReader: Sendable {
    private static let lineFeed = UInt8(ascii: "\n")

    private var buffer: [UInt8] = []
    /// Where the next line begins.
    private var start = 0
    /// Behind the last line feed.
    private var complete = 0
    private var line = 0
    private let linesBefore: Int
    private var scanner = JSONScanner()

    /// A reader of a file of a journal, whose entries are numbered as if there were no other.
    ///
    /// Mistakes are numbered as in this file.
    ///
    /// - Parameter linesBefore: of the journal in other files, less the start that this one repeats.
    package init(linesBefore: Int = 0) { self.linesBefore = linesBefore }

    /// Adds the next bytes of the file.
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        buffer.removeFirst(start)
        complete -= start
        start = 0
        let known = buffer.count
        buffer.append(contentsOf: bytes)
        if let last = buffer[known...].lastIndex(of: Self.lineFeed) { complete = last + 1 }
    }

    /// Bytes after the last complete line; not 0 at the end of the file means that it was cut.
    package var pendingBytes: Int { buffer.count - start }

    /// The next record; nil when there is no further complete line.
    ///
    /// - Throws: the mistake in the next line; also a line that is too long to be one.
    package mutating func next() throws(JournalError) -> JournalEntry? {
        guard start < complete else {
            guard pendingBytes <= JSONParser.maximumLength else {
                throw Self.tooLong(line + 1)
            }
            return nil
        }
        line += 1
        let begin = start
        if let end = scanner.scan(buffer, from: begin), buffer[end] == Self.lineFeed,
            end - begin <= JSONParser.maximumLength
        {
            start = end + 1
            return try entry(JSONText(buffer, scanner.nodes))
        }
        let end = buffer[begin...].firstIndex(of: Self.lineFeed) ?? complete
        start = end + 1
        return try entry(JSONText(writing: try parsed(buffer[begin..<end])))
    }

    /// What the scanner does not take.
    private func parsed(_ bytes: ArraySlice<UInt8>) throws(JournalError) -> JSONObject {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONParser.parse(bytes)
        } catch {
            throw self.error(error.column, error.description)
        }
        guard case .object(let object) = value else {
            throw error(1, "expected an object in braces")
        }
        return object
    }

    private func entry(_ text: JSONText) throws(JournalError) -> JournalEntry {
        guard let version = text.place(of: Key.version).flatMap(text.integer(at:)) else {
            throw error(1, "expected the journal's version, '\"v\":1'")
        }
        guard version == JournalRecord.version else {
            throw error(1, "version \(version) of the journal; this program reads version 1")
        }
        guard let type = text.place(of: Key.type).flatMap(text.string(at:)) else {
            throw error(1, "expected the record's type, like '\"t\":\"conn\"'")
        }
        if type == "start", text.place(of: "command").map(text.kind(at:)) == .array {
            throw error(
                1,
                "this is the report of an exploration, not a journal"
                    + " (see: linkcond report merge --help)"
            )
        }
        guard (type == "start") == (line == 1) else {
            throw error(
                1,
                line == 1
                    ? "expected \"start\" first, found \(JSONValue.string(type).shown)"
                    : "a second \"start\""
            )
        }
        let connection = try ConnectionID(text, line: line)
        guard type != "start" || connection == nil else {
            throw error(1, "\"start\" is about the whole run, not about one connection")
        }
        return JournalEntry(
            line: linesBefore + line,
            type: type,
            connection: connection,
            text: text
        )
    }

    private func error(_ column: Int, _ description: String) -> JournalError {
        JournalError(line: line, column: column, description: description)
    }

    private static func tooLong(_ line: Int) -> JournalError {
        JournalError(
            line: line,
            column: 1,
            description: "a line longer than \(JSONParser.maximumLength) bytes"
        )
    }
}

extension ConnectionID {
    /// The connection that a record is about; nil for one of the whole run.
    fileprivate init?(_ text: JSONText, line: Int) throws(JournalError) {
        let listener = try Self.ordinal(Key.listener, of: text, line) ?? 1
        if let ordinal = try Self.ordinal(Key.connection, of: text, line) {
            self.init(listener: listener, ordinal: ordinal)
        } else if let ordinal = try Self.ordinal(Key.flow, of: text, line) {
            self.init(listener: listener, ordinal: ordinal, isFlow: true)
        } else {
            return nil
        }
    }

    private static func ordinal(
        _ key: JSONKey,
        of text: JSONText,
        _ line: Int
    ) throws(JournalError) -> UInt32? {
        guard let place = text.place(of: key) else { return nil }
        guard let number = text.integer(at: place), let ordinal = UInt32(exactly: number),
            ordinal > 0
        else {
            throw JournalError(
                line: line,
                column: 1,
                description: "'\(key.text)' counts from 1 to \(UInt32.max), found"
                    + " \(text.value(at: place).shown)"
            )
        }
        return ordinal
    }
}
