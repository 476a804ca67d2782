internal import Basics

/// The records of one place in the canonical order, before those that hold names have got them.
struct CanonicalSection: Hashable, Sendable {
    private struct Entry: Hashable, Sendable {
        enum Form: UInt8, Hashable, Sendable {
            case written
            /// Waits for names.
            case unnamed
            /// And holds a request.
            case asking
            /// And gives a URL to an upload.
            case issuing
            /// The record `start`, whose schedule is known at the end.
            case start
        }

        let type: String
        let line: Int
        let place: CanonicalPlace
        let form: Form
        let range: Range<Int>
    }

    /// Canonical forms, one behind the other.
    private var bytes: [UInt8] = []
    private var entries: [Entry] = []
    private var isInOrder = true
    private var refusals = RefusedRequests()
    /// Whether there are records of the origin or of a name server, which the resource, or what is
    /// asked, puts in order.
    private var holdsResources = false
    /// Whether the connection's end is there, so that nothing should follow.
    private(set) var hasEnded = false

    mutating func add(_ entry: JournalEntry, _ canonical: inout CanonicalForm) {
        let (record, type) = (entry.text, entry.type)
        let place = entry.connection == nil ? .first : CanonicalPlace(record, type)
        let start = bytes.count
        canonical.write(record, to: &bytes)
        if let last = entries.last, place < last.place { isInOrder = false }
        refusals.take(record, type)
        if type == "connend" || type == "flowend" { hasEnded = true }
        if type == "origin" || type == "dns" { holdsResources = true }
        entries.append(
            Entry(
                type: type,
                line: entry.line,
                place: place,
                form: Self.form(record, type),
                range: start..<bytes.count
            )
        )
    }

    private static func form(_ record: JSONText, _ type: String) -> Entry.Form {
        if type == "start" { return .start }
        guard CanonicalNames.types.contains(type) else { return .written }
        if CanonicalNames.isIssuing(record) { return .issuing }
        return CanonicalNames.isRequest(record) ? .asking : .unnamed
    }

    /// Puts the records in their order; those at one place keep theirs.
    mutating func sort() {
        guard !isInOrder else { return }
        entries = entries.enumerated()
            .sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
            .map(\.element)
        isInOrder = true
    }

    /// Has names learnt from the records.
    func teach(_ names: inout CanonicalNames) {
        var scanner = JSONScanner()
        var request: Entry?
        for entry in entries where entry.form == .asking || entry.form == .issuing {
            if entry.form == .asking {
                request = entry
                continue
            }
            if let request { names.learn(text(of: request, &scanner)) }
            request = nil
            names.learn(text(of: entry, &scanner))
        }
        // What the next section begins with may belong to it.
        if let request { names.learn(text(of: request, &scanner)) }
    }

    /// The records with their names.
    func records(_ names: inout CanonicalNames, schedule: String?) -> [CanonicalJournal.Record] {
        var scanner = JSONScanner()
        var records: [CanonicalJournal.Record] = []
        for entry in entries {
            var form: [UInt8] = []
            write(entry, &names, schedule, &scanner, to: &form)
            records.append(.init(type: entry.type, line: entry.line, bytes: form))
        }
        return holdsResources ? Self.byResource(records) : records
    }

    /// Appends the records with their names, one a line.
    func write(_ names: inout CanonicalNames, schedule: String?, to lines: inout [UInt8]) {
        let lineFeed = UInt8(ascii: "\n")
        guard !holdsResources else {
            for record in records(&names, schedule: schedule) {
                lines.append(contentsOf: record.bytes)
                lines.append(lineFeed)
            }
            return
        }
        var scanner = JSONScanner()
        for entry in entries {
            write(entry, &names, schedule, &scanner, to: &lines)
            lines.append(lineFeed)
        }
    }

    private func write(
        _ entry: Entry,
        _ names: inout CanonicalNames,
        _ schedule: String?,
        _ scanner: inout JSONScanner,
        to lines: inout [UInt8]
    ) {
        switch entry.form {
        case .written where refusals.concern(entry.place, entry.type):
            refusals.withoutContent(text(of: entry, &scanner).object()).write(to: &lines)
        case .written: lines.append(contentsOf: bytes[entry.range])
        case .unnamed, .asking, .issuing: names.write(text(of: entry, &scanner), to: &lines)
        case .start:
            var object = text(of: entry, &scanner).object()
            if let schedule { object.replace("schedule", .string(schedule)) }
            object.write(to: &lines)
        }
    }

    private func text(of entry: Entry, _ scanner: inout JSONScanner) -> JSONText {
        let end = scanner.scan(bytes, from: entry.range.lowerBound, isWritten: true)
        precondition(end == entry.range.upperBound, "a canonical form is well formed")
        return JSONText(bytes, scanner.nodes)
    }

    /// By what records of an origin or a name server are about: resources, and questions, are not in
    /// step with each other.
    private static func byResource(
        _ records: [CanonicalJournal.Record]
    ) -> [CanonicalJournal.Record] {
        func resource(_ record: CanonicalJournal.Record) -> String {
            guard record.type == "origin" || record.type == "dns" else { return "" }
            let text = JSONText(written: record.bytes)
            let keys: [JSONKey] = record.type == "origin" ? ["resource"] : ["name", "qtype"]
            return keys.map { text.place(of: $0).flatMap(text.string(at:)) ?? "" }
                .joined(separator: " ")
        }
        return records.enumerated()
            .map { (resource: resource($0.element), offset: $0.offset, record: $0.element) }
            .sorted { ($0.resource, $0.offset) < ($1.resource, $1.offset) }
            .map(\.record)
    }
}
