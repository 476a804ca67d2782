internal import Journal

/// Points that are run twice, to see whether a client that is met by the same faults does the same.
///
/// Every message counts, with its size and its content; time and place do not.
struct Repetitions {
    private enum State {
        case wanted
        case ranOnce(CanonicalJournal)
        case compared
    }

    private var states: [PointIdentity: State] = [:]

    /// - Parameters:
    ///   - points: in the order in which they are searched.
    ///   - distance: from one that is run twice to the next; nil for none.
    init(of points: [Point] = [], every distance: Int? = nil) {
        guard let distance else { return }
        for index in stride(from: 0, to: points.count, by: max(1, distance)) {
            states[points[index].identity] = .wanted
        }
    }

    /// Whether a run of a point has to give its journal.
    func concern(_ point: Point) -> Bool { states[point.identity] != nil }

    /// Takes the first run of a point; true if it is to be run again.
    mutating func takeFirst(_ point: Point, _ outcome: PointOutcome) -> Bool {
        guard case .wanted = states[point.identity], let journal = outcome.journal else {
            return false
        }
        states[point.identity] = .ranOnce(journal)
        return true
    }

    /// What the second run of a point says.
    mutating func judgeSecond(_ point: Point, _ outcome: PointOutcome) -> PointJudgement {
        guard case .ranOnce(let first) = states[point.identity], let second = outcome.journal else {
            return .inconclusive(reason: "there is nothing to compare it with")
        }
        states[point.identity] = .compared
        let differences = JournalDiff.compare(first, second).differences
        guard let difference = differences.first else { return .pass }
        let words = difference.explanation.joined(separator: "; ")
        return .inconclusive(
            reason: "two runs differ: \(difference.place), record \(difference.record): \(words)"
        )
    }
}
