/// Why a request is refused, by name; `ResponseBuilder` has the answers.
package enum UploadRefusal: Error, Hashable, Sendable {
    /// 400, with what is wrong in words of ours.
    case badRequest(String)
    /// 400: the body would be a part, and nobody would know of it.
    case partWithoutSupport
    /// 404, or 410 where the upload is remembered and the protocol lets one say so.
    case missing(isRemembered: Bool)
    /// 405.
    case methodNotAllowed
    /// 415.
    case wrongMediaType
    /// 409.
    case mismatchingOffset(expected: UInt64, provided: UInt64)
    /// 400.
    case completed
    /// 410, by `UploadSettings.CompletedPolicy.gone`.
    case completedAndGone
    /// 400.
    case inconsistentLength
    /// 400, for tus 413.
    case lengthExceeded
    /// 413.
    case tooLarge
    /// 400.
    case tooSmall
    /// 412.
    case tusVersionNotSupported
    /// 403: nothing can be added to a joined upload.
    case joined
    /// 400.
    case unknownChecksum
    /// 400, for tus 460.
    case digestMismatch
    /// 507.
    case noSpace
    /// 503.
    case exhausted
    /// 500.
    case storeFailed
}
