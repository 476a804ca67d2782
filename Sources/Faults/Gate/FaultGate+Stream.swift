internal import Basics
internal import HTTP2
internal import HTTPWire

// What the gate of one stream is told of its messages.
extension FaultGate {
    /// Takes the fields of a head or of trailers.
    mutating func take(_ fields: [BlockField], isLast: Bool, _ direction: Direction) {
        let size = fields.listSize
        let side = TapSide(sending: direction)
        if direction == .up, stream?.position(of: .client) == 0, let head = RequestHead(fields) {
            sort(stream?.request(head, size: size, isWhole: isLast) ?? [])
        } else if direction == .down, let head = ResponseHead(fields) {
            sort(stream?.response(head, size: size, isWhole: isLast) ?? [])
        } else {
            let trailers = HeaderFields(fields.regular)
            sort(stream?.trailers(trailers, of: side, size: size) ?? [])
        }
    }

    /// Takes the length of content, which comes next.
    mutating func take(_ content: Int, isLast: Bool, _ direction: Direction) {
        let side = TapSide(sending: direction)
        sort(stream?.content(content, of: side, isLast: isLast) ?? [])
    }

    /// Looks at content whose length was taken.
    mutating func read(content: Span<UInt8>, _ direction: Direction) {
        sort(stream?.read(content, of: TapSide(sending: direction)) ?? [])
    }

    /// What follows the head of a final answer; nil for no messages.
    func messages(after head: ResponseHead) -> MessageKind? {
        guard stream == nil else { return stream?.messages }
        return head.opensWebSocket ? .webSocket : head.hasEvents ? .event : nil
    }

    /// Where a message begins of which more must be read; nil if there is none.
    func unfinishedMessage(of side: TapSide) -> UInt64? {
        stream.map { $0.unfinishedMessage(of: side) } ?? tap.unfinishedMessage(of: side)
    }
}
