package import ResumableClient

/// The figures of a transfer, summed up from its records.
package struct TransferStatistics: Hashable, Sendable {
    /// Requests that were sent.
    package private(set) var requests = 0
    /// Requests for the object or with bytes of it.
    package private(set) var attempts = 0
    /// Requests that failed, or were answered so that they have to be repeated.
    package private(set) var retries = 0
    /// Starts from zero after the first.
    package private(set) var restarts = 0
    /// Bytes of the object that moved, those that moved again included.
    package private(set) var moved: UInt64 = 0
    /// Bytes that moved although the server had confirmed them, or they were stored.
    ///
    /// What was lost on its way moves again without being counted here.
    package private(set) var repeated: UInt64 = 0
    package private(set) var progress = TransferProgress()
    /// The most that was ever confirmed or stored.
    private var confirmed: UInt64 = 0

    package init() {}

    package mutating func add(_ record: TransferRecord) {
        switch record {
        case .request(let note): count(note)
        case .event(.progress(let progress)): count(progress)
        case .event(.retrying): retries += 1
        case .event(.restarted): restarts += 1
        default: break
        }
    }

    private mutating func count(_ note: RequestNote) {
        requests += 1
        if note.method == "GET" || note.body.map({ !$0.isEmpty }) == true { attempts += 1 }
    }

    private mutating func count(_ new: TransferProgress) {
        let begin = new.position - min(new.step, new.position)
        moved += new.step
        if begin < confirmed { repeated += min(new.position, confirmed) - begin }
        confirmed = max(confirmed, new.acknowledged)
        progress = new
    }
}
