package import HTTPWire
internal import Libuv

/// The content of a request as a whole.
package enum CollectedBody: Hashable, Sendable {
    case complete([UInt8], trailers: HeaderFields)
    /// There is more than was asked for.
    case tooLarge
}

extension ServerExchange {
    /// Reads the whole content, for requests that are small.
    ///
    /// - Parameters:
    ///   - limit: the most bytes to take.
    ///   - done: called on the loop, not before this returns; never after `onAbort`.
    package func collect(limit: Int, then done: @escaping (CollectedBody) -> Void) {
        if let length = try? head.fields.contentLength(), length > limit {
            // Reading would invite the client to send what nobody takes.
            return runLater { done(.tooLarge) }
        }
        Collector(self, limit: limit, done: done).goOn()
    }
}

/// Content that grows piece by piece; held by its reads alone.
private final class Collector {
    private let exchange: ServerExchange
    private let limit: Int
    private let done: (CollectedBody) -> Void
    private let buffer: TransferBuffer
    private var bytes: [UInt8] = []

    init(_ exchange: ServerExchange, limit: Int, done: @escaping (CollectedBody) -> Void) {
        self.exchange = exchange
        self.limit = limit
        self.done = done
        buffer = TransferBuffer(capacity: min(max(limit, 1_024), 16_384))
    }

    func goOn() {
        exchange.read(into: buffer, limit: buffer.capacity) { [self] piece in take(piece) }
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
