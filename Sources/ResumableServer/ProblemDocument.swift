/// An error in a form that programs can read (RFC 9457).
struct ProblemDocument: Hashable, Sendable {
    /// A registered kind of problem; nil for "about:blank".
    var kind: String?
    var title: String
    var status: Int
    /// Names and values of further members.
    var numbers: [(String, UInt64)] = []

    static let mediaType = "application/problem+json"
    private static let base = "https://iana.org/assignments/http-problem-types#"

    static func == (one: Self, other: Self) -> Bool { one.json == other.json }

    func hash(into hasher: inout Hasher) { hasher.combine(json) }

    /// All text in it is ours and has nothing that JSON would have to escape.
    var json: [UInt8] {
        let kind = kind.map { "\"type\":\"\(Self.base)\($0)\"," } ?? ""
        let numbers = numbers.map { ",\"\($0.0)\":\($0.1)" }.joined()
        return Array("{\(kind)\"title\":\"\(title)\",\"status\":\(status)\(numbers)}\n".utf8)
    }
}
