package import HTTPWire

// What a cache between client and server holds, and who gets it.

extension Misbehaviour.Effect {
    /// Whether a request does not allow this answer: by `no-cache`, `no-store` or a smaller `max-age`
    /// a client asks for more than what a cache holds (RFC 9111 §5.2.1).
    package func isAvoided(by request: RequestHead) -> Bool {
        guard case .stale(let age) = self else { return false }
        let directives = (request.fields.combined("Cache-Control") ?? "").lowercased()
            .split(separator: ",").map { $0.trimmingSpaces }
        return directives.contains { directive in
            if directive == "no-cache" || directive == "no-store" { return true }
            guard directive.hasPrefix("max-age="), let limit = Int(directive.dropFirst(8)) else {
                return false
            }
            return limit < age
        }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var rest = self
        while rest.first == " " || rest.first == "\t" { rest.removeFirst() }
        while rest.last == " " || rest.last == "\t" { rest.removeLast() }
        return rest
    }
}
