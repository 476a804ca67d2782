internal import HTTPWire
internal import Libuv
internal import ResumableUpload
internal import Transfer

/// The transfers of one client; on its thread alone.
final class LoopTransfers {
    /// A transfer that is to begin.
    struct Order: Sendable {
        var description: TransferDescription
        var resume: ResumeFile?
        var resumeFile: String?
    }

    private let context: ClientContext
    private var running: [ObjectIdentifier: ClientTransfer] = [:]
    private var path: PathStatus?
    private var ordinal: UInt64 = 0

    init(_ loop: EventLoop) {
        context = ClientContext(
            loop: loop,
            standardOutput: OutputFile(descriptor: 1, owned: false)
        )
    }

    func close() {
        for transfer in Array(running.values) { transfer.pause() }
        running.removeAll()
        context.close()
    }

    func start(_ order: Order, _ handle: RunningTransfer) {
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
            source = order.description.isUpload ? try UploadSource(order.description.file) : nil
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
            self?.take(record, of: handle, order.description)
        }
        ordinal += 1
        running[name] = transfer
        let kept = store.flatMap { (try? $0.load()) ?? nil }
        transfer.start(resuming: order.resume ?? kept, path: path)
    }

    func pause(_ name: ObjectIdentifier) { running[name]?.pause() }

    func nudge(_ name: ObjectIdentifier) { running[name]?.nudge() }

    func setPath(_ new: NetworkPath) {
        let status = PathStatus(
            isSatisfied: new.isSatisfied,
            isConstrained: new.isConstrained,
            isExpensive: new.isExpensive,
            hasPower: new.hasPower,
            sequence: (path?.sequence ?? 0) + 1
        )
        path = status
        for transfer in Array(running.values) { transfer.pathChanged(status) }
    }

    private func take(
        _ record: TransferRecord,
        of handle: RunningTransfer,
        _ description: TransferDescription
    ) {
        switch record {
        case .event(let event): handle.tell(TransferEvent(event))
        case .ended(let ending):
            let name = ObjectIdentifier(handle)
            let statistics = running[name]?.statistics ?? TransferStatistics()
            handle.end(Self.result(ending, statistics, description, context.boot))
            context.later { [weak self] in self?.running[name] = nil }
        case .started, .request, .answer, .saved: break
        }
    }

    private static func result(
        _ ending: TransferEnding,
        _ statistics: TransferStatistics,
        _ description: TransferDescription,
        _ boot: String?
    ) -> Result<TransferOutcome, TransferError> {
        let data = ending.resume?.data.map {
            ResumeData(bytes: ResumeFile(description, $0, boot: boot).bytes)
        }
        switch ending {
        case .finished(let result): return .success(TransferOutcome(result, statistics))
        case .failed(let failure):
            return .failure(TransferError(.failed, failure.description, resumeData: data))
        case .paused: return .failure(TransferError(.paused, "paused", resumeData: data))
        }
    }
}
