package import Basics
package import Journal

/// A change during a run: one made by hand, or a new path.
package struct LiveChange: Hashable, Sendable {
    /// The action, such as `mark`; `path` also if the path changed with its profile or link.
    package let action: String
    /// How it was asked for; nil if it was not.
    package let by: ChangeReport.Origin?
    package let words: String
    /// The action's details, as in the journal; empty for a path, and if too long to be kept.
    package let detail: JSONObject
    /// On how many connections it took effect.
    package let connections: Int
    /// The new path, if this is a change of the path.
    package let path: PathReport?

    private static let wordsLimit = 240
    private static let detailLimit = 2_000

    init(_ change: ChangeReport) {
        action = change.action
        by = change.by
        path = change.path
        words = Self.clipped(change.pathWords ?? change.words())
        let isShort = JSONValue.object(change.detail).text.utf8.count <= Self.detailLimit
        detail = isShort ? change.detail : [:]
        connections = change.connections
    }

    init(_ path: PathReport) {
        action = "path"
        by = nil
        self.path = path
        words = Self.clipped("path \(path.words)")
        detail = [:]
        connections = 0
    }

    private static func clipped(_ text: String) -> String {
        text.count > wordsLimit ? text.prefix(wordsLimit - 1) + "…" : text
    }

    /// Whether this is how control put the path that the record before it, `other`, tells of.
    ///
    /// Only control knows of an outage of the link.
    func explains(_ other: LiveChange) -> Bool {
        guard by != nil, other.by == nil, var own = path, let told = other.path else {
            return false
        }
        own.isSatisfied = told.isSatisfied
        return own == told
    }
}

extension ChangeReport {
    /// The path that was put by control; nil for any other change.
    fileprivate var path: PathReport? {
        guard action == "path", case .string(let interface)? = detail["interface"] else {
            return nil
        }
        return PathReport(
            interface: interface,
            isExpensive: detail["isExpensive"] == .bool(true),
            isConstrained: detail["isConstrained"] == .bool(true),
            isSatisfied: detail["status"] != .string("unsatisfied")
        )
    }

    fileprivate var pathWords: String? {
        path.map { "path \($0.words)" + (detail["power"] == .bool(false) ? ", without power" : "") }
    }
}
