internal import HTTPWire

/// The path of a request as names that cannot lead out of a folder.
struct ObjectPath: Hashable, Sendable {
    /// Of folders and, unless `isFolder`, of a file at the end; none of them is empty, `.` or `..`.
    let names: [String]
    /// Whether the path ends with a slash.
    let isFolder: Bool
    /// Behind the question mark; nil if there is none.
    let query: String?

    /// Names that Linux allows, though others would stumble over them.
    private static let harmless: Set<RequestPath.Hazard> = [.backslash, .control]

    /// Nil for a target that is no path, or that holds an escape that is none, a zero byte, a slash
    /// in disguise (`%2F`), a name that is empty, `.` or `..` in any disguise, or text that is not
    /// UTF-8: no file of ours has such a name.
    init?(_ head: RequestHead) {
        guard let resource = RequestTarget(head)?.resource,
            resource.path.hazards.isSubset(of: Self.harmless)
        else {
            return nil
        }
        let segments = resource.path.segments
        isFolder = segments.last?.isEmpty ?? true
        names = isFolder ? segments.dropLast() : segments
        query = resource.query
    }

    /// The path as text, without slashes at its ends; empty for the root.
    var text: String { names.joined(separator: "/") }
}
