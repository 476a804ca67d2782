package import Basics
package import Journal

/// A request and what answered it, as the client saw it.
package struct Exchange: Hashable, Sendable {
    package let request: Timed<RequestReport>
    package internal(set) var response: Timed<ResponseReport>?
    package internal(set) var responseBody: Timed<Content>?
    package internal(set) var outcome = Outcome.open
    /// Whether a fault kept the answer away without an end, and nobody saw when the client gave up.
    package internal(set) var isLeftInSilence = false
    private var further = Seldom<Further>()

    /// How much of a message's content passed, and when.
    package struct Content: Hashable, Sendable {
        package internal(set) var bytes: UInt64
        package internal(set) var isComplete: Bool
        /// When its first byte passed; nil if none did, or if that was not recorded.
        package let firstByteAt: Instant?

        init(_ report: BodyReport) {
            bytes = report.bytes
            isComplete = report.isComplete
            firstByteAt = report.firstByteAt
        }
    }

    /// The parts that most exchanges lack.
    private struct Further: SeldomParts {
        var interims: [Timed<ResponseReport>] = []
        var requestBody: Timed<Content>?
        var requestPrefix: String?
        var sentMessages: Timed<MessagesReport>?
        var receivedMessages: Timed<MessagesReport>?
        var faults: [Timed<FaultReport>] = []
    }

    /// What became of it, from the client's view.
    package enum Outcome: Hashable, Sendable {
        /// The final answer was delivered as a whole.
        case answered(at: Instant)
        /// The connection failed before the whole answer was there.
        case cut(at: Instant, line: Int, by: String)
        /// The client itself closed the connection before the whole answer was there, as it does when
        /// nothing comes any more.
        case abandoned(at: Instant, line: Int)
        /// The journal ends before it does, or has not seen the client leave.
        case open
    }

    init(_ request: Timed<RequestReport>) { self.request = request }

    package var id: ExchangeID { request.value.exchange }
    package var method: String { request.value.method }
    package var target: String { request.value.target }
    package var beganAt: Instant { request.at }
    package var status: Int? { response?.value.status }

    /// When it was over on the client's side; nil if the journal does not say.
    package var endedAt: Instant? {
        switch outcome {
        case .answered(let time): time
        case .cut(let time, _, _), .abandoned(let time, _): time
        case .open: nil
        }
    }

    package var isAnswered: Bool { if case .answered = outcome { true } else { false } }

    /// Content bytes that reached the server.
    package var sentBytes: UInt64 { requestBody?.value.bytes.bounded ?? 0 }
    /// Content bytes that reached the client.
    package var receivedBytes: UInt64 { responseBody?.value.bytes.bounded ?? 0 }

    /// The line that shows its end, or its request.
    package var lastLine: Int {
        switch outcome {
        case .cut(_, let line, _), .abandoned(_, let line): line
        case .answered, .open:
            max(response?.line ?? 0, responseBody?.line ?? 0, request.line)
        }
    }

    /// All answers, interim ones first.
    package var answers: [Timed<ResponseReport>] { interims + (response.map { [$0] } ?? []) }

    /// Whether the declared content of the request reached the server as a whole.
    package var isRequestComplete: Bool {
        switch request.value.framing {
        case .none, .length(0): true
        default: requestBody?.value.isComplete ?? false
        }
    }

    /// Whether the final answer is there with all of its content.
    var isAnswerComplete: Bool {
        guard let response else { return false }
        if let messages = receivedMessages?.value, messages.kind != .event {
            return messages.isWhole
        }
        if let responseBody { return responseBody.value.isComplete }
        switch response.value.framing {
        case .none, .length(0): return true
        default: return method == "HEAD"
        }
    }

    /// Whether the answer to a gRPC call came to its end and had no status.
    var endsWithoutStatus: Bool {
        guard let messages = receivedMessages?.value, messages.kind == .grpc else { return false }
        return messages.status == nil
            && (responseBody?.value.isComplete ?? (response?.value.framing == ReportedFraming.none))
    }

    /// Decides what became of it, from the connection it was on.
    mutating func conclude(on connection: ConnectionConclusion) {
        let left = connection.patienceEnd
        // One clock stamps both when they come up, and the last byte is noted before it is written: a
        // client that has it ends later.
        if let end = answerEnd, left.map({ end <= $0.at }) ?? true {
            outcome = .answered(at: end)
        } else if let left {
            forget(after: left.at, connection.silence)
            outcome = .abandoned(at: left.at, line: left.line)
        } else if let fault = closing(on: connection) {
            outcome = .cut(
                at: fault.at,
                line: fault.line,
                by: fault.value.effect
            )
        } else if connection.silence != nil {
            isLeftInSilence = true
        } else if let end = connection.end {
            outcome =
                end.value.by == .client
                ? .abandoned(at: end.at, line: end.line)
                : .cut(
                    at: end.at,
                    line: end.line,
                    by: end.value.how.rawValue
                )
        }
    }

    /// The fault that has ended it for the client: what ends a stream of HTTP/2 does not end others.
    private func closing(on connection: ConnectionConclusion) -> Timed<FaultReport>? {
        request.value.isStream
            ? faults.first { $0.value.endsStreamOfClient } ?? connection.closingAll
            : faults.first(where: \.value.isClosing) ?? connection.closing
    }

    /// When the whole answer was there; nil if it was not.
    private var answerEnd: Instant? {
        guard isAnswerComplete else { return nil }
        let content = max(response?.at ?? .start, responseBody?.at ?? .start)
        return max(content, receivedMessages?.at ?? .start)
    }

    /// Leaves out what came when the client had lost its patience and was gone: its kernel may have
    /// taken it, but nobody read it.
    private mutating func forget(after time: Instant, _ silence: Timed<FaultReport>?) {
        further.change { $0.interims.removeAll { $0.at > time } }
        if response.map({ $0.at > time }) ?? false {
            response = nil
            responseBody = nil
        }
        guard let body = responseBody, body.at > time,
            let fault = silence,
            let offset = fault.value.offset,
            fault.value.address.contains("resp.body")
        else {
            return
        }
        var shortened = body.value
        shortened.bytes = min(shortened.bytes, offset)
        shortened.isComplete = false
        responseBody = body.with(shortened)
    }
}

// The parts that most exchanges lack.
extension Exchange {
    package var interims: [Timed<ResponseReport>] { further.parts?.interims ?? [] }
    package var requestBody: Timed<Content>? { further.parts?.requestBody }
    /// Digest of the first 64 KiB of the request's content.
    var requestPrefix: String? { further.parts?.requestPrefix }
    /// The messages of a WebSocket or gRPC call that reached the server.
    package var sentMessages: Timed<MessagesReport>? { further.parts?.sentMessages }
    /// The messages of a WebSocket, event stream or gRPC call that reached the client.
    package var receivedMessages: Timed<MessagesReport>? { further.parts?.receivedMessages }
    package var faults: [Timed<FaultReport>] { further.parts?.faults ?? [] }

    mutating func add(_ fault: Timed<FaultReport>) { further.change { $0.faults.append(fault) } }

    mutating func add(_ response: Timed<ResponseReport>) {
        if response.value.interimOrdinal != nil {
            further.change { $0.interims.append(response) }
        } else if self.response == nil {
            self.response = response
        }
    }

    mutating func add(_ body: Timed<BodyReport>) {
        let content = body.with(Content(body.value))
        switch body.value.side {
        case .request:
            further.change {
                $0.requestBody = content
                $0.requestPrefix = body.value.prefixDigest
            }
        case .response: responseBody = content
        }
    }

    mutating func add(_ messages: Timed<MessagesReport>) {
        further.change {
            switch messages.value.side {
            case .request: $0.sentMessages = messages
            case .response: $0.receivedMessages = messages
            }
        }
    }
}
