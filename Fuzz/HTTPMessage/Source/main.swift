// Invariant: any bytes are the same requests, responses, parts of a form or frames of a WebSocket whether
// they come whole, byte by byte or in pieces, and end in the same error; and each head or message that was
// read can be written and reads back as itself.

import FuzzSupport
import HTTPWire

fuzz { bytes in
    guard let mode = bytes.first else { return }
    let rest = Array(bytes.dropFirst())
    switch mode & 3 {
    case 0: compare(rest) { pieces in requests(pieces) }
    case 1, 2: compare(rest) { pieces in responses(pieces, methods(mode)) }
    case 3 where mode & 4 != 0:
        compare(rest) { pieces in frames(pieces, isMasked: mode & 8 == 0) }
    default: compare(rest) { pieces in parts(pieces) }
    }
}

/// Holds that the log does not depend on how the bytes are cut.
private func compare(_ bytes: [UInt8], _ log: ([[UInt8]]) -> [Entry]) {
    let whole = log([bytes])
    require(log(bytes.map { [$0] }) == whole, "byte by byte is as whole")
    for size in [2, 3, 17] {
        let starts = stride(from: 0, to: bytes.count, by: size)
        let pieces = starts.map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
        require(log(pieces) == whole, "pieces are as whole")
    }
}

/// Four methods of requests, chosen by the bits of a byte.
private func methods(_ mode: UInt8) -> [String] {
    (0..<4).map { mode >> ($0 + 2) & 1 == 0 ? "GET" : mode & 0x80 == 0 ? "HEAD" : "CONNECT" }
}

/// What was found; content is joined.
private enum Entry: Equatable {
    case request(RequestHead)
    case response(ResponseHead)
    case part(HeaderFields)
    case content([UInt8])
    case end(HeaderFields)
    case frame(WebSocketReceiver.Event)
    case opaque
    case byClose(Bool)
    case failed(MessageError)
}

extension [Entry] {
    fileprivate mutating func add(_ content: ArraySlice<UInt8>) {
        require(!content.isEmpty, "content is not empty")
        guard case .content(let before) = last else { return append(.content([UInt8](content))) }
        self[count - 1] = .content(before + [UInt8](content))
    }
}

extension MessageLimits {
    /// So small that inputs can reach them.
    fileprivate static let small: MessageLimits = {
        var limits = MessageLimits()
        limits.startLine = 64
        limits.head = 256
        limits.fields = 8
        limits.chunkLine = 32
        return limits
    }()
}

private func requests(_ pieces: [[UInt8]]) -> [Entry] {
    var parser = RequestParser(limits: .small)
    var log: [Entry] = []
    do throws(MessageError) {
        for piece in pieces {
            var start = 0
            while true {
                let step = try parser.next(piece.span.extracting(start..<piece.count))
                guard let event = step.event else {
                    require(start + step.consumed == piece.count, "no byte is left")
                    break
                }
                add(event, piece[start...], &log) { .request($0) }
                if case .head(let head) = event { readsBack(head) }
                start += step.consumed
            }
        }
        try parser.finish()
    } catch {
        log.append(.failed(error))
    }
    return log
}

private func responses(_ pieces: [[UInt8]], _ methods: [String]) -> [Entry] {
    var parser = ResponseParser(limits: .small)
    for method in methods { parser.expect(method: method) }
    var log: [Entry] = []
    do throws(MessageError) {
        for piece in pieces {
            var start = 0
            while true {
                let step = try parser.next(piece.span.extracting(start..<piece.count))
                guard let event = step.event else {
                    require(start + step.consumed == piece.count, "no byte is left")
                    break
                }
                add(event, piece[start...], &log) { .response($0) }
                if case .head(let head) = event { readsBack(head) }
                if event == .opaque { return log }
                start += step.consumed
            }
        }
        log.append(.byClose(try parser.finish()))
    } catch {
        log.append(.failed(error))
    }
    return log
}

private func add<Head>(
    _ event: MessageEvent<Head>,
    _ bytes: ArraySlice<UInt8>,
    _ log: inout [Entry],
    _ entry: (Head) -> Entry
) {
    switch event {
    case .head(let head): log.append(entry(head))
    case .body(let range): log.add(bytes.dropFirst(range.lowerBound).prefix(range.count))
    case .end(let trailers): log.append(.end(trailers))
    case .opaque: log.append(.opaque)
    }
}

private func parts(_ pieces: [[UInt8]]) -> [Entry] {
    guard var reader = MultipartReader(boundary: "b", limits: .small, maximumParts: 4) else {
        return []
    }
    var log: [Entry] = []
    do throws(MessageError) {
        for piece in pieces {
            var start = 0
            while true {
                let step = try reader.next(piece.span.extracting(start..<piece.count))
                guard let event = step.event else {
                    require(start + step.consumed == piece.count, "no byte is left")
                    break
                }
                add(event, piece[start...], &log)
                start += step.consumed
            }
        }
        try reader.finish()
    } catch {
        log.append(.failed(error))
    }
    return log
}

private func add(_ event: MultipartEvent, _ bytes: ArraySlice<UInt8>, _ log: inout [Entry]) {
    switch event {
    case .part(let fields):
        _ = FormPart(fields)
        log.append(.part(fields))
    case .content(let range): log.add(bytes.dropFirst(range.lowerBound).prefix(range.count))
    case .heldContent(let held): log.add(held[...])
    case .partEnd: log.append(.end([:]))
    case .end: log.append(.opaque)
    }
}

/// What one end of a WebSocket receives; nothing follows its end.
private func frames(_ pieces: [[UInt8]], isMasked: Bool) -> [Entry] {
    let limit = 256
    var receiver = WebSocketReceiver(isMasked: isMasked, maximumMessage: limit)
    var events: [WebSocketReceiver.Event] = []
    for piece in pieces {
        let wasOver = receiver.isOver
        let count = events.count
        receiver.read(piece.span, into: &events)
        require(!wasOver || events.count == count, "nothing follows the end")
    }
    for event in events {
        guard case .message(let content, let isText) = event else { continue }
        require(content.count <= limit, "a message is not longer than allowed")
        readsBack(content, isText: isText, isMasked: isMasked)
    }
    return events.map(Entry.frame)
}

private func readsBack(_ content: [UInt8], isText: Bool, isMasked: Bool) {
    let bytes = WebSocketFrame.message(content, isText: isText, isMasked: isMasked)
    var receiver = WebSocketReceiver(isMasked: isMasked, maximumMessage: content.count)
    var events: [WebSocketReceiver.Event] = []
    receiver.read(bytes.span, into: &events)
    require(events == [.message(content, isText: isText)], "a message reads back")
    require(receiver.isBetweenMessages, "a message is whole")
}

private func readsBack(_ head: RequestHead) {
    _ = try? WebSocketHandshake(head)
    guard let bytes = try? MessageWriter.bytes(of: head) else {
        return require(false, "what was read can be written")
    }
    var parser = RequestParser()
    let step = try? parser.next(bytes.span)
    require(step?.event == .head(head) && step?.consumed == bytes.count, "a request reads back")
}

private func readsBack(_ head: ResponseHead) {
    guard let bytes = try? MessageWriter.bytes(of: head) else {
        return require(false, "what was read can be written")
    }
    var parser = ResponseParser()
    parser.expect(method: "HEAD")
    let step = try? parser.next(bytes.span)
    require(step?.event == .head(head) && step?.consumed == bytes.count, "a response reads back")
}
