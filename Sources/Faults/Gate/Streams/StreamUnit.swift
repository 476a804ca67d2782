internal import HTTP2

/// What passes a `StreamGates` as one: a frame, a field block with all its frames, or a part of DATA.
final class StreamUnit {
    enum Kind {
        /// Passes as it is, whatever happens on its stream: what nobody knows.
        case plain
        /// Of the connection: SETTINGS, PING and the like; passes unless a fault keeps it back.
        case connection(FrameHeader, payload: [UInt8])
        /// No frame: a place in a stream where faults may add some.
        case gap(stream: UInt32)
        /// Of one stream, without content: RST_STREAM, WINDOW_UPDATE, PRIORITY.
        case control(FrameHeader, payload: [UInt8])
        case block(FrameReader.Block, [BlockField])
        case data(stream: UInt32, endsStream: Bool)
    }

    let kind: Kind
    /// Bytes on the wire before the content, of the content, and behind it.
    let wire: (prefix: Int, content: Int, padding: Int)
    /// Its size as its stream counts.
    let size: Int
    /// Bytes on the wire that have not left the queue.
    var left: Int
    /// The content of DATA, as far as it was read, if it may have to be sent anew.
    var content: [UInt8] = []
    /// How much of it, as its stream counts, has passed or is dropped.
    var done = 0
    /// How much of the content that comes next stands in place of what came.
    private var replaced = 0
    /// How much of the content has been sent.
    var sent = 0
    /// Whether it leaves in another form than it came.
    var isAltered = false
    /// Whether it waits for something that holds its stream.
    var isKept = false
    /// Whether its fields are dropped.
    var isDropped = false
    /// Fields that are added to its own.
    var added: [BlockField] = []

    init(_ kind: Kind, prefix: Int, content: Int = 0, padding: Int = 0) {
        self.kind = kind
        wire = (prefix, content, padding)
        left = prefix + content + padding
        size =
            switch kind {
            case .plain, .connection, .gap, .control: 0
            case .block(_, let fields): fields.listSize
            case .data: content
            }
    }

    /// Puts content in the place of as much that came, which is dropped next; where there is none, it is
    /// left out.
    func replace(with bytes: [UInt8]) {
        let start = done + replaced
        guard case .data = kind, start + bytes.count <= content.count else { return }
        content.replaceSubrange(start..<start + bytes.count, with: bytes)
        replaced += bytes.count
        isAltered = true
    }

    /// Passes what stands in place of content that is dropped; false if nothing does.
    func passReplaced(_ count: Int) -> Bool {
        guard replaced >= count else { return false }
        replaced -= count
        done += count
        return true
    }

    /// 0 for a unit of the connection.
    var stream: UInt32 {
        switch kind {
        case .plain, .connection: 0
        case .gap(let stream): stream
        case .control(let header, _): header.stream
        case .block(let block, _): block.stream
        case .data(let stream, _): stream
        }
    }

    var endsStream: Bool {
        switch kind {
        case .plain, .connection, .gap, .control: false
        case .block(let block, _): block.endsStream
        case .data(_, let endsStream): endsStream
        }
    }

    /// What it takes of the windows (RFC 9113 §6.9.1).
    var flowControlled: Int {
        if case .data = kind { return wire.prefix + wire.content + wire.padding - wireHeader }
        return 0
    }

    /// What of that has neither been sent nor thrown away.
    var unsent: Int { flowControlled - sent }

    /// Parts of a large frame but the first have no header.
    private var wireHeader: Int { wire.prefix > 0 ? FrameHeader.size : 0 }
}
