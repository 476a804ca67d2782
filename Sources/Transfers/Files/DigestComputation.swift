package import SystemIO

/// Computes the digest of a part of a file, a slice in each turn of the loop.
package final class DigestComputation: ReadinessHandler {
    package typealias Read = (_ buffer: TransferBuffer, _ limit: Int, _ offset: UInt64) ->
        SystemIO.TransferResult

    private let loop: EventLoop
    private let read: Read
    private let digest: Digest
    private var offset: UInt64
    private let end: UInt64
    private let buffer = TransferBuffer(capacity: 262_144)
    private var done: (([UInt8]?) -> Void)?

    /// Slices of one turn: some milliseconds of work.
    private static let slicesPerTurn = 8

    /// Begins.
    ///
    /// - Parameters:
    ///   - algorithm: of the digest.
    ///   - range: which bytes.
    ///   - loop: where the work is done.
    ///   - read: reads at most `limit` bytes at `offset` to the start of `buffer`.
    ///   - done: gets the digest, or nil if the bytes cannot be read; not called before this
    ///     returns, nor after `cancel`.
    package init(
        _ algorithm: Digest.Algorithm,
        of range: Range<UInt64>,
        on loop: EventLoop,
        reading read: @escaping Read,
        done: @escaping ([UInt8]?) -> Void
    ) {
        self.loop = loop
        self.read = read
        self.done = done
        digest = Digest(algorithm)
        offset = range.lowerBound
        end = range.upperBound
        loop.runLater(self)
    }

    package func cancel() { done = nil }

    package func ready(_ readiness: Readiness, tag: UInt32) {
        guard done != nil else { return }
        for _ in 0..<Self.slicesPerTurn {
            guard offset < end else { return finish(digest.value) }
            let limit = Int(min(end - offset, UInt64(buffer.capacity)))
            guard case .moved(let count) = read(buffer, limit, offset) else { return finish(nil) }
            digest.update(buffer, count: count)
            offset += UInt64(count)
        }
        loop.runLater(self)
    }

    private func finish(_ value: [UInt8]?) {
        let done = done
        self.done = nil
        done?(value)
    }
}
