/// Takes out of messages what must not stand in a journal: credentials, cookies and query strings.
///
/// Each secret becomes a placeholder with a number, by first appearance in the run: `{s1}`, and
/// `?{q1}` for a query string. So it can still be seen whether two requests carried the same one.
/// One value serves a whole run.
package struct Redaction: Sendable {
    /// Different secrets, and different query strings, that are told apart; those beyond are all `{s0}`.
    package static let maximumNames = 10_000

    private let showsSecrets: Bool
    private var secrets: [String: Int] = [:]
    private var queries: [String: Int] = [:]

    /// - Parameter showsSecrets: keep everything as it came.
    package init(showsSecrets: Bool = false) { self.showsSecrets = showsSecrets }

    /// A request target, or a URL in a field, without its query string and user information.
    package mutating func target(_ text: String) -> String {
        guard !showsSecrets else { return text }
        let bytes = Array(text.utf8)
        let query = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        let front = String(decoding: Self.withoutUserInformation(bytes[..<query]), as: UTF8.self)
        guard query < bytes.endIndex else { return front }
        let secret = String(decoding: bytes[(query + 1)...], as: UTF8.self)
        return "\(front)?{q\(Self.number(of: secret, in: &queries))}"
    }

    /// The fields of a message that matter.
    ///
    /// - Parameter pairs: names and values in the order in which they came.
    /// - Returns: them in the journal's form.
    package mutating func fields(
        _ pairs: some Sequence<(name: String, value: String)>
    ) -> ReportedFields {
        var kept: [(name: String, value: String)] = []
        for (name, value) in pairs {
            let name = name.lowercased()
            if ReportedFields.keeps(name) { kept.append((name, shown(value, of: name))) }
        }
        return ReportedFields(kept)
    }

    private mutating func shown(_ value: String, of name: String) -> String {
        guard !showsSecrets else { return value }
        switch name {
        case "authorization", "proxy-authorization", "cookie", "set-cookie":
            return "{s\(Self.number(of: value, in: &secrets))}"
        case "location", "content-location": return target(value)
        default: return value
        }
    }

    private static func number(of secret: String, in names: inout [String: Int]) -> Int {
        if let number = names[secret] { return number }
        guard names.count < maximumNames else { return 0 }
        names[secret] = names.count + 1
        return names.count
    }

    /// Cuts `name:password@` out of `scheme://name:password@host/path`.
    private static func withoutUserInformation(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        guard let authority = URLText.authority(in: bytes) else { return Array(bytes) }
        guard let at = bytes[authority].lastIndex(of: UInt8(ascii: "@")) else {
            return Array(bytes)
        }
        return Array(bytes[..<authority.lowerBound] + bytes[(at + 1)...])
    }
}
