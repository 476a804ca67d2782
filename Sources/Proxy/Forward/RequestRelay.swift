internal import HTTPWire

/// The requests that the client of an HTTP proxy makes of one server, as that server gets them.
///
/// Heads in absolute form become heads in origin form (RFC 9112 §3.2.2); content passes as it is. The
/// first request that is not for this server, and all that follows it, is kept for another connection.
package struct RequestRelay {
    private let server: Destination
    private let judge: ProxyRequest
    /// How the target of a plain request names the server; nil where each request has to say more.
    private let authority: [UInt8]?
    private var parser = RequestParser()
    /// What has come of a head that is not whole yet.
    private var head: [UInt8] = []
    private var isInHead = true
    /// Whether what passed for content is none, so that no further head can be found.
    private var isOpaque = false
    /// What has come that is not for this server; nil if everything was.
    package private(set) var rest: [UInt8]?
    /// What the server has answered so far; nil if others know that.
    private var answers: AnswerCount?

    /// - Parameters:
    ///   - server: what the client asked for first.
    ///   - credentials: what it has to say with every request; nil for nothing.
    ///   - readsAnswers: whether the relay is to know what was answered; it is shown all of it then.
    init(
        to server: Destination,
        credentials: ForwardSettings.Credentials?,
        readsAnswers: Bool = false
    ) {
        self.server = server
        judge = ProxyRequest(credentials)
        authority =
            credentials == nil
            ? (try? HTTPURL("http://\(server.endpoint)")).map { Array($0.hostField.utf8) } : nil
        answers = readsAnswers ? AnswerCount() : nil
    }

    /// Takes the client's next bytes.
    ///
    /// - Returns: what goes to the server; nil for the same bytes.
    package mutating func read(_ bytes: Span<UInt8>) -> [UInt8]? {
        var index = 0
        // Most bytes of an upload are content, and need no copy.
        skipContent(bytes, &index)
        guard index < bytes.count else { return nil }
        var output = Self.copy(bytes, 0..<index)
        while rest == nil, index < bytes.count {
            let start = index
            if let plain = plainRequest(bytes, at: index) {
                answers?.expect(method: plain.method)
                output += plain.bytes
                index = plain.end
            } else if isInHead {
                output += readHead(bytes, &index)
            } else {
                skipContent(bytes, &index)
                output += Self.copy(bytes, start..<index)
            }
        }
        return output
    }

    /// Takes the server's next bytes; does nothing if others know what it has answered.
    mutating func readAnswers(_ bytes: Span<UInt8>) { answers?.read(bytes) }

    /// Whether every request has its whole answer; nil if others know that.
    var isAnswered: Bool? { answers?.isComplete }

    private mutating func skipContent(_ bytes: Span<UInt8>, _ index: inout Int) {
        while !isInHead {
            guard !isOpaque, let step = try? parser.next(bytes.extracting(index...)) else {
                isOpaque = true
                index = bytes.count
                return
            }
            index += step.consumed
            switch step.event {
            case nil: return
            case .end: isInHead = true
            case .head, .body, .opaque: continue
            }
        }
    }

    private func plainRequest(_ bytes: Span<UInt8>, at index: Int) -> PlainRequest? {
        guard isInHead, head.isEmpty, let authority, parser.isBetweenMessages else { return nil }
        return PlainRequest(in: bytes, from: index, to: authority)
    }

    /// Reads on in a head; answers what the server gets of it once it is whole.
    private mutating func readHead(_ bytes: Span<UInt8>, _ index: inout Int) -> [UInt8] {
        let start = index
        guard let step = try? parser.next(bytes.extracting(index...)) else {
            leave(bytes, from: start)
            return []
        }
        index += step.consumed
        guard case .head(let request)? = step.event else {
            head += Self.copy(bytes, start..<index)
            return []
        }
        guard let url = judge.url(of: request, on: server) else {
            leave(bytes, from: start)
            return []
        }
        answers?.expect(method: request.method)
        isInHead = false
        let relayed = RelayedHead(request, to: url)
        guard !head.isEmpty else { return relayed.bytes(from: bytes.extracting(start..<index)) }
        defer { head.removeAll(keepingCapacity: true) }
        head += Self.copy(bytes, start..<index)
        return relayed.bytes(from: head.span)
    }

    private mutating func leave(_ bytes: Span<UInt8>, from start: Int) {
        rest = head + Self.copy(bytes, start..<bytes.count)
    }

    private static func copy(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
        range.map { bytes[$0] }
    }
}
