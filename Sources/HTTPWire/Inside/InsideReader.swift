/// Reads the messages inside the content that one side of a stream of HTTP/2 sends.
package struct InsideReader: Sendable {
    private enum Reader {
        case webSocket(WebSocketReader)
        case events(EventStreamReader)
        case grpc(GRPCReader)
        /// The messages could not be told apart.
        case lost
    }

    package let kind: MessageKind
    private var reader: Reader

    /// - Parameters:
    ///   - kind: what the messages are.
    ///   - isClient: whether the client sends them.
    ///   - keepsContent: whether parts of messages have their bytes.
    package init(_ kind: MessageKind, isClient: Bool, keepsContent: Bool = false) {
        self.kind = kind
        switch kind {
        case .webSocket:
            var frames = WebSocketReader(isMasked: isClient)
            frames.keepsContent = keepsContent
            reader = .webSocket(frames)
        case .event:
            var events = EventStreamReader()
            events.keepsContent = keepsContent
            reader = .events(events)
        case .grpc:
            var calls = GRPCReader()
            calls.keepsContent = keepsContent
            reader = .grpc(calls)
        }
    }

    /// Where the bytes begin of which the next ones tell what they are; nil if there are none.
    package var unfinished: UInt64? {
        switch reader {
        case .webSocket(let reader): reader.unfinished
        case .events(let reader): reader.unfinished
        case .grpc, .lost: nil
        }
    }

    /// Reads the next content, which begins at `position` of the stream.
    package mutating func read(
        _ bytes: Span<UInt8>,
        at position: UInt64,
        into events: inout [InsideEvent]
    ) {
        let known = events.count
        do throws(MessageError) {
            switch reader {
            case .webSocket(var next):
                reader = .lost
                defer { reader = .webSocket(next) }
                try next.read(bytes, at: position, into: &events)
            case .events(var next):
                reader = .lost
                defer { reader = .events(next) }
                try next.read(bytes, at: position, into: &events)
            case .grpc(var next):
                reader = .lost
                defer { reader = .grpc(next) }
                try next.read(bytes, at: position, into: &events)
            case .lost: return
            }
        } catch {
            events.append(.lost(at: place(of: events[known...], position)))
            reader = .lost
        }
    }

    /// Where messages that break their framing stop being told apart.
    private func place(of events: ArraySlice<InsideEvent>, _ position: UInt64) -> UInt64 {
        if case .events(let reader) = reader { return reader.limit ?? position }
        let last = events.reversed().lazy.compactMap { event in
            if case .part(let part) = event { part.bytes.upperBound } else { nil }
        }
        return unfinished ?? last.first ?? position
    }

    /// Notes that no more content comes.
    package mutating func end(at position: UInt64, into events: inout [InsideEvent]) {
        switch reader {
        case .webSocket(let reader): reader.end(at: position, into: &events)
        case .events(var reader): reader.end(at: position, into: &events)
        case .grpc(let reader): reader.end(at: position, into: &events)
        case .lost: break
        }
    }
}
