internal import Basics

/// What two runs of the same work have in common: a journal without time and place.
///
/// Of each record, keys that end in `_ns`, `_ms` or `_approx` and the object `env` are left out at
/// any depth; keys are sorted by their bytes, and nothing is between them. What servers and clients
/// invent anew in each run has names instead, see `CanonicalNames`.
/// Records of the whole run come first (`start`, then the others by type) and last (`fault`,
/// `budget`, `note`, `origin` by resource, `command`, `verdict`); between them the connections, by
/// listener and ordinal. Within one connection, `CanonicalPlace` says the order.
/// Records that this leaves side by side stay in their order. Left out are records of type
/// `internal`, which tell of the machine, and `end`, which tells what stopped the program and states
/// the digest itself.
/// A fault at a byte has no `racy`: the schedule says whether another one can forestall it.
/// A run that somebody steered by hand has the form of the run that repeats it: `start` has the
/// `schedule` with all that was done, and `change` records, `path` records but the first and the key
/// `by_hand` are left out. The lines, each with its line feed, hashed by SHA-256 are the run's
/// digest.
package struct CanonicalJournal: Hashable, Sendable {
    /// One record of the canonical form.
    package struct Record: Hashable, Sendable {
        package let type: String
        /// Line in the journal, from 1; 0 for a record that was not read from one.
        package let line: Int
        /// The canonical form, without line feed.
        package let bytes: [UInt8]
    }

    /// A record before those that hold names got them, which takes knowing all of them.
    private struct Entry: Hashable, Sendable {
        enum Form: Hashable, Sendable {
            case written([UInt8])
            case unnamed(JSONObject)
            /// The record `start`, whose schedule is known at the end.
            case start(JSONObject)
        }

        let type: String
        let line: Int
        let place: CanonicalPlace
        let form: Form
    }

    /// Where a record stands in the canonical order.
    package enum Section: Hashable, Comparable, Sendable {
        /// Records of the whole run that come first, by type.
        case opening(rank: Int, type: String)
        case connection(ConnectionID)
        /// Records of the whole run that come last, by type.
        case closing(rank: Int, type: String)
    }

    private var sections: [Section: [Entry]] = [:]
    private var steered = SteeredSchedule()
    private var isPathKnown = false
    /// How many records were read or added, those that are left out included.
    package private(set) var recordCount = 0
    /// How many `internal` records were left out.
    package private(set) var troubles = 0
    /// Whether the record `end` is there: the run came to its end.
    package private(set) var isComplete = false
    /// Bytes after the last complete line of the file.
    package private(set) var truncatedBytes = 0
    /// The digest that the run wrote about itself.
    package private(set) var statedDigest: String?

    /// An empty journal, to `add` records as they are written.
    package init() {}

    /// Reads a whole journal file.
    ///
    /// - Throws: the first mistake. A cut last line is none; see `truncatedBytes`.
    package init(reading bytes: some Sequence<UInt8>) throws(JournalError) {
        var reader = JournalReader()
        reader.append(bytes)
        while let entry = try reader.next() {
            add(entry.object, type: entry.type, connection: entry.connection, line: entry.line)
        }
        truncatedBytes = reader.pendingBytes
    }

    /// Adds a record that is being written.
    package mutating func add(_ record: JournalRecord) {
        let object = record.object
        guard case .string(let type) = object["t"] else { return }
        add(object, type: type, connection: record.connection, line: 0)
    }

    /// The sections in canonical order.
    package var orderedSections: [(section: Section, records: [Record])] {
        let ordered = sections.sorted { $0.key < $1.key }.map { ($0.key, Self.inPlace($0.value)) }
        var names = CanonicalNames()
        for entry in ordered.lazy.flatMap(\.1) {
            if case .unnamed(let object) = entry.form { names.learn(object) }
        }
        return ordered.map { section, entries in
            (section, records(entries, &names))
        }
    }

    /// The schedule that repeats the run, with what was done by hand; nil without a `start`.
    package var schedule: String? { steered.text }

    /// The canonical form: one record a line.
    package var text: [UInt8] {
        var bytes: [UInt8] = []
        for record in orderedSections.lazy.flatMap(\.records) {
            bytes.append(contentsOf: record.bytes)
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    /// The digest in lower-case hexadecimal, by a function that computes SHA-256.
    package func digest(sha256: ([UInt8]) -> [UInt8]) -> String {
        sha256(text).map { byte in
            String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }

    private static func inPlace(_ entries: [Entry]) -> [Entry] {
        entries.enumerated()
            .sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
            .map(\.element)
    }

    private func records(_ entries: [Entry], _ names: inout CanonicalNames) -> [Record] {
        var records: [(record: Record, resource: String)] = []
        for entry in entries {
            switch entry.form {
            case .written(let bytes):
                records.append((Record(type: entry.type, line: entry.line, bytes: bytes), ""))
            case .unnamed(let object):
                let named = names.renamed(object)
                let bytes = Self.written(named)
                let record = Record(type: entry.type, line: entry.line, bytes: bytes)
                records.append((record, Self.resource(named, entry.type)))
            case .start(var object):
                if let schedule { object.replace("schedule", .string(schedule)) }
                let bytes = Self.written(object)
                records.append((Record(type: entry.type, line: entry.line, bytes: bytes), ""))
            }
        }
        return records.enumerated()
            .sorted { ($0.element.resource, $0.offset) < ($1.element.resource, $1.offset) }
            .map(\.element.record)
    }

    /// What an origin's record is about: resources are not in step with each other.
    private static func resource(_ object: JSONObject, _ type: String) -> String {
        guard type == "origin", case .string(let resource) = object["resource"] else { return "" }
        return resource
    }

    private static func written(_ object: JSONObject) -> [UInt8] {
        var bytes: [UInt8] = []
        object.write(to: &bytes)
        return bytes
    }

    private mutating func add(
        _ object: JSONObject,
        type: String,
        connection: ConnectionID?,
        line: Int
    ) {
        recordCount += 1
        guard type != "internal" else {
            troubles += 1
            return
        }
        guard type != "end" else {
            isComplete = true
            if case .string(let digest) = object["digest"] { statedDigest = digest }
            return
        }
        steered.take(object, type: type)
        guard type != "change", type != "path" || !isPathKnown else { return }
        // What the path is like later follows the clock, or a hand.
        if type == "path" { isPathKnown = true }
        if type == "start", case .string(let schedule) = object["schedule"] {
            steered.start = schedule
        }
        var canonical = Self.canonical(object)
        if CanonicalPlace.isOfBytes(canonical, type) { canonical.remove("racy") }
        let section = connection.map(Section.connection) ?? .ofRun(type: type)
        sections[section, default: []].append(
            Entry(
                type: type,
                line: line,
                place: connection == nil ? .first : CanonicalPlace(canonical, type),
                form: Self.form(canonical, type)
            )
        )
    }

    private static func form(_ canonical: JSONObject, _ type: String) -> Entry.Form {
        if type == "start" { return .start(canonical) }
        return CanonicalNames.types.contains(type)
            ? .unnamed(canonical) : .written(written(canonical))
    }

    private static func canonical(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object): .object(canonical(object))
        case .array(let values): .array(values.map(canonical))
        default: value
        }
    }

    private static func canonical(_ object: JSONObject) -> JSONObject {
        let kept = object.members.filter { !isOutside($0.key) }
            .map { (head: head($0.key), member: $0) }
            .sorted {
                $0.head != $1.head
                    ? $0.head < $1.head
                    : $0.member.key.utf8.lexicographicallyPrecedes($1.member.key.utf8)
            }
        var object = JSONObject()
        for (_, member) in kept { object.appendNew(member.key, canonical(member.value)) }
        return object
    }

    /// The first eight bytes of a key, which tell most keys from each other and sort as they do.
    private static func head(_ key: String) -> UInt64 {
        var head: UInt64 = 0
        var shift: UInt64 = 64
        for byte in key.utf8.prefix(8) {
            shift -= 8
            head |= UInt64(byte) << shift
        }
        return head
    }

    /// Whether a key holds what differs between equal runs.
    private static func isOutside(_ key: String) -> Bool {
        let tail = key.utf8.suffix(7)
        return key == "env" || key == "by_hand" || tail.suffix(3).elementsEqual("_ns".utf8)
            || tail.suffix(3).elementsEqual("_ms".utf8) || tail.elementsEqual("_approx".utf8)
    }
}

extension CanonicalJournal.Section {
    /// Last come types that tell the outcome; everything else, and types unknown here, first.
    fileprivate static func ofRun(type: String) -> Self {
        let closing = ["fault", "budget", "note", "origin", "command", "verdict"]
        if let rank = closing.firstIndex(of: type) { return .closing(rank: rank, type: type) }
        return .opening(rank: type == "start" ? 0 : 1, type: type)
    }
}

extension JournalRecord {
    /// The connection that a record is about.
    package var connection: ConnectionID? {
        switch self {
        case .connection(let id, _): id
        case .connectionEnd(let end): end.connection
        case .fault(let report): report.connection
        case .draw(let id, _, _, _): id
        case .upstream(let id, _, _): id
        case .note(let id, _): id
        case .request(let report): report.exchange.connection
        case .response(let report): report.exchange.connection
        case .body(let report): report.exchange.connection
        case .opaque(let report): report.connection
        case .start, .path, .budget, .trouble, .change, .origin, .command, .verdict, .end: nil
        }
    }
}
