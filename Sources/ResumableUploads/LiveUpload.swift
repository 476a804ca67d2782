internal import ResumableServer

/// An upload, and what is to be done for it, in order; of its handler alone.
final class LiveUpload {
    var resource: UploadResource
    var steps: [Step] = []
    var isRunning = false
    /// Whether the record in the storage lags behind.
    var lags = false
    var hasEnded = false
    /// Waits until what has come is stored.
    var whenStored: CheckedContinuation<Void, Never>?

    /// An action, and the bytes that it stores.
    struct Step {
        let action: UploadAction
        let bytes: [UInt8]
    }

    init(_ resource: UploadResource) { self.resource = resource }

    var name: String { resource.record.identifier }
    var stagedName: String { "\(name).staged" }

    /// Lets whoever brings bytes bring more.
    func stored() {
        whenStored?.resume()
        whenStored = nil
    }
}

/// A request under way; of its handler alone.
final class LiveExchange {
    let name: ExchangeID
    let body: UploadHandler.Body
    let interim: UploadHandler.Interim
    var upload: String?
    var isReading = false
    private(set) var reply: UploadReply?
    var whenFinished: CheckedContinuation<UploadReply, Never>?

    init(
        _ name: ExchangeID,
        _ body: @escaping UploadHandler.Body,
        _ interim: @escaping UploadHandler.Interim
    ) {
        self.name = name
        self.body = body
        self.interim = interim
    }

    /// Answers once; what comes later is of no use.
    func finish(_ reply: UploadReply) {
        guard self.reply == nil else { return }
        isReading = false
        self.reply = reply
        whenFinished?.resume(returning: reply)
        whenFinished = nil
    }
}
