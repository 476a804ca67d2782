internal import HTTPTransport
internal import SystemIO

/// The content of an answer that goes on: bytes wait here until the client takes them.
///
/// Everything happens on the loop's thread.
package final class EventFeed {
    private let limit: Int
    private var waiting: [UInt8] = []
    private var taken = 0
    private var isEnding = false
    /// Nil once the exchange is over.
    private var exchange: ServerExchange?

    /// Called once, on the loop, when the client has gone or was too slow.
    package var onGone: (() -> Void)?

    init(_ exchange: ServerExchange, limit: Int) {
        self.exchange = exchange
        self.limit = limit
    }

    /// Whether anybody still takes what is sent.
    package var isOpen: Bool { exchange != nil && !isEnding }

    /// Bytes that the client has not taken.
    package var waitingBytes: Int { waiting.count - taken }

    /// Sends bytes; one client that lets too many wait is cut off, rather than that memory grows.
    package func send(_ bytes: [UInt8]) {
        guard isOpen else { return }
        guard waitingBytes + bytes.count <= limit else {
            let exchange = exchange
            gone()
            exchange?.reset()
            return
        }
        waiting += bytes
        exchange?.resume()
    }

    /// Ends the answer in order, once what waits is taken.
    package func end() {
        guard isOpen else { return }
        isEnding = true
        exchange?.resume()
    }

    /// What the answer's content is made of.
    func generate(into buffer: TransferBuffer, _ range: Range<Int>) -> GeneratedBytes {
        guard waitingBytes > 0 else { return isEnding ? .end : .later }
        let count = min(range.count, waitingBytes)
        buffer.store(Array(waiting[taken..<taken + count]), at: range.lowerBound)
        taken += count
        if taken == waiting.count {
            waiting.removeAll(keepingCapacity: waiting.count <= 16_384)
            taken = 0
        } else if taken > 65_536 {
            waiting.removeFirst(taken)
            taken = 0
        }
        return .stored(count)
    }

    func gone() {
        guard exchange != nil else { return }
        exchange = nil
        let told = onGone
        onGone = nil
        told?()
    }
}
