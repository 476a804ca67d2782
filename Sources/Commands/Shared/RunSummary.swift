internal import Analysis
internal import Arguments
internal import Basics
internal import Faults
internal import Journal
internal import LinkProfile
internal import Proxy

/// What is said at the end of a run.
struct RunSummary {
    var description: RunDescription
    var tally: RunTally
    var snapshot: ProxySnapshot
    var elapsed: Duration
    /// Path and digest of the journal, if one was written whole.
    var journal: (path: String, digest: String?)?
    /// Further rows, after the heading.
    var details: [(name: String, text: String)] = []
    /// Further members of the JSON form.
    var members: JSONObject = [:]
    /// What was done by hand and "repeat with" does not do, in words.
    var unrepeated: [String] = []
    /// Whether a person reads it at once, and may want to know what to do next.
    var isForTerminal = false

    func lines(style: TextStyle) -> [String] {
        var lines = [
            style(.heading, "summary")
                + " \(description.profile.name), seed \(description.seed), "
                + Figures.time(elapsed)
        ]
        func add(_ name: String, _ text: String) {
            lines.append("  " + TextLayout.pad(name, to: 13) + text)
        }
        for detail in details { add(detail.name, detail.text) }
        add("down", bytes(snapshot.down.bytes))
        add("up", bytes(snapshot.up.bytes))
        if let flows = snapshot.flows {
            add("flows", words(flows))
            if snapshot.totalConnections > 0 { add("connections", connections) }
        } else {
            add("connections", connections)
        }
        if description.lookups != nil { add("queries", tally.queries.words) }
        for fault in snapshot.faults { add("fault", "\(fault.id): \(account(of: fault, style))") }
        for trouble in tally.troubles {
            add("trouble", trouble.words + (trouble.count > 1 ? ", \(trouble.count) times" : ""))
        }
        if let late = EventText.lateness(snapshot.lateness) { add("trouble", late) }
        if let budget { add("budget", budget) }
        if let metered = MeteredText.words(tally.metered) { add("metered", metered) }
        if let path { add("path", path) }
        if let journal {
            add("journal", journal.path + (journal.digest.map { ", digest \($0)" } ?? ""))
            if let line = reportLine(of: journal.path) { add("", "\(line) shows the ladder") }
        }
        add("repeat with", description.reproduction)
        for words in unrepeated { add("not repeated", words) }
        return lines
    }

    /// Nil for a journal that is gone once it is read, such as a pipe.
    private func reportLine(of path: String) -> String? {
        guard isForTerminal, path != "-", !path.hasPrefix("/dev/") else { return nil }
        return ShellText.line([CommandSet.program, "report", path])
    }

    private func bytes(_ count: UInt64) -> String {
        count < 1_000
            ? "\(count) bytes" : "\(Figures.bytes(count)) (\(Figures.grouped(count)) bytes)"
    }

    private var connections: String {
        var text = String(snapshot.totalConnections)
        let parts = tally.endings.map { "\($0.count) \($0.words)" }
        if !parts.isEmpty { text += ": " + parts.joined(separator: ", ") }
        return text
    }

    private func words(_ flows: ProxySnapshot.Flows) -> String {
        let counts = [("down", flows.down), ("up", flows.up)].map { word, datagrams in
            let lost = datagrams.count - min(datagrams.count, datagrams.delivered)
            return "\(Figures.count(Int(clamping: datagrams.delivered), "datagram")) \(word)"
                + (lost == 0 ? "" : " (\(Figures.grouped(lost)) not delivered)")
        }
        return "\(flows.total): " + counts.joined(separator: ", ")
    }

    private func account(of fault: FaultLedger.Row, _ style: TextStyle) -> String {
        var parts: [String] = []
        if fault.fired > 0 { parts.append("fired " + times(fault.fired)) }
        if fault.undelivered > 0 {
            parts.append(style(.warning, "not proven " + times(fault.undelivered)))
        }
        if fault.fired + fault.undelivered == 0 {
            parts.append(style(.warning, "never reached (\(fault.reason))"))
        } else if fault.unreached > 0 {
            parts.append("not reached \(times(fault.unreached)) (\(fault.reason))")
        }
        return parts.joined(separator: ", ")
    }

    private func times(_ count: UInt64) -> String { count == 1 ? "once" : "\(count) times" }

    private var budget: String? {
        guard let budget = description.profile.budget else { return nil }
        var parts = ["\(Figures.grouped(snapshot.down.bytes + snapshot.up.bytes)) bytes used"]
        if let soft = budget.softLimitBytes { parts.append("soft limit \(Figures.grouped(soft))") }
        if let hard = budget.hardLimitBytes { parts.append("hard limit \(Figures.grouped(hard))") }
        return (parts + tally.budgetNotes).joined(separator: ", ")
    }

    /// Nil for a path of which nothing is known.
    ///
    /// If there are two, a system would report the better one at each moment.
    private var path: String? {
        guard let second = description.secondPath else { return tally.path.words }
        let first = description.profile.path.report
        let both = "\(first.words); second path \(second.path.report.words)"
        guard tally.path.hasChanged, let course = tally.path.words else { return both }
        return "\(both); reported as \(course)"
    }

    private static func json(_ flows: ProxySnapshot.Flows) -> JSONValue {
        [
            "total": .number(flows.total), "datagramsDown": .number(flows.down.count),
            "deliveredDown": .number(flows.down.delivered),
            "datagramsUp": .number(flows.up.count), "deliveredUp": .number(flows.up.delivered),
        ]
    }

    var json: JSONValue {
        let described = description.profile.path.report
        var object: JSONObject = [
            "v": 1, "event": "summary", "profile": .string(description.profile.name),
            "seed": .number(description.seed),
            "elapsedMilliseconds": .number(elapsed.wholeMilliseconds),
            "bytesDown": .number(snapshot.down.bytes), "bytesUp": .number(snapshot.up.bytes),
            "connections": .number(snapshot.totalConnections),
            "flows": snapshot.flows.map(Self.json) ?? .null,
            "endings": .array(
                tally.endings.map { ["how": .string($0.words), "count": .number($0.count)] }
            ),
            "faults": .array(
                snapshot.faults.map { fault in
                    [
                        "id": .string(fault.id), "fired": .number(fault.fired),
                        "undelivered": .number(fault.undelivered),
                        "unreached": .number(fault.unreached),
                        "reason": .optional(
                            fault.unreached > 0 || fault.fired == 0 ? "\(fault.reason)" : nil
                        ),
                    ]
                }
            ),
            "troubles": .array(
                tally.troubles.map { ["words": .string($0.words), "count": .number($0.count)] }
            ),
            "late": [
                "count": .number(snapshot.lateness.count),
                "worstMilliseconds": .number(snapshot.lateness.worst.wholeMilliseconds),
            ],
            "path": (tally.path.start ?? described).document,
            "pathAtEnd": (tally.path.end ?? described).document,
            "metered": RunReportJSON.document(tally.metered),
            "journalDigest": .optional(journal?.digest),
            "repeat": .string(description.reproduction),
            "unrepeated": .array(unrepeated.map { .string($0) }),
        ]
        if description.lookups != nil { object.append("queries", tally.queries.json) }
        for member in members.members { object.append(member.key, member.value) }
        return .object(object)
    }

    /// A record that `--json` has a line for; nil for any other one.
    static func event(_ record: JournalRecord) -> JSONValue? {
        switch record {
        case .fault: event("fault", record)
        case .dns: event("query", record)
        default: nil
        }
    }

    /// A record as a line of `--json`: what the journal has, under the name of an event.
    static func event(_ name: String, _ record: JournalRecord) -> JSONValue {
        var object: JSONObject = ["v": 1, "event": .string(name)]
        for member in record.object.members where member.key != "v" && member.key != "t" {
            object.append(member.key, member.value)
        }
        return .object(object)
    }
}
