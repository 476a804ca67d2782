internal import HTTP2
internal import SystemIO

/// One side of a connection with HTTP/2, as the self-test needs it: events of whole frames.
final class FrameChannel: ReadinessHandler {
    private var socket: Socket
    private let loop: EventLoop
    private var token = WatchToken.none
    private var reader = FrameReader()
    /// Bytes that come before the first frame.
    private var prefaceLeft: Int
    private var unsent: [UInt8] = []
    private let buffer = TransferBuffer(capacity: 16_384)
    /// Called with each event, and with the bytes that are content.
    var onEvent: (FrameReader.Event, [UInt8]) -> Void = { _, _ in }
    /// Called once when the peer has ended, in whatever way.
    var onEnd: () -> Void = {}

    init(
        _ socket: consuming Socket,
        loop: EventLoop,
        preface: Int = 0
    ) throws(SystemError) {
        self.socket = socket
        self.loop = loop
        prefaceLeft = preface
        token = try loop.watch(self.socket, handler: self)
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        flush()
        if readiness.isReadable { read() }
    }

    func send(_ bytes: [UInt8]) {
        unsent += bytes
        flush()
    }

    func close() {
        guard socket.isOpen else { return }
        (onEvent, onEnd) = ({ _, _ in }, {})
        loop.unwatch(token)
        socket.close()
    }

    private func flush() {
        while socket.isOpen, !unsent.isEmpty {
            let part = Array(unsent.prefix(buffer.capacity))
            buffer.store(part, at: 0)
            guard case .moved(let count) = socket.send(buffer, from: 0, count: part.count) else {
                return
            }
            unsent.removeFirst(count)
        }
    }

    private func read() {
        while socket.isOpen {
            switch socket.receive(into: buffer, limit: buffer.capacity) {
            case .moved(let count): take(buffer.bytes(0..<count))
            case .wouldBlock: return
            case .ended, .failed:
                let onEnd = onEnd
                close()
                return onEnd()
            }
        }
    }

    private func take(_ bytes: [UInt8]) {
        let frames = Array(bytes.dropFirst(prefaceLeft))
        prefaceLeft -= bytes.count - frames.count
        var events: [FrameReader.Event] = []
        reader.read(frames.span, into: &events)
        for event in events {
            if case .content(let range) = event {
                onEvent(event, Array(frames[range]))
            } else {
                onEvent(event, [])
            }
        }
    }

    /// Answers what every side has to answer; false for other frames.
    func answer(_ header: FrameHeader, _ payload: [UInt8]) -> Bool {
        guard header.kind == .settings || header.kind == .ping else { return false }
        if !header.flags.contains(.acknowledges) {
            let content = header.kind == .ping ? payload : []
            send(FrameWriter.frame(header.kind, .acknowledges, stream: 0, content))
        }
        return true
    }

    /// Gives content back to the windows that it has used.
    func giveBack(_ count: Int, of stream: UInt32) {
        guard count > 0 else { return }
        for id in [0, stream] { send(FrameWriter.windowUpdate(UInt32(count), stream: id)) }
    }
}
