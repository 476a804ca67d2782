internal import Basics
internal import HTTPTransport
internal import HTTPWire
internal import ResumableServer
internal import SystemIO

/// The origin's own resources below `/.linkcond/`: its state, and what goes wrong on request.
///
/// They are for tests on the same machine. A page in a browser on it cannot use them: the request
/// must name a loopback host, which no rebound name is, and come from no other page.
final class ControlService {
    private let bodyLimit: Int
    /// The present rules as they were written, and new ones in their place.
    var rules: () -> String = { "" }
    var setRules: (String) throws(MisbehaviourError) -> Void = { _ in }
    var state: (@escaping (OriginState) -> Void) -> Void = { _ in }

    init(bodyLimit: Int) { self.bodyLimit = bodyLimit }

    /// - Returns: false if the request is about something else.
    func take(_ exchange: OriginExchange) -> Bool {
        guard let path = ObjectPath(exchange.head), path.names.first == ObjectSource.privateName
        else {
            return false
        }
        guard isAllowed(exchange) else {
            exchange.refuse(403, "This is for programs on the same machine only.")
            return true
        }
        switch (path.names.dropFirst().joined(separator: "/"), exchange.head.method) {
        case ("state", "GET"), ("state", "HEAD"): state { exchange.give($0.json) }
        case ("misbehaviour", "GET"), ("misbehaviour", "HEAD"): giveRules(exchange)
        case ("misbehaviour", "PUT"): put(exchange)
        case ("misbehaviour", "DELETE"): replace("", exchange)
        case ("state", _): refuse(exchange, "GET, HEAD")
        case ("misbehaviour", _): refuse(exchange, "GET, HEAD, PUT, DELETE")
        default: exchange.refuse(404, "There are /.linkcond/state and /.linkcond/misbehaviour.")
        }
        return true
    }

    private func isAllowed(_ exchange: OriginExchange) -> Bool {
        // A Unix socket's peer may have no address.
        guard exchange.peer?.isLoopback ?? true else { return false }
        let host = exchange.head.fields["Host"] ?? "localhost"
        guard BrowserGuard.isLoopback(host: host[...]) else { return false }
        guard let origin = exchange.head.fields["Origin"] else { return true }
        return origin == "http://\(host)"
    }

    private func refuse(_ exchange: OriginExchange, _ allowed: String) {
        exchange.refuse(405, "This takes \(allowed) only.", ["Allow": allowed])
    }

    /// One rule in each line, or the text as it was written for who prefers JSON.
    private func giveRules(_ exchange: OriginExchange) {
        let rules = rules()
        if AcceptField.prefersJSON(exchange.head.fields.combined("Accept")) {
            let object: JSONObject = ["misbehaviour": .string(rules)]
            return exchange.give(.object(object))
        }
        let lines = rules.split(separator: ";").map { line in
            line.drop { $0 == " " }
        }
        guard lines.isEmpty else { return exchange.tell(lines.joined(separator: "\n")) }
        exchange.tell("No rules. PUT some here, one in each line; linkcond help misbehaviour")
    }

    private func put(_ exchange: OriginExchange) {
        exchange.collect(limit: bodyLimit) { [self] body in
            guard case .complete(let bytes, _) = body else {
                return exchange.refuse(413, "Rules of more than \(bodyLimit) bytes.")
            }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                return exchange.refuse(400, "The rules are not text.")
            }
            // One rule in a line is as good as one behind a semicolon.
            replace(text.split { $0.isNewline || $0 == ";" }.joined(separator: ";"), exchange)
        }
    }

    private func replace(_ text: String, _ exchange: OriginExchange) {
        do throws(MisbehaviourError) {
            try setRules(text)
            giveRules(exchange)
        } catch {
            exchange.refuse(400, error.diagnostic(label: "misbehaviour"))
        }
    }
}
