internal import Basics
package import ResumableClient
package import SystemIO

/// The turn of one discretionary background transfer: of all in a registry, one moves at a time.
///
/// It is a lock on a file, which the system gives back if the process dies. Those that wait say so in
/// their folders and look each second; the one that ``TurnOrder`` puts first takes the turn.
package final class TransferTurn {
    private let transfer: TransferFolder
    private let registry: TransferRegistry
    private let source: String?
    private let isBusy: () -> Bool
    private let path: () -> PathStatus?
    private let onChange: () -> Void
    private var timer: Timer?
    private var lock: File?
    private var wait: PathWait? {
        didSet { transfer.wait = wait }
    }

    /// How often one that waits looks whether its turn has come.
    private static let lookMilliseconds: UInt64 = 1_000

    /// - Parameters:
    ///   - transfer: which takes turns.
    ///   - source: of the status of its path.
    ///   - registry: of all with which it takes turns.
    ///   - loop: on which the functions are called.
    ///   - path: the latest status of the path.
    ///   - isBusy: whether a request is open: it keeps its turn until that has ended.
    ///   - onChange: called when the turn has come or was given back.
    /// - Throws: if the system has no timer left.
    package init(
        of transfer: TransferFolder,
        following source: String?,
        in registry: TransferRegistry,
        on loop: EventLoop,
        path: @escaping () -> PathStatus?,
        isBusy: @escaping () -> Bool,
        onChange: @escaping () -> Void
    ) throws(SystemError) {
        self.transfer = transfer
        self.source = source
        self.registry = registry
        self.path = path
        self.isBusy = isBusy
        self.onChange = onChange
        // What a worker that was killed has left.
        transfer.wait = nil
        timer = try Timer(loop: loop) { [weak self] in self?.look() }
    }

    package var isHeld: Bool { lock != nil }

    /// The transfer waits from now on: for its turn, or for something else, which ends its turn.
    package func begin(_ new: PathWait) {
        wait = new
        guard new == .turn || isHeld else { return endLooks() }
        timer?.start(afterMilliseconds: 0, repeatMilliseconds: Self.lookMilliseconds)
    }

    /// The transfer waits no more.
    package func resume() {
        wait = nil
        endLooks()
    }

    /// Takes part no more.
    package func close() {
        resume()
        timer?.close()
        lock = nil
    }

    private func endLooks() { timer?.stop() }

    private func look() {
        if isHeld {
            guard wait != nil, !isBusy() else { return }
            lock = nil
            endLooks()
        } else {
            guard wait == .turn, isNext, let lock = try? registry.turn.lock() else { return }
            self.lock = lock
            resume()
        }
        onChange()
    }

    private var isNext: Bool {
        let waiting = registry.waiting()
        let next = TurnOrder.next(
            waiting.map { $0.candidate(beside: source) },
            path: path(),
            at: .seconds(WallClock.secondsSince1970)
        )
        // Where no process can be told from another one, the lock alone decides.
        return next.map { waiting[$0].transfer == transfer } ?? true
    }
}

/// A transfer whose worker waits.
private struct WaitingTransfer {
    let transfer: TransferFolder
    let wait: PathWait
    let description: TransferDescription
    let requested: Duration

    init?(_ transfer: TransferFolder) {
        guard let wait = transfer.wait, transfer.worker() != nil,
            let description = try? transfer.description(), let requested = transfer.requested
        else { return nil }
        self.transfer = transfer
        self.wait = wait
        self.description = description
        self.requested = requested
    }

    func candidate(beside source: String?) -> TurnOrder.Waiting {
        var policy = description.path
        policy.earliestBegin = description.notBefore.map { .seconds($0) }
        return TurnOrder.Waiting(
            policy,
            isReady: wait == .turn,
            sharesPath: description.pathSource == source
        )
    }
}

extension TransferRegistry {
    /// Those that wait, in the order in which they were asked for.
    fileprivate func waiting() -> [WaitingTransfer] {
        all().compactMap(WaitingTransfer.init).sorted { $0.requested < $1.requested }
    }
}
