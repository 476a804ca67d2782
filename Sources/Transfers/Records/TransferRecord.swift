package import HTTPWire
package import ResumableClient

/// What happened in a transfer, for whoever watches: a screen, a log, another process.
package enum TransferRecord: Hashable, Sendable {
    /// The transfer began, or goes on in this process.
    case started(TransferStart)
    /// A request is on its way.
    case request(RequestNote)
    /// The head of a final answer came, and by HTTP/2 or not.
    case answer(status: Int, fields: HeaderFields, isHTTP2: Bool)
    /// What the protocol's machine tells.
    case event(TransferEvent)
    /// Resume data were written to this file.
    case saved(String)
    /// The last record: how it ended.
    case ended(TransferEnding)
}

extension TransferRecord {
    static func answer(_ head: ResponseHead) -> TransferRecord {
        .answer(status: head.status, fields: head.fields, isHTTP2: head.version == .http2)
    }
}

/// How a transfer begins.
package struct TransferStart: Hashable, Sendable {
    package var description: TransferDescription
    /// How far it was before; nil for a start from zero.
    package var resuming: ResumeData?
    /// Why resume data that were there are not used.
    package var startsOver: String?

    package init(
        _ description: TransferDescription,
        resuming: ResumeData? = nil,
        startsOver: String? = nil
    ) {
        self.description = description
        self.resuming = resuming
        self.startsOver = startsOver
    }
}

/// A request without its secrets.
package struct RequestNote: Hashable, Sendable {
    /// Counts the requests of the transfer from 1.
    package var ordinal: Int
    package var method: String
    package var address: HTTPURL
    /// The bytes of the source that it carries.
    package var body: Range<UInt64>?
    /// `Range` of a download.
    package var range: String?

    package init(_ request: TransferRequest) {
        ordinal = request.ordinal
        method = request.method
        address = request.address
        body = request.body
        range = request.fields["Range"]
    }
}

/// How a transfer ended.
package enum TransferEnding: Hashable, Sendable {
    case finished(TransferResult)
    case failed(TransferFailure)
    /// By a user or by the end of the process.
    case paused(ResumeOutcome)

    /// What it leaves to go on from.
    package var resume: ResumeOutcome? {
        switch self {
        case .finished: nil
        case .failed(let failure): failure.resume
        case .paused(let outcome): outcome
        }
    }

    package var isResumable: Bool { resume?.data != nil }
}
