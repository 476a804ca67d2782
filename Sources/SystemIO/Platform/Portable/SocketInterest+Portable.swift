/// What a socket tells its loop of reads and writes, so that `uv_poll_t`, which is level-triggered,
/// reports each change once.
///
/// A loop that has reported something of a socket does not ask for it again until a read or a write
/// moved less than it was asked to: then the socket was empty, or full.
final class SocketInterest {
    /// Where the socket is watched; nil if it is not.
    var watched: WatchedDescriptor?

    func noteRead(_ result: TransferResult, of asked: Int) {
        if Self.isShort(result, of: asked) { watched?.ask(for: Readiness.input) }
    }

    func noteWrite(_ result: TransferResult, of asked: Int) {
        if Self.isShort(result, of: asked) { watched?.ask(for: Readiness.output) }
    }

    /// Bytes were looked at that stay where they are: a loop that asked at once would hear of the same
    /// ones again and again.
    func notePeek() { watched?.askSoon() }

    /// The socket is about to be closed, and its number may be another one's soon.
    func end() { watched?.close() }

    /// An end or a failure is final, and needs no further report.
    private static func isShort(_ result: TransferResult, of asked: Int) -> Bool {
        switch result {
        case .moved(let count): count < asked
        case .wouldBlock: true
        case .ended, .failed: false
        }
    }
}
