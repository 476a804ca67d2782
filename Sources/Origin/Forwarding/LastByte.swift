internal import HTTPTransport
internal import SystemIO

/// The content of an upload on its way to another server, whose last byte waits for permission: as
/// long as that is missing, the server cannot have the whole.
final class LastByte {
    private enum State {
        case unasked
        case asked
        case granted
        case refused
        case gone
    }

    private let content: File
    private let count: UInt64
    private let mayGo: (@escaping (Bool) -> Void) -> Void
    private var state = State.unasked
    /// Called when there is an answer that somebody waits for.
    var onReady: () -> Void = {}

    init(
        of content: File,
        bytes count: UInt64,
        _ mayGo: @escaping (@escaping (Bool) -> Void) -> Void
    ) {
        self.content = content
        self.count = count
        self.mayGo = mayGo
    }

    /// Whether it may go out, or has.
    var isGranted: Bool { state == .granted || state == .gone }

    /// The whole content.
    var body: MessageBody {
        guard count > 0 else { return .none }
        return MessageBody([
            .file(content, 0..<count - 1), .generated(length: 1) { self.make($0, $1) },
        ])
    }

    /// Asks at once where there is no byte, so that the head is the whole; `start` hears whether it may
    /// go out.
    func begin(then start: @escaping (Bool) -> Void) {
        guard count == 0 else { return start(true) }
        ask { [self] in start(isGranted) }
    }

    private func ask(then done: @escaping () -> Void) {
        state = .asked
        mayGo { [self] isGranted in
            state = isGranted ? .granted : .refused
            done()
        }
    }

    private func make(_ buffer: TransferBuffer, _ room: Range<Int>) -> GeneratedBytes {
        if state == .unasked { ask { [self] in onReady() } }
        switch state {
        case .unasked, .asked: return .later
        case .refused: return .failed
        case .gone: return .end
        case .granted:
            let result = content.read(into: buffer, from: room.lowerBound, limit: 1, at: count - 1)
            guard case .moved = result else { return .failed }
            state = .gone
            return .stored(1)
        }
    }
}
