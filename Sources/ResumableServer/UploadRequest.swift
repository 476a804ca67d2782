package import HTTPWire

/// What a request wants from the upload service, read from its head once.
///
/// A request to an upload resource is read by the protocol of that resource, so it is handed to
/// `UploadResource.request` as it is.
package enum UploadRequest: Hashable, Sendable {
    /// Asks what is offered; this is the answer.
    case options(UploadAnswer)
    /// Cannot be served; this is why, and the answer.
    case refused(UploadRefusal, UploadAnswer)
    /// Creates an upload: see `UploadResource.create`.
    case create(CreationRequest)
    /// Points to an upload resource: see `UploadResource.request` and `UploadResource.missing`.
    case resource(String)
    /// Content for the target without any protocol for uploads: all or nothing.
    case plain(PlainUpload)
    /// Nothing for this service.
    case elsewhere

    /// Reads the head of a request.
    ///
    /// - Parameters:
    ///   - head: as the parser gave it.
    ///   - place: where it points, usually `UploadPlace(target:settings:)`.
    ///   - settings: of the service.
    ///   - now: seconds since 1970.
    package init(_ head: RequestHead, to place: UploadPlace, settings: UploadSettings, at now: Int)
    {
        let dialect = UploadProtocol(askedBy: head, settings: settings)
        let table = ResponseBuilder(dialect: dialect ?? .ietf(.v8), settings: settings)
        do throws(UploadRefusal) {
            self = try Self.read(head, place, dialect, table, settings)
        } catch {
            self = .refused(
                error,
                table.refusal(error, isHead: head.method == "HEAD", at: now)
            )
        }
    }

    private static func read(
        _ head: RequestHead,
        _ place: UploadPlace,
        _ dialect: UploadProtocol?,
        _ table: ResponseBuilder,
        _ settings: UploadSettings
    ) throws(UploadRefusal) -> UploadRequest {
        guard place != .elsewhere else { return .elsewhere }
        if head.method == "OPTIONS" {
            return options(place, dialect, table, settings)
        }
        if case .resource(let identifier) = place { return .resource(identifier) }
        if dialect?.isTus == true { try head.checkTusVersion() }
        switch head.uploadMethod(dialect) {
        case "GET", "HEAD", "DELETE", "OPTIONS": return .elsewhere
        case "POST" where dialect?.isTus == true:
            return .create(try CreationRequest(tus: head, settings: settings))
        default: break
        }
        if let version = dialect?.version,
            let completes = head.completes(version)
        {
            return .create(
                try CreationRequest(head, version, isLast: completes, settings: settings)
            )
        }
        return try plain(head, settings)
    }

    /// Without a known protocol all that is offered is told.
    private static func options(
        _ place: UploadPlace,
        _ dialect: UploadProtocol?,
        _ table: ResponseBuilder,
        _ settings: UploadSettings
    ) -> UploadRequest {
        let offersIETF =
            dialect != nil || settings.versions.contains(.v8) || settings.acceptsVersionless
        // In version 3 there is nothing to say but the methods.
        let bare = ResponseBuilder(dialect: .ietf(.v3), settings: settings)
        var answer = (offersIETF ? table : bare).options(for: place)
        if dialect == nil && settings.offersTus {
            let tus = ResponseBuilder(dialect: .tus, settings: settings).options(for: place)
            for field in tus.head.fields.fields where field.name != "Allow" {
                answer.head.fields.add(field.name, field.value)
            }
        }
        return .options(answer)
    }

    private static func plain(
        _ head: RequestHead,
        _ settings: UploadSettings
    ) throws(UploadRefusal) -> UploadRequest {
        let saysMore =
            head.fields.structuredBoolean("Upload-Complete") == false
            || head.fields.structuredBoolean("Upload-Incomplete") == true
        guard !saysMore else { throw .partWithoutSupport }
        guard head.method == "POST" || head.method == "PUT" else { return .elsewhere }
        let upload = PlainUpload(head, maxSize: settings.limits.maxSize)
        if let bytes = upload.body.bytes, let most = upload.maxSize, bytes > most {
            throw .tooLarge
        }
        return .plain(upload)
    }
}

/// An upload by POST or PUT alone: if it is cut, nothing of it counts.
package struct PlainUpload: Hashable, Sendable {
    package let body: BodyLength
    package let contentType: String?
    /// Between the parts of `multipart/form-data` (RFC 7578); nil for other types.
    package let multipartBoundary: String?
    /// Bytes after which to answer 413 and keep nothing; a length in the head has been checked.
    package let maxSize: UInt64?
    /// Whether a 100 has to be sent before the body comes.
    package let expectsContinue: Bool

    init(_ head: RequestHead, maxSize: UInt64?) {
        body = BodyLength(head)
        contentType = head.fields["Content-Type"]
        let type = contentType.flatMap { MediaType($0) }
        multipartBoundary =
            type?.essence == "multipart/form-data" ? type?.parameters["boundary"] : nil
        self.maxSize = maxSize
        expectsContinue = head.holdsContent
    }
}
