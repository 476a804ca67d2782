package import HTTPWire

/// How the origin takes uploads.
package struct UploadSettings: Hashable, Sendable {
    /// What a PATCH to a complete upload of version 3, 5 or 8 gets; 6 is always refused.
    package enum CompletedPolicy: String, CaseIterable, Hashable, Sendable {
        /// A zero-byte last request gets the stored answer again.
        case replay
        /// 400.
        case reject
        /// 410.
        case gone
    }

    package enum LocationForm: Hashable, Sendable {
        /// A path: leads the client back through whatever stands between.
        case relative
        /// From the request's `Host`; relative if there is none. The scheme is "http" or "https".
        case absolute(scheme: String)
    }

    /// Versions of the IETF's protocol that are understood; others make a plain upload.
    package var versions: Set<InteropVersion> = Set(InteropVersion.allCases)
    /// Whether requests without a version are treated as version 8, 104s included.
    package var acceptsVersionless = false
    package var offersTus = true
    /// Requests to paths that begin so may create uploads.
    package var creationPrefix = "/files/"
    /// Upload resources are the paths that begin so and go on with an identifier.
    package var resourcePrefix = "/uploads/"
    package var location = LocationForm.relative
    package var limits = UploadLimits()
    /// Seconds from creation to expiry; nil for never.
    package var lifetime: Int?
    /// Seconds for which a complete upload is kept.
    package var keepComplete: Int = 3_600
    /// Committed bytes from one progress 104 to the next; 0 for none, nil for as many as a client
    /// takes: see `ProgressInterval`.
    package var progressBytes: UInt64?
    package var completed = CompletedPolicy.replay
    /// Whether a complete upload is handed to another server, which may be away or refuse it.
    ///
    /// Then the fields of the creating request are kept, and what is asked of an upload that is being
    /// handed on waits for the outcome.
    package var forwards = false

    package init() {}
}

/// What sizes uploads may have, in bytes; nil where there is no limit.
///
/// For tus only `maxSize` counts, as `Tus-Max-Size`. The append sizes bind versions 6 and 8, which
/// can say them (draft-ietf-httpbis-resumable-upload-05 and -11, Upload-Limit).
package struct UploadLimits: Hashable, Sendable {
    package var maxSize: UInt64?
    package var minSize: UInt64?
    package var maxAppendSize: UInt64?
    package var minAppendSize: UInt64?

    package init(
        maxSize: UInt64? = nil,
        minSize: UInt64? = nil,
        maxAppendSize: UInt64? = nil,
        minAppendSize: UInt64? = nil
    ) {
        self.maxSize = maxSize
        self.minSize = minSize
        self.maxAppendSize = maxAppendSize
        self.minAppendSize = minAppendSize
    }
}

/// Where a request points.
package enum UploadPlace: Hashable, Sendable {
    case creation
    /// An upload resource, by its identifier.
    case resource(String)
    case elsewhere

    /// Reads a request target in origin or absolute form; a query counts for nothing.
    package init(target: String, settings: UploadSettings) {
        let path = Self.path(of: target)
        if path.hasPrefix(settings.resourcePrefix) {
            let identifier = path.dropFirst(settings.resourcePrefix.count)
            let isOne = !identifier.isEmpty && !identifier.utf8.contains(UInt8(ascii: "/"))
            self = isOne ? .resource(String(identifier)) : .elsewhere
        } else {
            self = path.hasPrefix(settings.creationPrefix) ? .creation : .elsewhere
        }
    }

    private static func path(of target: String) -> Substring {
        var rest = target.prefix { $0 != "?" && $0 != "#" }
        if let scheme = ["http://", "https://"].first(where: { rest.lowercased().hasPrefix($0) }) {
            rest = rest.dropFirst(scheme.count).drop { $0 != "/" }
        }
        return rest
    }
}
