internal import Basics
internal import HTTPWire

/// A kind of place at which an effect makes sense.
package enum EffectPlace: Hashable, Sendable, CaseIterable {
    case connect
    /// A byte of a connection.
    case byte
    /// Anywhere in a request.
    case request
    case requestHead
    case requestEnd
    /// Before a byte of a request.
    case requestByte
    /// Anywhere in a response.
    case response
    case responseHead
    /// Before a byte of a response.
    case responseByte
    /// In the content of a response.
    case responseContent
    /// Anywhere in an interim response.
    case interim
    case wholeInterim
    case idle
    /// A connection or request as a whole.
    case whole
    /// An object or upload of the embedded origin.
    case object
    /// A datagram of a flow.
    case datagram
    /// A flow that has fallen silent.
    case silence
    /// Anywhere in TLS.
    case tls
    /// After a client's first message under TLS.
    case hello
    /// In a record of content under TLS.
    case record
    /// A connection on which nothing has passed for a time.
    case lull
    /// A name lookup.
    case query
    /// Anywhere in a message inside a stream.
    case inside
    /// A message inside a stream as a whole.
    case wholeMessage
    /// Before or after a message of a WebSocket.
    case webSocketEdge
    /// In a message of a WebSocket.
    case webSocket

    /// The places of one kind of address.
    enum Area: Hashable {
        case connect, byte, request, response, interim, idle, whole, object, datagram, silence, tls
        case lull, query, inside

        /// In the words of a message.
        var text: String {
            switch self {
            case .connect: "'connect'"
            case .byte: "a byte of the connection"
            case .request: "a request"
            case .response: "a response"
            case .interim: "an interim response"
            case .idle: "'idle'"
            case .whole: "a connection or request as a whole"
            case .object: "'obj(...)'"
            case .datagram: "a datagram"
            case .silence: "'idle(...)' of a flow"
            case .tls: "a place in TLS"
            case .lull: "'idle(...)' of a connection"
            case .query: "a name lookup"
            case .inside: "a message inside a stream"
            }
        }
    }

    var area: Area {
        switch self {
        case .connect: .connect
        case .byte: .byte
        case .request, .requestHead, .requestEnd, .requestByte: .request
        case .response, .responseHead, .responseByte, .responseContent: .response
        case .interim, .wholeInterim: .interim
        case .idle: .idle
        case .whole: .whole
        case .object: .object
        case .datagram: .datagram
        case .silence: .silence
        case .tls, .hello, .record: .tls
        case .lull: .lull
        case .query: .query
        case .inside, .wholeMessage, .webSocketEdge, .webSocket: .inside
        }
    }

    /// Why an effect cannot act at an address of this area; nil if it can.
    func objection(to name: String, at address: FaultAddress) -> String? {
        contains(address) ? nil : restriction(name)
    }

    private func contains(_ address: FaultAddress) -> Bool {
        if case .inside(let message, let offset) = address.anchor {
            return contains(message, offset)
        }
        return switch (self, address.anchor) {
        case (.requestHead, .message(_, .head, .end)), (.responseHead, .message(_, .head, .end)),
            (.requestEnd, .message(_, .end, .end)),
            (.responseContent, .message(_, .body, _)), (.responseContent, .message(_, .chunk, _)),
            (.wholeInterim, .interim(_, _, .end)), (.object, .whole), (.hello, .tls(.hello)),
            (.record, .tls(.record)):
            true
        case (.requestByte, .message(_, let part, let offset)),
            (.responseByte, .message(_, let part, let offset)):
            part != .end && offset != .end
        case (.requestHead, _), (.responseHead, _), (.requestEnd, _), (.requestByte, _),
            (.responseByte, _),
            (.responseContent, _), (.wholeInterim, _), (.object, _), (.hello, _), (.record, _),
            (.wholeMessage, _), (.webSocketEdge, _), (.webSocket, _):
            false
        default: true
        }
    }

    private func contains(_ message: Anchor.Inside, _ offset: Anchor.PartOffset) -> Bool {
        switch self {
        case .inside: true
        case .wholeMessage: offset == .end
        case .webSocket: message.kind == .webSocket
        case .webSocketEdge:
            message.kind == .webSocket && (offset == .end || offset == .fromStart(.at(0)))
        default: false
        }
    }

    /// What an effect that acts only here demands of an address of this area.
    private func restriction(_ name: String) -> String {
        switch self {
        case .requestHead: "'\(name)' acts at 'req.head' only"
        case .responseHead: "'\(name)' acts at 'resp.head' only"
        case .requestEnd: "'\(name)' acts at 'req.end' only"
        case .responseContent: "'\(name)' acts in 'resp.body' and its chunks only"
        case .requestByte, .responseByte:
            "'\(name)' changes the byte at its place; give an offset like 'body+10'"
        case .wholeInterim: "'\(name)' is of the whole response; leave the offset out"
        case .object: "'\(name)' takes no anchor; write 'obj(PATH)#N=\(name)'"
        case .hello: "'\(name)' acts at 'tls.hello' only"
        case .record: "'\(name)' acts in a record only; write 'tls.record[1]'"
        case .wholeMessage: "'\(name)' is of the whole message; leave the offset out"
        case .webSocketEdge:
            "'\(name)' acts before or after a message; write 'ws.down[1]+0' or 'ws.down[1]'"
        case .webSocket: "'\(name)' acts on a WebSocket; write 'ws.down[1]'"
        case .connect, .byte, .request, .response, .interim, .idle, .whole, .datagram, .silence,
            .tls, .lull, .query, .inside:
            "'\(name)' acts at \(area.text) only"
        }
    }
}

extension FaultAddress {
    var area: EffectPlace.Area {
        if case .object = target { return .object }
        if case .queries = target { return .query }
        if case .silence = anchor, case .connections = target { return .lull }
        return switch anchor {
        case .connect: .connect
        case .byte: .byte
        case .message(.up, _, _): .request
        case .message(.down, _, _): .response
        case .interim: .interim
        case .idle: .idle
        case .whole: .whole
        case .datagrams: .datagram
        case .silence: .silence
        case .tls: .tls
        case .inside: .inside
        }
    }
}
