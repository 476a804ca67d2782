internal import Basics
internal import HTTPWire
internal import ResumableClient
internal import SystemIO
internal import Transfers

/// The transfers of one client; on its thread alone.
final class LoopTransfers {
    /// A transfer that is to begin.
    struct Order: Sendable {
        var description: TransferDescription
        var resume: ResumeFile?
        var resumeFile: String?
        /// What is sent instead of a file.
        var content: [UInt8]?
    }

    private struct Running {
        let transfer: ClientTransfer
        let description: TransferDescription
        let ordinal: UInt64
    }

    private let context: ClientContext
    /// Transfers that may move bytes at the same time.
    private let limit: Int
    /// Those that have not begun, in the order given.
    private var queue: [(order: Order, handle: RunningTransfer)] = []
    private var running: [ObjectIdentifier: Running] = [:]
    /// Those that worker processes do.
    private var attached: [ObjectIdentifier: AttachedTransfer] = [:]
    /// Those of `running` that wait for a path or a time, and so let others go ahead.
    private var waiting = WaitingTransfers<ObjectIdentifier>()
    private var path: PathStatus?
    private var ordinal: UInt64 = 0

    init(_ loop: EventLoop, limit: Int) {
        self.limit = limit
        context = ClientContext(
            loop: loop,
            standardOutput: OutputFile(descriptor: 1, owned: false)
        )
    }

    func close() {
        for entry in queue { entry.handle.end(.failure(TransferError(.paused, "paused"))) }
        queue.removeAll()
        for entry in Array(running.values) { entry.transfer.pause() }
        running.removeAll()
        for transfer in attached.values { transfer.detach() }
        attached.removeAll()
        context.close()
    }

    func add(_ order: Order, _ handle: RunningTransfer) {
        queue.append((order, handle))
        // Others that come in this turn may go first.
        context.later { [weak self] in self?.begin() }
    }

    /// Begins as many as may run: what a user waits for first, then the smallest.
    private func begin() {
        inform()
        while running.count - waiting.count < limit, !queue.isEmpty {
            let policies = queue.map(\.order.description.path)
            // One that has to wait begins too: it reports that it waits.
            let first = StartOrder.order(policies, path: nil, at: .zero).first ?? 0
            let next = queue.remove(at: first)
            start(next.order, next.handle)
        }
    }

    private func start(_ order: Order, _ handle: RunningTransfer) {
        let name = ObjectIdentifier(handle)
        let store: ResumeStore?
        let source: UploadSource?
        do throws(StorageError) {
            store = try order.resumeFile.map { path throws(StorageError) in
                guard let place = FilePlace(path) else {
                    throw StorageError("'\(path)' is no name of a file")
                }
                return ResumeStore(place)
            }
            source = order.description.isUpload ? try Self.source(order) : nil
        } catch {
            return handle.end(.failure(TransferError(.input, error.description)))
        }
        let context = context
        let transfer = ClientTransfer(
            order.description,
            in: context,
            ordinal: ordinal,
            source: source,
            store: store
        ) { [weak self] record in
            self?.report(record, of: handle)
        }
        running[name] = Running(
            transfer: transfer,
            description: order.description,
            ordinal: ordinal
        )
        ordinal += 1
        let kept = store.flatMap { (try? $0.load()) ?? nil }
        // Nobody here can ask what a partial file without resume data is: it is this library's own.
        transfer.start(resuming: order.resume ?? kept, path: path, overwritesPartial: true)
    }

    private static func source(_ order: Order) throws(StorageError) -> UploadSource {
        let source =
            if let content = order.content {
                UploadSource(bytes: content)
            } else {
                try UploadSource(order.description.file)
            }
        if let form = order.description.form { source.wrap(in: form) }
        return source
    }

    func pause(_ name: ObjectIdentifier) {
        if let index = queue.firstIndex(where: { ObjectIdentifier($0.handle) == name }) {
            let entry = queue.remove(at: index)
            let data = entry.order.resume.map { ResumeData(bytes: $0.bytes) }
            entry.handle.end(.failure(TransferError(.paused, "paused", resumeData: data)))
        }
        running[name]?.transfer.pause()
        attached[name]?.pause()
    }

    func nudge(_ name: ObjectIdentifier) {
        if let index = queue.firstIndex(where: { ObjectIdentifier($0.handle) == name }) {
            queue[index].order.description.path.isUserInitiated = true
        }
        running[name]?.transfer.nudge()
        attached[name]?.nudge()
    }

    /// Follows a transfer of a worker process.
    func attach(_ transfer: TransferFolder, _ handle: RunningTransfer) {
        do throws(SystemError) {
            let follower = try AttachedTransfer(transfer, handle, on: context.loop) { [weak self] in
                self?.attached[ObjectIdentifier(handle)] = nil
            }
            attached[ObjectIdentifier(handle)] = follower
            follower.start()
        } catch {
            handle.end(.failure(TransferError(.failed, "cannot follow the transfer: \(error)")))
        }
    }

    func setPath(_ new: NetworkPath) {
        let status = PathStatus(
            isSatisfied: new.isSatisfied,
            isConstrained: new.isConstrained,
            isExpensive: new.isExpensive,
            hasPower: new.hasPower,
            hasBetterPath: new.hasBetterPath,
            sequence: (path?.sequence ?? 0) + 1
        )
        path = status
        waiting.pathChanged()
        for name in inOrder where !waiting.contains(name) {
            running[name]?.transfer.pathChanged(status)
        }
        inform()
    }

    /// Tells those that wait of the path: as many as there is room for, what a user waits for first,
    /// then the smallest.
    private func inform() {
        guard let path else { return }
        let now = WallClock.secondsSince1970
        let told = waiting.informed(
            of: path,
            room: limit - (running.count - waiting.count),
            among: inOrder
        ) { name in
            guard let description = running[name]?.description else { return nil }
            return (description.notBefore ?? now) <= now ? description.path : nil
        }
        for name in told { running[name]?.transfer.pathChanged(path) }
    }

    /// The running ones in the order in which they were begun.
    private var inOrder: [ObjectIdentifier] {
        running.sorted { $0.value.ordinal < $1.value.ordinal }.map(\.key)
    }

    private func report(_ record: TransferRecord, of handle: RunningTransfer) {
        switch record {
        case .event(let event):
            noteWait(event, ObjectIdentifier(handle))
            handle.tell(TransferEvent(event))
        case .ended(let ending):
            let name = ObjectIdentifier(handle)
            let transfer = running[name]?.transfer
            handle.end(
                Self.result(
                    ending,
                    transfer?.statistics ?? TransferStatistics(),
                    transfer?.leftovers.map { ResumeData(bytes: $0.bytes) }
                )
            )
            context.later { [weak self] in
                guard let self else { return }
                running[name] = nil
                waiting.remove(name)
                begin()
            }
        case .started, .request, .answer, .saved: break
        }
    }

    private func noteWait(_ event: ResumableClient.TransferEvent, _ name: ObjectIdentifier) {
        switch event {
        case .waiting:
            waiting.insert(name)
            context.later { [weak self] in self?.begin() }
        case .resumed: waiting.remove(name)
        default: break
        }
    }

    private static func result(
        _ ending: TransferEnding,
        _ statistics: TransferStatistics,
        _ data: ResumeData?
    ) -> Result<TransferOutcome, TransferError> {
        switch ending {
        case .finished(let result): return .success(TransferOutcome(result, statistics))
        case .failed(let failure):
            return .failure(TransferError(.failed, failure.description, resumeData: data))
        case .paused: return .failure(TransferError(.paused, "paused", resumeData: data))
        }
    }
}
