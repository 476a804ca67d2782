internal import Basics
package import Journal

extension ChangeReport {
    /// The action, its details and its connections, as in `stall, for 5s, on c3`.
    ///
    /// - Parameter prefix: stands before the name of an action.
    /// - Returns: words as they came, which may hold anything.
    package func words(prefix: String = "") -> String {
        var members = detail.members
        var done = prefix + action
        if action == "profile", case .string(let name)? = detail["name"] {
            done = "profile changed to \(name)"
            members.removeAll { $0.key == "name" }
        }
        // A configuration file makes proxies, too.
        if action == "create-proxy" { done = "proxy added" }
        let details = members.map { member in
            if case .string(let text) = member.value {
                "\(member.key) \(text)"
            } else {
                "\(member.key) \(member.value.text)"
            }
        }
        let words = ([done] + details).joined(separator: ", ")
        guard connections > 0 else { return words }
        if connections == 1, let place = places.first {
            return "\(words), on \(place.connection.name)"
        }
        return "\(words), on \(Words.count(connections, "connection"))"
    }
}
