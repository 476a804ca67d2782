internal import Basics

/// Where two runs part: the first different record of each connection and of the whole run.
package enum JournalDiff {
    /// One place where the canonical forms part.
    package struct Difference: Hashable, Sendable {
        /// `connection 3`, `connection 2 of listener 4` or `'path' of the whole run`.
        package let place: String
        /// Position of the record within its place, from 1.
        package let record: Int
        /// The record's line in the first journal, from 1; nil where there is no such record.
        package let firstLine: Int?
        /// The record's line in the second journal.
        package let secondLine: Int?
        /// What differs, in words, one thing a line.
        package let explanation: [String]
    }

    /// The most differences that are described; the rest are counted.
    package static let maximumDifferences = 20

    /// Compares two journals in canonical order.
    ///
    /// Only the first different record of a connection is reported: what follows it is mostly a
    /// consequence.
    ///
    /// - Parameters:
    ///   - first: a journal, "the first" in explanations.
    ///   - second: the other one.
    /// - Returns: the differences, none for equal journals, and how many were left undescribed.
    package static func compare(
        _ first: CanonicalJournal,
        _ second: CanonicalJournal
    ) -> (differences: [Difference], further: Int) {
        var differences: [Difference] = []
        var further = 0
        for (section, pair) in paired(first.orderedSections, second.orderedSections) {
            guard let difference = parting(of: pair.0, pair.1, in: section) else { continue }
            if differences.count < maximumDifferences {
                differences.append(difference)
            } else {
                further += 1
            }
        }
        return (differences, further)
    }

    private typealias Section = CanonicalJournal.Section
    private typealias Record = CanonicalJournal.Record

    /// Merges two ordered lists; a section that one side lacks is empty there.
    private static func paired(
        _ first: [(section: Section, records: [Record])],
        _ second: [(section: Section, records: [Record])]
    ) -> [(Section, ([Record], [Record]))] {
        var result: [(Section, ([Record], [Record]))] = []
        var (i, j) = (0, 0)
        while i < first.count || j < second.count {
            if j == second.count || (i < first.count && first[i].section < second[j].section) {
                result.append((first[i].section, (first[i].records, [])))
                i += 1
            } else if i == first.count || second[j].section < first[i].section {
                result.append((second[j].section, ([], second[j].records)))
                j += 1
            } else {
                result.append((first[i].section, (first[i].records, second[j].records)))
                i += 1
                j += 1
            }
        }
        return result
    }

    private static func parting(
        of first: [Record],
        _ second: [Record],
        in section: Section
    ) -> Difference? {
        let common = zip(first, second).prefix { $0.bytes == $1.bytes }.count
        guard common < max(first.count, second.count) else { return nil }
        let one = common < first.count ? first[common] : nil
        let other = common < second.count ? second[common] : nil
        return Difference(
            place: section.name,
            record: common + 1,
            firstLine: one?.line,
            secondLine: other?.line,
            explanation: explain(one, other)
        )
    }

    private static func explain(_ first: Record?, _ second: Record?) -> [String] {
        guard let first else { return ["the second has one more '\(second?.type ?? "")'"] }
        guard let second else { return ["the first has one more '\(first.type)'"] }
        guard first.type == second.type else {
            return ["the first has '\(first.type)', the second '\(second.type)'"]
        }
        let (one, other) = (members(first), members(second))
        var lines: [String] = []
        for member in one {
            guard let value = other.first(where: { $0.key == member.key })?.value else {
                lines.append("'\(member.key)': \(member.value.shown) in the first only")
                continue
            }
            if value.text != member.value.text {
                lines.append("'\(member.key)': \(member.value.shown), then \(value.shown)")
            }
        }
        for member in other where !one.contains(where: { $0.key == member.key }) {
            lines.append("'\(member.key)': \(member.value.shown) in the second only")
        }
        return lines
    }

    private static func members(_ record: Record) -> [JSONObject.Member] {
        guard case .object(let object) = try? JSONParser.parse(record.bytes[...]) else { return [] }
        return object.members
    }
}

extension CanonicalJournal.Section {
    fileprivate var name: String {
        switch self {
        case .opening(_, let type), .closing(_, let type): "'\(type)' of the whole run"
        case .connection(let id) where id.listener == 1: "connection \(id.ordinal)"
        case .connection(let id): "connection \(id.ordinal) of listener \(id.listener)"
        }
    }
}
