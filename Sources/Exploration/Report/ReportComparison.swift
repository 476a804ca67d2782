internal import Analysis

/// What a report has that an earlier one of the same exploration has not, and the other way round.
///
/// New failures, new behaviours at places that both have tried, and states of the client that were
/// never seen before are three different things: only the first is a reason to fail.
package struct ReportComparison: Hashable, Sendable {
    /// What the earlier report is called.
    package let name: String
    /// The ids of the findings that both have.
    package let known: Set<String>
    /// Findings of the earlier report whose schedules were run again and fail no more.
    package let fixed: [Finding]
    /// Findings of the earlier report whose schedules were not run, or proved nothing.
    package let unseen: [Finding]
    /// Places at which the client behaves otherwise, without failing.
    package let changes: [Change]
    /// What requests and ends runs came to that no run came to before.
    package let states: [State]

    /// Points at one place that all changed in the same way.
    package struct Change: Hashable, Sendable {
        package var test: String?
        package var position: String
        package var before: String
        package var now: String
        /// The first of them.
        package var schedule: String
        package var points: Int
    }

    /// A sequence of requests and an end, with the first schedule that leads there.
    package struct State: Hashable, Sendable {
        package var test: String?
        package var text: String
        package var schedule: String
    }

    private struct Place: Hashable {
        var test: String?
        var point: PointIdentity
    }

    init(of new: SuiteReport, with old: SuiteReport, named name: String) {
        self.name = name
        let isKnown = Set(old.findings.filter(\.finding.kind.isFailure).map(\.finding.id))
        known = Set(new.findings.map(\.finding.id)).intersection(isKnown)
        let before = Self.behaviours(old)
        let now = Self.behaviours(new)
        let gone = old.findings.filter {
            $0.finding.kind.isFailure && !new.findings.map(\.finding.id).contains($0.finding.id)
        }
        let passes = { (shared: SharedFinding) in
            shared.tests.contains { index in
                let test = old.tests[index].settings.test
                let record = now[Place(test: test, point: shared.finding.minimal.identity)]
                return record?.judgement == .pass || record?.judgement == .honest
            }
        }
        fixed = gone.filter(passes).map(\.finding)
        unseen = gone.filter { !passes($0) }.map(\.finding)
        changes = Self.changes(from: before, to: new)
        states = Self.states(in: new, not: Set(before.values.map { Self.behaviour($0) }))
    }

    /// One record for each point of the search.
    private static func behaviours(_ report: SuiteReport) -> [Place: PointRecord] {
        var behaviours: [Place: PointRecord] = [:]
        for test in report.tests {
            for record in test.records where record.isCounted {
                behaviours[Place(test: test.settings.test, point: record.point.identity)] = record
            }
        }
        return behaviours
    }

    /// As in `GET first 0, GET resumed 206; exit 0`.
    private static func behaviour(_ record: PointRecord) -> String {
        let requests = record.signature.requests.joined(separator: ", ")
        return "\(requests.isEmpty ? "no request" : requests); \(record.signature.ending)"
    }

    private static func changes(
        from before: [Place: PointRecord],
        to new: SuiteReport
    ) -> [Change] {
        var order: [[String]] = []
        var changes: [[String]: Change] = [:]
        for test in new.tests {
            for record in test.records where record.isCounted && record.judgement.letter != "X" {
                let place = Place(test: test.settings.test, point: record.point.identity)
                guard let old = before[place], old.judgement.letter != "X" else { continue }
                let (was, now) = (behaviour(old), behaviour(record))
                guard was != now else { continue }
                let position = record.positions.joined(separator: " + ")
                let key = [place.test ?? "", position, was, now]
                if changes[key] == nil {
                    order.append(key)
                    changes[key] = Change(
                        test: place.test,
                        position: position,
                        before: was,
                        now: now,
                        schedule: record.point.schedule,
                        points: 0
                    )
                }
                changes[key]?.points += 1
            }
        }
        return order.compactMap { changes[$0] }.sorted {
            ($0.test ?? "", $0.position, $0.before, $0.now)
                < ($1.test ?? "", $1.position, $1.before, $1.now)
        }
    }

    private static func states(in new: SuiteReport, not known: Set<String>) -> [State] {
        var seen = known
        var states: [State] = []
        for test in new.tests {
            let records = test.records.filter(\.isCounted).map { (Simplicity($0.point), $0) }
            for (_, record) in records.sorted(by: { $0.0 < $1.0 }) {
                let text = behaviour(record)
                guard seen.insert(text).inserted else { continue }
                let schedule = record.point.schedule
                states.append(State(test: test.settings.test, text: text, schedule: schedule))
            }
        }
        return states
    }
}

// In words.
extension ReportComparison {
    /// The most changes and states that are listed.
    package static let listed = 10

    /// - Parameter new: how many findings are new.
    /// - Returns: lines for people; the last is empty.
    package func lines(new: Int) -> [String] {
        let parts = [
            (new, "new"), (known.count, "known"), (fixed.count, "fixed"),
            (unseen.count, "not tried again"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let findings = parts.isEmpty ? "no findings" : "findings: \(parts.joined(separator: ", "))"
        let differing = changes.reduce(0) { $0 + $1.points }
        var lines = [
            "compared with \(name): \(findings); \(differing)"
                + " point\(differing == 1 ? " behaves" : "s behave") differently,"
                + " \(states.count) new state\(states.count == 1 ? "" : "s")"
        ]
        lines += fixed.map { "  fixed     \($0.kind.rawValue) at \($0.position)" }
        lines += unseen.map { "  untried   \($0.kind.rawValue) at \($0.position)" }
        for change in changes.prefix(Self.listed) {
            let test = change.test.map { "\($0), " } ?? ""
            lines += [
                "  differs   \(test)\(change.position): \(change.points)"
                    + " point\(change.points == 1 ? "" : "s"), first \(change.schedule)",
                "            was \(change.before)", "            is  \(change.now)",
            ]
        }
        lines += rest(changes.count, "differences")
        for state in states.prefix(Self.listed) {
            lines += ["  state     \(state.text)", "            first seen with \(state.schedule)"]
        }
        return lines + rest(states.count, "states") + [""]
    }

    private func rest(_ count: Int, _ noun: String) -> [String] {
        count > Self.listed ? ["            and \(count - Self.listed) more \(noun)"] : []
    }
}
