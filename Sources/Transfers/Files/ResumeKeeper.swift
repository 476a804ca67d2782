internal import Libuv
internal import ResumableUpload

/// Keeps the resume data of a transfer on the disk while it runs.
final class ResumeKeeper {
    let store: ResumeStore
    /// The file that the bytes of a download are in.
    var partial: FileInformation.Identity?
    private let description: TransferDescription
    private var saved: ResumeData?
    /// Counts the fresh starts, so that work in the background for an earlier one is forgotten.
    private var generation = 0
    private var isSynchronizing = false
    private var lastNanoseconds: UInt64 = 0

    /// The least time between two looks at a download.
    private static let intervalNanoseconds: UInt64 = 2_000_000_000

    init(_ store: ResumeStore, _ description: TransferDescription) {
        self.store = store
        self.description = description
    }

    func save(_ data: ResumeData, boot: String?, durably: Bool) throws(StorageError) {
        guard data != saved || durably else { return }
        var file = ResumeFile(description, data, boot: boot)
        file.partial = partial
        try store.save(file, durably: durably)
        saved = data
    }

    /// Removes what is kept: it is of no use any more.
    func discard() {
        generation += 1
        saved = nil
        store.remove()
    }

    /// Notes how far an upload is: at once the first time, then now and then.
    func note(_ data: ResumeData, boot: String?, on loop: EventLoop) {
        let now = loop.nowNanoseconds
        guard saved == nil || now - lastNanoseconds >= Self.intervalNanoseconds else { return }
        lastNanoseconds = now
        try? save(data, boot: boot, durably: false)
    }

    /// Notes how far a download is: at once the first time, then now and then, and never more than
    /// what is on the disk.
    func note(_ data: ResumeData, in partial: PartialFile, boot: String?, on loop: EventLoop) {
        guard case .download(var state) = data else { return }
        if saved == nil {
            state.stored = 0
            try? save(.download(state), boot: boot, durably: false)
            lastNanoseconds = loop.nowNanoseconds
            return
        }
        guard !isSynchronizing,
            loop.nowNanoseconds - lastNanoseconds >= Self.intervalNanoseconds
        else { return }
        isSynchronizing = true
        let generation = generation
        partial.synchronize(on: loop) { [weak self] isDone in
            guard let self else { return }
            isSynchronizing = false
            lastNanoseconds = loop.nowNanoseconds
            guard isDone, generation == self.generation else { return }
            try? save(data, boot: boot, durably: false)
        }
    }
}
