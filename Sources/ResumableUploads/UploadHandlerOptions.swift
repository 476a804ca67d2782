internal import ResumableServer

/// How an `UploadHandler` takes uploads.
public struct UploadHandlerOptions: Hashable, Sendable {
    /// How often the target may get one upload.
    public enum Delivery: Hashable, Sendable {
        /// Never a second time once it may have seen the last byte, unless the method is `PUT` or
        /// `DELETE` or the request has an `Idempotency-Key`: if the program ends before the target has
        /// answered, the client hears that the outcome is unknown.
        case atMostOnce
        /// Again after a restart, until it has answered.
        case atLeastOnce
    }

    /// What the paths of requests begin with that may create uploads.
    public var creationPrefix = "/"
    /// What the paths of uploads begin with; the rest is the upload's name.
    public var uploadPrefix = "/.uploads/"
    /// Whether tus 1.0.0 is spoken, besides the IETF draft.
    public var offersTus = true
    /// The largest upload in bytes; nil for no limit.
    public var maximumSize: UInt64?
    /// Seconds from the creation of an upload to its expiry, if it is not complete; nil for never.
    public var lifetime: Int?
    /// Seconds for which the answer to a complete upload is kept.
    public var keepComplete = 3_600
    /// Incomplete uploads; one more gets 503.
    public var maximumUploads = 10_000
    /// How often the target may get one upload.
    public var delivery = Delivery.atMostOnce

    /// The usual options.
    public init() {}

    /// Ended uploads whose outcome is remembered; the oldest are forgotten.
    static let remembered = 1_000

    var settings: UploadSettings {
        var settings = UploadSettings()
        settings.forwards = true
        settings.offersTus = offersTus
        settings.creationPrefix = creationPrefix
        settings.resourcePrefix = uploadPrefix
        settings.limits.maxSize = maximumSize
        settings.lifetime = lifetime
        settings.keepComplete = keepComplete
        return settings
    }
}
