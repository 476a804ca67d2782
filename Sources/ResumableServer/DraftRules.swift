internal import HTTPWire

/// What one version of the IETF's protocol asks of requests and puts in its responses.
///
/// Each case of `of(_:)` can be held against the drafts, whose numbers are given; the sections are
/// Upload Creation, Offset Retrieval, Upload Append and Upload Cancellation.
struct DraftRules: Hashable, Sendable {
    /// The field for "there is more" or "this is all", and its value when this is all.
    var completeness: (name: String, whenComplete: Bool) {
        saysIncomplete ? ("Upload-Incomplete", false) : ("Upload-Complete", true)
    }
    /// Whether the field says the opposite: incomplete (-01 only).
    var saysIncomplete = false
    /// Whether 104s report progress on creation and on PATCH.
    var reportsProgress = false
    /// Whether the announcing 104, the answer to a partial creation and to HEAD carry limits.
    var showsLimits = false
    /// The key of `Upload-Limit` for seconds left.
    var lifetimeKey: String?
    /// Whether final answers to creation and PATCH say offset and, on creation, `Location`.
    var answersPlace = true
    /// Status of the answer to a PATCH after which there is more.
    var appendStatus = 201
    /// Whether HEAD says the length.
    var showsLength = false
    /// Whether PATCH must have type `application/partial-upload`.
    var demandsMediaType = false
    /// Whether PATCH must say whether it is the last.
    var demandsCompleteness = false
    /// Fields whose presence makes HEAD, and DELETE, a bad request.
    var refusedInStatus: [String] = []
    var refusedInCancel: [String] = []
    /// Whether 409 carries `Upload-Complete: ?0`.
    var conflictSaysIncomplete = false
    /// The registered problem types that the version knows.
    var problems: Set<String> = []
    /// Whether a PATCH to a complete upload is always 400.
    var refusesWhenComplete = false
    /// Whether a body beyond the length makes the upload invalid.
    var invalidatesWhenExceeded = false
    /// Whether a body that is too long by its own `Content-Length` is stored up to the length all
    /// the same (-05), and not refused at its head.
    var stopsAtLength = false
    /// Whether 410 is said of uploads that are remembered.
    var saysGone = false
    /// Whether GET asks for the offset as HEAD does.
    var takesGet = false
    /// Whether the limits of appends bind: on PATCH, and on creation too.
    var limitsAppends = false
    var limitsCreationAsAppend = false

    static let partialMediaType = "application/partial-upload"

    static func of(_ version: InteropVersion) -> DraftRules {
        switch version {
        case .v3:  // -01
            DraftRules(
                saysIncomplete: true,
                refusedInStatus: ["Upload-Offset", "Upload-Incomplete"],
                refusedInCancel: ["Upload-Offset", "Upload-Incomplete"]
            )
        case .v5:  // -03
            DraftRules(
                reportsProgress: true,
                refusedInStatus: ["Upload-Offset", "Upload-Complete"],
                refusedInCancel: ["Upload-Offset", "Upload-Complete"]
            )
        case .v6:  // -04 and -05
            DraftRules(
                reportsProgress: true,
                showsLimits: true,
                lifetimeKey: "expires",
                showsLength: true,
                demandsMediaType: true,
                refusedInStatus: ["Upload-Offset", "Upload-Complete", "Upload-Length"],
                refusedInCancel: ["Upload-Offset", "Upload-Complete"],
                problems: ["mismatching-upload-offset", "completed-upload"],
                refusesWhenComplete: true,
                stopsAtLength: true,
                limitsAppends: true
            )
        case .v8:  // -09 to -11
            DraftRules(
                reportsProgress: true,
                showsLimits: true,
                lifetimeKey: "max-age",
                answersPlace: false,
                appendStatus: 204,
                showsLength: true,
                demandsMediaType: true,
                demandsCompleteness: true,
                conflictSaysIncomplete: true,
                problems: [
                    "mismatching-upload-offset", "completed-upload", "inconsistent-upload-length",
                ],
                invalidatesWhenExceeded: true,
                saysGone: true,
                takesGet: true,
                limitsAppends: true,
                limitsCreationAsAppend: true
            )
        }
    }
}
