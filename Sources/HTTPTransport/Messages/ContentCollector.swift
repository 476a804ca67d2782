package import HTTPWire
internal import SystemIO

/// The content of a message as a whole.
package enum CollectedBody: Hashable, Sendable {
    case complete([UInt8], trailers: HeaderFields)
    /// There is more than was asked for.
    case tooLarge
}

/// Content that grows piece by piece; held by its reads alone.
final class ContentCollector {
    /// Asks an exchange for content, as its `read` does.
    typealias Read = (
        _ buffer: TransferBuffer,
        _ limit: Int,
        _ done: @escaping (BodyPiece) -> Void
    ) -> Void

    private let limit: Int
    private let read: Read
    private let done: (CollectedBody) -> Void
    private let buffer: TransferBuffer
    private var bytes: [UInt8] = []

    /// - Parameters:
    ///   - limit: the most bytes to take.
    ///   - read: asks for a piece.
    ///   - done: called once, never after the exchange has failed.
    init(limit: Int, read: @escaping Read, done: @escaping (CollectedBody) -> Void) {
        self.limit = limit
        self.read = read
        self.done = done
        buffer = TransferBuffer(capacity: min(max(limit, 1_024), 16_384))
    }

    func goOn() {
        read(buffer, buffer.capacity) { [self] piece in take(piece) }
    }

    private func take(_ piece: BodyPiece) {
        switch piece {
        case .end(let trailers): done(.complete(bytes, trailers: trailers))
        case .bytes(let range):
            guard bytes.count + range.count <= limit else { return done(.tooLarge) }
            bytes += buffer.bytes(range)
            goOn()
        }
    }
}
