internal import Basics
internal import HTTPWire
package import ResumableClient
internal import SystemIO

/// One transfer, live: it does what the machine of its protocol wants, on a loop.
///
/// Make it, call `start` once, and keep it until the record `ended`, which is the last. `pause`,
/// `cancel`, `nudge` and `pathChanged` may come at any time; after the end they change nothing.
///
/// A download grows in a partial file that gets its final name when it is whole. As soon as there is
/// something to go on from, resume data are in the transfer's `ResumeStore`, so that the end of the
/// process by whatever cause loses nothing that was stored; they go away when the transfer is done.
package final class ClientTransfer {
    package let description: TransferDescription
    package private(set) var statistics = TransferStatistics()
    let context: ClientContext
    let ordinal: UInt64
    let onRecord: (TransferRecord) -> Void

    var machine: ClientMachine?
    var exchange: TransferExchange?
    /// What the machine wants and is not yet done.
    var actions: [TransferAction] = []
    var isPerforming = false
    /// The actions go on when work in the background is done.
    var isSuspended = false
    var timer: Timer?
    var deadline: Timer?

    // Downloads.
    var partial: PartialFile?
    var output: StandardOutputTarget?
    var body: DownloadBody?
    /// A partial file that nothing is known of may be overwritten.
    var overwritesPartial = false
    // Uploads.
    let source: UploadSource?
    var reply: ReceivedResponse?

    /// A digest that is being computed.
    var computation: DigestComputation?
    var keeper: ResumeKeeper?
    var path: PathStatus?
    private(set) var ending: TransferEnding?

    /// Makes a transfer that does nothing yet.
    ///
    /// - Parameters:
    ///   - description: what to do.
    ///   - context: what all transfers of a program share.
    ///   - ordinal: tells the random delays of transfers apart.
    ///   - source: the opened source of an upload; nil for a download.
    ///   - store: where resume data go; nil for nowhere.
    ///   - onRecord: hears of everything, on the loop.
    package init(
        _ description: TransferDescription,
        in context: ClientContext,
        ordinal: UInt64 = 0,
        source: UploadSource? = nil,
        store: ResumeStore? = nil,
        onRecord: @escaping (TransferRecord) -> Void
    ) {
        precondition(description.isUpload == (source != nil), "uploads alone have a source")
        self.description = description
        self.context = context
        self.ordinal = ordinal
        self.source = source
        self.onRecord = onRecord
        if let store {
            keeper = ResumeKeeper(store) { [unowned self] data in resumeFile(data) }
        }
    }

    package var isEnded: Bool { ending != nil }

    /// Whether a request is open.
    package var isBusy: Bool { exchange != nil }

    /// What an ended transfer leaves to go on from; nil if it can only begin again.
    package private(set) var leftovers: ResumeFile?

    /// Begins, or goes on from `resume`.
    ///
    /// - Parameters:
    ///   - resume: what an earlier run left; used only if it is of this transfer.
    ///   - path: the status of the path now; nil if nobody tells.
    ///   - overwritesPartial: a partial file without resume data is thrown away; otherwise it is an
    ///     error, unless the description lets it begin at zero by itself.
    package func start(
        resuming resume: ResumeFile? = nil,
        path: PathStatus? = nil,
        overwritesPartial: Bool = false
    ) {
        guard machine == nil, ending == nil else { return }
        self.path = path
        self.overwritesPartial = overwritesPartial
        do throws(StorageError) {
            try makeTimers()
            let resumption = try prepare(resume)
            record(.started(resumption))
            try begin(resumption.resuming)
        } catch {
            // Nothing was begun: what lies there may be another transfer's, or good another time.
            keeper = nil
            partial = nil
            end(.failed(TransferFailure(reason: error.reason, resume: .none(.final))))
        }
    }

    package func pause() { change { $0.pause() } }

    package func cancel() { change { $0.cancel() } }

    /// A user asks for it now: refusals of the path are lifted.
    package func nudge() { change { $0.nudge(at: now) } }

    package func pathChanged(_ status: PathStatus) {
        path = status
        context.leavePath()
        change { $0.pathChanged(status, at: now) }
    }

    // MARK: The machine

    /// The machine's clock.
    var now: Duration { context.loop.now - .start }

    /// Tells the machine something and does what follows.
    func change(_ call: (inout ClientMachine) -> [TransferAction]) {
        guard ending == nil, machine != nil else { return }
        var wanted: [TransferAction] = []
        if var changed = machine {
            wanted = call(&changed)
            machine = changed
        }
        perform(wanted)
    }

    /// The files cannot be read or written: nothing else that was wanted is done.
    func storageFailed(_ error: StorageError) {
        actions.removeAll()
        change { $0.storageFailed(error.description, error.problem) }
    }

    func record(_ record: TransferRecord) {
        statistics.add(record)
        onRecord(record)
    }

    func setEnding(_ ending: TransferEnding) { self.ending = ending }

    func leave(_ data: ResumeData?) { leftovers = data.map(resumeFile) }

    /// The written form of resume data, marked with the partial file that they are of.
    private func resumeFile(_ data: ResumeData) -> ResumeFile {
        var file = ResumeFile(description, data, boot: context.boot)
        guard case .download(let state) = data, let partial else { return file }
        file.partial = try? partial.identity()
        file.tail = partial.tail(before: state.stored)
        return file
    }

    private func makeTimers() throws(StorageError) {
        do throws(SystemError) {
            timer = try Timer(loop: context.loop) { [weak self] in
                guard let self else { return }
                change { $0.timerFired(at: self.now) }
            }
            guard let limit = description.retry.deadline else { return }
            deadline = try Timer(loop: context.loop) { [weak self] in
                self?.change { $0.deadlineReached() }
            }
            deadline?.start(afterMilliseconds: limit.milliseconds)
        } catch {
            throw StorageError("cannot make a timer: \(error)")
        }
    }
}
