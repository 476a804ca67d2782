package import TestSupport
internal import HTTPWire

/// Requests of a client on one connection, and what a server says to each.
package struct Dialogue: Hashable, Sendable, CustomStringConvertible {
    package struct Turn: Hashable, Sendable {
        let head: String
        let content: String
        /// What the server says once it has the head.
        let progress: String
        /// What it says once it has all.
        let answer: [UInt8]

        package var request: [UInt8] { Array((head + content).utf8) }
    }

    package let turns: [Turn]
    /// What the client says once the last answer has opened a WebSocket.
    package let frames: [UInt8]

    /// Two to four requests of any kind.
    package init(using numbers: inout SeededRandom) {
        let kinds = Kind.allCases
        var chosen = (0..<2 + numbers.below(3)).map { _ in kinds[numbers.below(kinds.count)] }
        // Nothing follows an upgrade.
        if let upgrade = chosen.firstIndex(of: .webSocket) {
            chosen.removeSubrange((upgrade + 1)...)
        }
        self.init(chosen)
    }

    /// Requests of these kinds.
    package init(_ kinds: [Kind]) {
        turns = kinds.enumerated().map { $1.turn($0) }
        frames = kinds.last == .webSocket ? Self.said(isMasked: true) : []
    }

    package var description: String { turns.map(\.head).joined() }

    package enum Kind: CaseIterable, Sendable {
        case get, getChunked, getHinted, put, putChunked, putExpecting, putWithProgress, events
        case webSocket

        /// The turn at this place, which tells it from others of its kind, whichever byte is changed.
        fileprivate func turn(_ place: Int) -> Turn {
            let path =
                "/" + String(repeating: Character(Unicode.Scalar(UInt8(97 + place))), count: 8)
            func head(_ method: String, _ fields: String = "") -> String {
                "\(method) \(path) HTTP/1.1\r\nHost: x\r\n\(fields)\r\n"
            }
            let put = head("PUT", "Content-Length: 10\r\n")
            return switch self {
            case .get: Turn(head("GET"), "", answer: Text.answer)
            case .getChunked: Turn(head("GET"), "", answer: Text.chunked)
            case .getHinted: Turn(head("GET"), "", answer: Text.interim(103) + Text.answer)
            case .put: Turn(put, Text.content, answer: Text.created)
            case .putChunked:
                Turn(head("PUT", Text.isChunked), Text.chunks, answer: Text.created)
            case .putExpecting:
                Turn(
                    head("PUT", "Content-Length: 10\r\nExpect: 100-continue\r\n"),
                    Text.content,
                    progress: Text.interim(100),
                    answer: Text.answer
                )
            case .putWithProgress:
                Turn(
                    put,
                    Text.content,
                    progress: Text.interim(104) + Text.interim(104),
                    answer: Text.interim(104) + Text.answer
                )
            case .events: Turn(head("GET"), "", answer: Text.events)
            case .webSocket:
                Turn(
                    head("GET", Text.upgrades),
                    "",
                    answer: Text.switched,
                    frames: Dialogue.said(isMasked: false)
                )
            }
        }
    }

    private static func said(isMasked: Bool) -> [UInt8] {
        WebSocketFrame.message(Array("one".utf8), isMasked: isMasked)
            + WebSocketFrame.control(.ping, isMasked: isMasked)
            + WebSocketFrame.message(Array("second".utf8), isMasked: isMasked)
            + WebSocketFrame.control(.pong, isMasked: isMasked)
            + WebSocketFrame.close(1_000, isMasked: isMasked)
    }
}

extension Dialogue.Turn {
    fileprivate init(
        _ head: String,
        _ content: String,
        progress: String = "",
        answer: String,
        frames: [UInt8] = []
    ) {
        self.head = head
        self.content = content
        self.progress = progress
        self.answer = Array(answer.utf8) + frames
    }
}

private enum Text {
    static let content = "abcdefghij"
    static let isChunked = "Transfer-Encoding: chunked\r\n"
    static let chunks = "4\r\n0123\r\n6;x=1\r\n456789\r\n0\r\nT: 1\r\n\r\n"
    static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789"
    static let chunked = "HTTP/1.1 200 OK\r\n\(isChunked)\r\n\(chunks)"
    static let created = "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n"
    static let events = """
        HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\(isChunked)\r\n\
        a\r\ndata: one\n\r\n1\r\n\n\r\n17\r\nid: 2\ndata: second\n\ndat\r\n\
        9\r\na: three\r\n2\r\n\n\n\r\n0\r\n\r\n
        """
    static let upgrades = "Connection: Upgrade\r\nUpgrade: websocket\r\n"
    static let switched = "HTTP/1.1 101 Switching Protocols\r\n\(upgrades)\r\n"

    static func interim(_ status: Int) -> String {
        "HTTP/1.1 \(status) Interim\r\nLocation: /u/1\r\n\r\n"
    }
}

/// The server of a dialogue: it answers each request that it has in full.
package struct Answerer: Sendable {
    private let turns: [Dialogue.Turn]
    /// Bytes of its input that are answered.
    private var answered = 0
    /// Whether it has sent interim responses to the request that comes.
    private var hasProgress = false

    package init(_ dialogue: Dialogue) { turns = dialogue.turns }

    /// What it says next, having received so much in all; nil as long as it has no more to say.
    package mutating func next(_ received: [UInt8]) -> [UInt8]? {
        let waiting = received[answered...]
        if !hasProgress,
            let turn = turns.first(where: { !$0.progress.isEmpty && waiting.begins($0.head.utf8) })
        {
            hasProgress = true
            return Array(turn.progress.utf8)
        }
        guard let turn = turns.first(where: { waiting.begins($0.request) }) else { return nil }
        answered += turn.request.count
        hasProgress = false
        return turn.answer
    }
}

extension ArraySlice<UInt8> {
    /// Whether these bytes are there, but for a few that faults may have changed.
    fileprivate func begins(_ bytes: some Collection<UInt8>) -> Bool {
        count >= bytes.count && zip(self, bytes).count { $0 != $1 } <= 3
    }
}
