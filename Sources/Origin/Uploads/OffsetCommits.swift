internal import ResumableServer
internal import SystemIO

/// How the offset of one upload reaches the disk while its bytes go on being written.
///
/// One commit is under way at a time; the next one takes all that was written meanwhile, so a fast
/// upload waits for the disk as rarely as the disk allows, and what it was promised is there all the
/// same: whatever speaks of an offset is held back until that offset is on the disk.
final class OffsetCommits {
    /// Why the record on the disk lags behind.
    private(set) var lag: SystemError?
    /// The offset of the latest record on the disk, and the one before that.
    private(set) var offsets: (last: UInt64, before: UInt64)
    private let persist: (UploadRecord, @escaping (SystemError?) -> Void) -> Void
    /// The latest record that was asked for.
    private var latest: UploadRecord
    /// Commits that were asked for, and those of them that are over.
    private var asked = 0
    private var over = 0
    private var isUnderWay = false
    /// What waits for commits, in order, each with how many of them must be over.
    private var waiting: [(commits: Int, action: () -> Void)] = []

    /// - Parameters:
    ///   - record: as it is on the disk, or will be first.
    ///   - persist: writes a record; the bytes before its offset are durable with it.
    init(
        _ record: UploadRecord,
        persist: @escaping (UploadRecord, @escaping (SystemError?) -> Void) -> Void
    ) {
        latest = record
        offsets = (record.offset, record.offset)
        self.persist = persist
    }

    /// Whether all that was asked for is over.
    var areSettled: Bool { asked == over }

    /// Whether a record may be committed while bytes are written: only its offset is new.
    func mayBeBehind(_ record: UploadRecord) -> Bool { latest.differsInOffsetAlone(from: record) }

    /// Has a record written, now or once the commit that is under way is over.
    func commit(_ record: UploadRecord) {
        latest = record
        asked += 1
        commitNext()
    }

    /// Runs an action once all commits asked for so far are over, which may be now.
    func afterwards(_ action: @escaping () -> Void) {
        guard !areSettled else { return action() }
        waiting.append((asked, action))
    }

    private func commitNext() {
        guard !isUnderWay, !areSettled else { return }
        isUnderWay = true
        let (record, covered) = (latest, asked)
        persist(record) { [self] error in
            isUnderWay = false
            lag = error
            if error == nil, record.offset != offsets.last {
                offsets = (record.offset, offsets.last)
            }
            over = covered
            runWaiting()
            commitNext()
        }
    }

    private func runWaiting() {
        while let next = waiting.first, next.commits <= over {
            waiting.removeFirst()
            next.action()
        }
    }
}

extension UploadRecord {
    /// Whether the other is the same upload in the same state; its other properties never change.
    func differsInOffsetAlone(from other: UploadRecord) -> Bool {
        state == other.state && length == other.length && endsAt == other.endsAt
            && isForwarded == other.isForwarded
    }
}
