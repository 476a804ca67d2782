/// Empty pipes for reuse: making one costs more than a transfer.
package final class PipePool {
    private var idle: [Pipe] = []
    private var lent = 0
    private let capacity: Int
    private let maximumIdle: Int
    /// How many pipes may exist.
    package var limit = Int.max

    /// - Parameters:
    ///   - capacity: bytes for each pipe; 1 MiB is what Linux allows everybody.
    ///   - maximumIdle: how many empty pipes are kept.
    package init(capacity: Int = 1 << 20, maximumIdle: Int = 64) {
        self.capacity = capacity
        self.maximumIdle = maximumIdle
    }

    /// How many pipes exist; each has two descriptors.
    package var count: Int { idle.count + lent }

    /// Lends an empty pipe; nil at the limit, and when no descriptor is left for one.
    package func take() -> Pipe? {
        if let pipe = idle.popLast() {
            lent += 1
            return pipe
        }
        guard lent < limit else { return nil }
        guard let pipe = Pipe.make(capacity: capacity) else { return nil }
        lent += 1
        return pipe
    }

    /// Takes a pipe back; closes one that still holds bytes, since no connection wants them.
    package func give(back pipe: Pipe) {
        lent -= 1
        if pipe.count == 0, idle.count < maximumIdle { idle.append(pipe) }
    }

    /// Closes all that are not lent.
    package func releaseIdle() { idle.removeAll() }
}
