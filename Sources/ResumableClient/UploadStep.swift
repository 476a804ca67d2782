internal import HTTPWire

/// What an upload does next by a request.
indirect enum UploadStep: Sendable {
    /// OPTIONS.
    case discover
    case create
    /// HEAD: how much does the server have?
    case ask
    /// PATCH from this offset on.
    case append(from: UInt64)
    /// A PATCH without content on a complete upload, for its final answer.
    case fetchAnswer
    /// DELETE; whatever comes of it, the transfer has failed so.
    case cancel(TransferFailure)
}

/// The request of an upload that is open.
struct UploadExchange: Sendable {
    let step: UploadStep
    let address: HTTPURL
    /// The bytes of the source that it carries.
    let body: Range<UInt64>
    /// Whether it carries the end of the source.
    let isLast: Bool
    /// Bytes of the body that were given to the network.
    var sent: UInt64 = 0

    var isBodySent: Bool { sent >= body.upperBound - body.lowerBound }
}
