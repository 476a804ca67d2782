/// What one end of a WebSocket without extensions receives: messages and control frames, with their
/// content (RFC 6455 §5, §7).
///
/// Give it the bytes in slices of any size; how they are cut changes nothing.
package struct WebSocketReceiver: Sendable {
    package enum Event: Hashable, Sendable {
        case message([UInt8], isText: Bool)
        case ping([UInt8])
        case pong([UInt8])
        /// The peer sends no more; nil without a code.
        case close(code: UInt16?)
        /// What came may not come; the code is to be sent (RFC 6455 §7.4.1).
        case failed(code: UInt16)
    }

    private static let protocolError: UInt16 = 1_002
    private static let invalidText: UInt16 = 1_007
    private static let tooLarge: UInt16 = 1_009

    private let maximumMessage: Int
    private var frames: WebSocketFrameReader
    private var message: [UInt8] = []
    private var isText = false
    private var control: [UInt8] = []
    /// Content bytes of the frame that were read.
    private var place = 0
    private var isWithinMessage = false
    /// Whether nothing that follows counts.
    package private(set) var isOver = false

    /// - Parameters:
    ///   - isMasked: whether a client sends what is received.
    ///   - maximumMessage: the most bytes of a message.
    package init(isMasked: Bool, maximumMessage: Int) {
        frames = WebSocketFrameReader(isMasked: isMasked)
        self.maximumMessage = maximumMessage
    }

    /// Whether everything that came is whole messages and control frames.
    package var isBetweenMessages: Bool { frames.isBetweenFrames && !isWithinMessage }

    /// Reads what has come; after a close frame or a failure it is thrown away.
    package mutating func read(_ bytes: Span<UInt8>, into events: inout [Event]) {
        var index = 0
        while index < bytes.count, !isOver {
            do throws(MessageError) {
                switch try frames.next(bytes, &index) {
                case .header(let header): begin(header, into: &events)
                case .content(let header, let range):
                    take(bytes.extracting(range), of: header)
                    if frames.isBetweenFrames { end(header, into: &events) }
                case nil: break
                }
            } catch {
                fail(Self.protocolError, into: &events)
            }
        }
    }

    private mutating func fail(_ code: UInt16, into events: inout [Event]) {
        isOver = true
        message = []
        events.append(.failed(code: code))
    }

    private mutating func begin(_ header: WebSocketFrameHeader, into events: inout [Event]) {
        guard !header.hasExtensionBits else { return fail(Self.protocolError, into: &events) }
        (control, place) = ([], 0)
        if !header.isControl {
            guard header.length <= UInt64(maximumMessage - message.count) else {
                return fail(Self.tooLarge, into: &events)
            }
            if header.opcode != 0 { isText = header.opcode == 1 }
            isWithinMessage = !header.isFinal
        }
        if frames.isBetweenFrames { end(header, into: &events) }
    }

    private mutating func take(_ bytes: Span<UInt8>, of header: WebSocketFrameHeader) {
        for index in bytes.indices {
            let byte = bytes[index] ^ header.mask(at: place)
            place += 1
            if header.isControl { control.append(byte) } else { message.append(byte) }
        }
    }

    private mutating func end(_ header: WebSocketFrameHeader, into events: inout [Event]) {
        switch header.control {
        case .ping: events.append(.ping(control))
        case .pong: events.append(.pong(control))
        case .close: close(into: &events)
        case nil where header.isFinal:
            guard !isText || Self.isText(message[...]) else {
                return fail(Self.invalidText, into: &events)
            }
            events.append(.message(message, isText: isText))
            message = []
        case nil: break
        }
    }

    /// RFC 6455 §5.5.1.
    private mutating func close(into events: inout [Event]) {
        guard !control.isEmpty else {
            isOver = true
            return events.append(.close(code: nil))
        }
        let code = control.prefix(2).reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
        guard control.count > 1, Self.mayBeSent(code) else {
            return fail(Self.protocolError, into: &events)
        }
        guard Self.isText(control.dropFirst(2)) else {
            return fail(Self.invalidText, into: &events)
        }
        isOver = true
        events.append(.close(code: code))
    }

    /// RFC 6455 §7.4, and what was registered since.
    private static func mayBeSent(_ code: UInt16) -> Bool {
        switch code {
        case 1_004, 1_005, 1_006: false
        case 1_000...1_014, 3_000...4_999: true
        default: false
        }
    }

    private static func isText(_ bytes: ArraySlice<UInt8>) -> Bool {
        String(validating: bytes, as: UTF8.self) != nil
    }
}
