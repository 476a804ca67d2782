internal import Basics
internal import ResumableClient
internal import SystemIO

/// Keeps the resume data of a transfer on the disk while it runs.
///
/// They never claim a byte of a download that is not on the disk.
final class ResumeKeeper {
    let store: ResumeStore
    /// Makes the file of resume data as of now.
    private let file: (ResumeData) -> ResumeFile
    /// What was written last.
    private(set) var saved: ResumeData?
    /// Whether nothing was stored when the transfer began.
    private var isFresh = true
    /// Counts fresh starts and the end, so that background work begun before them is forgotten.
    private var generation = 0
    private var isSynchronizing = false
    private var lastNote = Instant.start

    /// The least time between two looks at a download.
    private static let interval = Duration.seconds(2)

    init(_ store: ResumeStore, file: @escaping (ResumeData) -> ResumeFile) {
        self.store = store
        self.file = file
    }

    /// The transfer goes on from stored bytes: what the store holds of them stays until there is more.
    func resume() { isFresh = false }

    /// The transfer has ended: what is still under way in the background is forgotten.
    func stop() { generation += 1 }

    func save(_ data: ResumeData, durably: Bool) throws(StorageError) {
        guard data != saved || durably else { return }
        try store.save(file(data), durably: durably)
        saved = data
    }

    /// Removes what is kept: it is of no use any more.
    ///
    /// When this returns, it will not come back after a loss of power.
    func discard() {
        generation += 1
        isFresh = true
        saved = nil
        store.remove()
    }

    /// Notes how far an upload is: at once the first time, then now and then.
    func note(_ data: ResumeData, on loop: EventLoop) {
        guard saved == nil || isDue(on: loop) else { return }
        lastNote = loop.now
        try? save(data, durably: false)
    }

    /// Notes how far a download is: at once the first time, then now and then.
    ///
    /// - Parameters:
    ///   - data: what was written.
    ///   - loop: says what time it is.
    ///   - synchronize: brings what was written to the disk; then says whether it is there.
    func note(
        _ data: ResumeData,
        on loop: EventLoop,
        synchronizing synchronize: (_ done: @escaping (Bool) -> Void) -> Void
    ) {
        guard case .download(var state) = data else { return }
        if saved == nil, isFresh {
            // Nothing was waited for yet.
            state.stored = 0
            lastNote = loop.now
            try? save(.download(state), durably: false)
            return
        }
        guard !isSynchronizing, saved == nil || isDue(on: loop) else { return }
        isSynchronizing = true
        let generation = generation
        synchronize { [weak self] isDone in
            guard let self else { return }
            isSynchronizing = false
            lastNote = loop.now
            guard isDone, generation == self.generation else { return }
            try? save(data, durably: false)
        }
    }

    private func isDue(on loop: EventLoop) -> Bool {
        loop.now - lastNote >= Self.interval
    }
}
