internal import HTTPWire

/// Browsers that have shown the token, known by a cookie.
struct LoginSessions {
    /// The cookies of an address are the same for all its ports, so each run has a name of its own.
    private let name = "linkcond-\(AccessToken().text.prefix(8))"
    /// The oldest first.
    private var secrets: [AccessToken] = []

    /// Browsers at once; a further one ends the oldest session.
    static let limit = 64

    /// Begins a session.
    ///
    /// - Returns: the value of `Set-Cookie` (RFC 6265 §4.1): no script can read it, no other site's
    ///   page sends it along, and it ends with the browser.
    mutating func begin() -> String {
        if secrets.count == Self.limit { secrets.removeFirst() }
        let secret = AccessToken()
        secrets.append(secret)
        return "\(name)=\(secret.text); HttpOnly; SameSite=Strict; Path=/"
    }

    func isOpen(of head: RequestHead) -> Bool {
        shown(head).contains { value in secrets.contains { $0.matches(value) } }
    }

    mutating func end(of head: RequestHead) {
        let values = shown(head)
        secrets.removeAll { secret in values.contains { secret.matches($0) } }
    }

    /// The values that a request shows for our cookie (RFC 6265 §4.2).
    private func shown(_ head: RequestHead) -> [Substring] {
        head.fields.values("Cookie").flatMap { $0.split(separator: ";") }.compactMap { pair in
            let pair = pair.drop { $0 == " " }
            guard pair.hasPrefix("\(name)=") else { return nil }
            return pair.dropFirst(name.count + 1)
        }
    }
}
