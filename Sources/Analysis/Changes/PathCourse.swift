package import Journal

/// A run's path at its start, and at its end.
package struct PathCourse: Hashable, Sendable {
    /// Nil if that is not known.
    package private(set) var start: PathReport?
    /// As it was told last.
    package private(set) var end: PathReport?
    private var isUnderWay = false

    package init() {}

    /// Takes the next record of a run.
    ///
    /// - Returns: the path, if it changed with this record.
    @discardableResult
    package mutating func take(_ record: JournalRecord) -> PathReport? {
        switch record {
        case .connection, .flow: isUnderWay = true
        case .path(nil, let path):
            let isStart = end == nil && !isUnderWay
            if isStart { start = path }
            defer { end = path }
            return isStart || path == end ? nil : path
        default: break
        }
        return nil
    }

    /// Whether it differs at the end.
    package var hasChanged: Bool { start != end }

    /// As in `wifi at the start, cellular, expensive at the end`; nil for a path of which nothing is
    /// known.
    package var words: String? {
        guard let end else { return nil }
        guard hasChanged, let start else { return end.isPlain ? nil : end.words }
        return "\(start.words) at the start, \(end.words) at the end"
    }
}

extension PathReport {
    /// Whether nothing is known of it.
    fileprivate var isPlain: Bool { self == PathReport(interface: "other") }
}
