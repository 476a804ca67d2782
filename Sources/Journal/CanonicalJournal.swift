internal import Basics

/// What two runs of the same work have in common: a journal without time and place.
///
/// Of each record, keys that end in `_ns`, `_ms` or `_approx` and the object `env` are left out at
/// any depth; keys are sorted by their bytes, and nothing is between them. What servers and clients
/// invent anew in each run has names instead, see `CanonicalNames`.
/// Records of the whole run come first (`start`, then the others by type) and last (`fault`,
/// `budget`, `note`, `origin` by resource, `command`, `verdict`; of the others `dns` by question); between them the connections, by
/// listener and ordinal. Within one connection, `CanonicalPlace` says the order.
/// Records that this leaves side by side stay in their order. Left out are records of type
/// `internal`, which tell of the machine, and `end`, which tells what stopped the program and states
/// the digest itself.
/// Nor do the records tell how much was sent of a request that was refused, see `RefusedRequests`.
/// No record has `racy`: where timing may have a say it need not have had it, and of equal runs one
/// may be marked and the other not.
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

    /// Where a record stands in the canonical order.
    package enum Section: Hashable, Comparable, Sendable {
        /// Records of the whole run that come first, by type.
        case opening(rank: Int, type: String)
        case connection(ConnectionID)
        /// Records of the whole run that come last, by type.
        case closing(rank: Int, type: String)
    }

    private var sections: [Section: CanonicalSection] = [:]
    private var form = CanonicalForm()
    private var steered = SteeredSchedule()
    private var isPathKnown = false
    private var given = Given()
    /// How many records were read or added, those that are left out included.
    package private(set) var recordCount = 0
    /// How many `internal` records were left out.
    package private(set) var troubles = 0
    /// Whether the record `end` is there: the run came to its end.
    package private(set) var isComplete = false
    /// Bytes after the last complete line of the file.
    package var truncatedBytes = 0
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
        while let entry = try reader.next() { add(entry) }
        truncatedBytes = reader.pendingBytes
    }

    /// Adds a record that is being written.
    package mutating func add(_ record: JournalRecord) {
        add(record, JSONText(writing: record.object))
    }

    /// Adds a record of which the line is there already.
    ///
    /// - Parameters:
    ///   - record: what is written.
    ///   - line: as `JournalRecord.line` made it.
    package mutating func add(_ record: JournalRecord, line: [UInt8]) {
        add(record, JSONText(written: line, ending: UInt8(ascii: "\n")))
    }

    private mutating func add(_ record: JournalRecord, _ text: JSONText) {
        guard let type = text.place(of: "t").flatMap(text.string(at:)) else { return }
        add(JournalEntry(line: 0, type: type, connection: record.connection, text: text))
    }

    /// Adds a record that was read.
    package mutating func add(_ entry: JournalEntry) {
        recordCount += 1
        switch entry.type {
        case "internal":
            troubles += 1
            return
        // What a stack sends, and when, is up to its timers.
        case "qpacket": return
        case "datagram":
            let isDigested = entry.text.place(of: "digested").map { entry.text.kind(at: $0) }
            guard isDigested == .true else { return }
        case "end":
            isComplete = true
            if let digest = entry.text.place(of: "digest").flatMap(entry.text.string(at:)) {
                statedDigest = digest
            }
            return
        case "change", "fault": steer(by: entry)
        case "start":
            if let schedule = entry.text.place(of: "schedule").flatMap(entry.text.string(at:)) {
                steered.start = schedule
            }
        default: break
        }
        // What the path is like later follows the clock, or a hand; so does who takes a second one.
        let isLater = entry.type == "path" && (isPathKnown || entry.connection != nil)
        guard entry.type != "change", !isLater else { return }
        if entry.type == "path" { isPathKnown = true }
        let section = entry.connection.map(Section.connection) ?? .ofRun(type: entry.type)
        given.take(note: section)
        sections[section, default: CanonicalSection()].add(entry, &form)
    }

    private mutating func steer(by entry: JournalEntry) {
        let record = entry.text
        let isByHand = record.place(of: "by_hand").map { record.kind(at: $0) == .true } ?? false
        guard entry.type == "change" || isByHand else { return }
        if let record = JournalRecord(entry) { steered.take(record) }
        given.isContradicted = given.isContradicted || given.last != nil
    }

    /// The schedule that repeats the run, with what was done by hand; nil without a `start`.
    package var schedule: String? { steered.text }

    /// The sections in canonical order.
    package var orderedSections: [(section: Section, records: [Record])] {
        var names = CanonicalNames()
        let ordered = contents(sections.keys.sorted())
        for (_, content) in ordered { content.teach(&names) }
        return ordered.map { ($0, $1.records(&names, schedule: schedule)) }
    }

    private func contents(
        _ ordered: [Section]
    ) -> [(section: Section, content: CanonicalSection)] {
        ordered.map { section in
            var content = sections[section] ?? CanonicalSection()
            content.sort()
            return (section, content)
        }
    }

    /// Gives all of the canonical form that `giveFinal` has not given, piece by piece.
    package mutating func giveRest<Trouble>(
        _ give: ([UInt8]) throws(Trouble) -> Void
    ) throws(Trouble) {
        var names = given.last == nil ? CanonicalNames() : given.names
        let request = names.request
        let ordered = contents(sections.keys.sorted())
        for (_, content) in ordered { content.teach(&names) }
        if given.last != nil { names.request = request }
        try write(ordered.map(\.content), &names, give)
        given.names = names
    }

    private func write<Trouble>(
        _ contents: [CanonicalSection],
        _ names: inout CanonicalNames,
        _ give: ([UInt8]) throws(Trouble) -> Void
    ) throws(Trouble) {
        var lines: [UInt8] = []
        for content in contents {
            content.write(&names, schedule: schedule, to: &lines)
            if lines.count >= Self.piece {
                try give(lines)
                lines.removeAll(keepingCapacity: true)
            }
        }
        if !lines.isEmpty { try give(lines) }
    }

    /// What is given at once, a little more or less.
    private static var piece: Int { 1 << 16 }

    /// The canonical form: one record a line.
    package var text: [UInt8] {
        var (bytes, journal): ([UInt8], Self) = ([], self)
        journal.giveRest { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// The digest in lower-case hexadecimal, by a function that computes SHA-256.
    package func digest(sha256: ([UInt8]) -> [UInt8]) -> String {
        HexadecimalText.encode(sha256(text))
    }
}

// As the records come.
extension CanonicalJournal {
    /// What was given of the form before all of it was known.
    private struct Given: Hashable, Sendable {
        var last: Section?
        var names = CanonicalNames(expectsAll: false)
        /// No connection can come before those of it.
        var firstListener = UInt32.max
        var isContradicted = false

        mutating func take(note section: Section) {
            if case .connection(let id) = section {
                firstListener = min(firstListener, id.listener)
            }
            if let last, section <= last { isContradicted = true }
        }
    }

    /// Whether a record has come that what `giveFinal` gave leaves out, or would have changed.
    ///
    /// Only the whole journal tells the form then.
    package var isContradicted: Bool { given.isContradicted || given.names.isContradicted }

    /// Gives the next part of the form that by all appearances will not change, and forgets it: of
    /// connections that have ended, before which no other is open.
    package mutating func giveFinal<Trouble>(
        _ give: ([UInt8]) throws(Trouble) -> Void
    ) throws(Trouble) {
        let ordered = sections.keys.sorted()
        let final = ordered.prefix { isFinal($0) }
        guard case .connection? = final.last else { return }
        let contents = contents(Array(final)).map(\.content)
        for section in final { sections[section] = nil }
        given.last = final.last
        let request = given.names.request
        for content in contents { content.teach(&given.names) }
        given.names.request = request
        var names = given.names
        given.names = CanonicalNames()
        defer { given.names = names }
        try write(contents, &names, give)
    }

    private func isFinal(_ section: Section) -> Bool {
        switch section {
        case .opening: given.last == nil
        case .connection(let id):
            id.listener == given.firstListener && sections[section]?.hasEnded ?? false
        case .closing: false
        }
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
    /// Whether it may be part of the canonical form, by its kind.
    package var isDigested: Bool {
        switch self {
        case .quicPacket: false
        case .datagram(let report): report.isDigested
        default: true
        }
    }

    /// The connection that a record is about.
    package var connection: ConnectionID? {
        switch self {
        case .connection(let id, _): id
        case .connectionEnd(let end): end.connection
        case .flow(let id, _), .quic(let id, _): id
        case .flowEnd(let end): end.flow
        case .quicPacket(let report): report.flow
        case .datagram(let report): report.flow
        case .fault(let report): report.connection
        case .draw(let id, _, _, _): id
        case .upstream(let id, _, _): id
        case .note(let id, _), .path(let id, _): id
        case .request(let report): report.exchange.connection
        case .response(let report): report.exchange.connection
        case .body(let report): report.exchange.connection
        case .messages(let report): report.exchange.connection
        case .opaque(let report): report.connection
        case .start, .budget, .trouble, .change, .dns, .origin, .command, .verdict, .end:
            nil
        }
    }
}
