internal import HTTP2
internal import SystemIO

/// One side of a connection with HTTP/2, as the self-test needs it: events of whole frames.
final class FrameChannel {
    private let channel: ByteChannel
    private var reader = FrameReader()
    /// Bytes that come before the first frame.
    private var prefaceLeft: Int
    /// Called with each event, and with the bytes that are content.
    var onEvent: (FrameReader.Event, [UInt8]) -> Void = { _, _ in }
    /// Called once when the peer has ended, in whatever way.
    var onEnd: () -> Void = {}

    init(
        _ socket: consuming Socket,
        loop: EventLoop,
        preface: Int = 0
    ) throws(SystemError) {
        prefaceLeft = preface
        channel = try ByteChannel(socket, loop: loop)
        channel.onBytes = { [weak self] in self?.take($0) }
        channel.onEnd = { [weak self] in
            guard let self else { return }
            let onEnd = onEnd
            close()
            onEnd()
        }
    }

    func send(_ bytes: [UInt8]) { channel.send(bytes) }

    func close() {
        (onEvent, onEnd) = ({ _, _ in }, {})
        channel.close()
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
