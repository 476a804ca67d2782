internal import SystemIO

/// Tells which connections a server waits for before it ends, and how to end it at once.
final class DrainNotice {
    private let limitMilliseconds: UInt64
    private let busyConnections: () -> Int
    private let tell: (String) -> Void
    private var timer: Timer?

    /// Longer than it takes to see that a connection is idle and to close it.
    private static let secondLookMilliseconds: UInt64 = 400

    /// Says nothing yet.
    ///
    /// - Parameters:
    ///   - limitMilliseconds: how long is waited at most.
    ///   - busyConnections: how many are waited for now; idle ones are not.
    ///   - tell: hears the line.
    init(
        limitMilliseconds: UInt64,
        busyConnections: @escaping () -> Int,
        tell: @escaping (String) -> Void
    ) {
        self.limitMilliseconds = limitMilliseconds
        self.busyConnections = busyConnections
        self.tell = tell
    }

    /// The connections that are waited for now.
    var words: String {
        "\(Figures.count(busyConnections(), "connection")) may finish,"
            + " \(limitMilliseconds / 1_000) s at most"
    }

    /// Tells which connections are waited for, if there are any.
    func give(on loop: EventLoop) {
        guard !tellIfBusy() else { return }
        // A client that has just connected may have something to say, and be waited for.
        timer = try? Timer(loop: loop) { [weak self] in self?.tellIfBusy() }
        timer?.start(afterMilliseconds: Self.secondLookMilliseconds)
    }

    @discardableResult
    private func tellIfBusy() -> Bool {
        guard busyConnections() > 0 else { return false }
        tell("\(words); a second Ctrl-C or signal ends at once")
        return true
    }
}
