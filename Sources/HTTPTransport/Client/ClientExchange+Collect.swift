internal import Libuv

extension ClientExchange {
    /// Reads the whole content, for responses that are small; call it from `onResponse`.
    ///
    /// - Parameters:
    ///   - limit: the most bytes to take; if there are more, the exchange is aborted.
    ///   - done: called on the loop, not before this returns; never after `onFailure`.
    package func collect(limit: Int, then done: @escaping (CollectedBody) -> Void) {
        ResponseCollector(self, limit: limit, done: done).goOn()
    }
}

/// Content that grows piece by piece; held by its reads alone.
private final class ResponseCollector {
    private let exchange: ClientExchange
    private let limit: Int
    private let done: (CollectedBody) -> Void
    private let buffer: TransferBuffer
    private var bytes: [UInt8] = []

    init(_ exchange: ClientExchange, limit: Int, done: @escaping (CollectedBody) -> Void) {
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
            guard bytes.count + range.count <= limit else {
                exchange.abort()
                return done(.tooLarge)
            }
            bytes += buffer.bytes(range)
            goOn()
        }
    }
}
