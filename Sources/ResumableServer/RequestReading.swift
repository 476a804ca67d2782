internal import HTTPWire

extension UploadProtocol {
    /// The protocol that a request asks for; nil if none that is offered.
    init?(askedBy head: RequestHead, settings: UploadSettings) {
        if settings.offersTus && head.fields.contains("Tus-Resumable") {
            self = .tus
            return
        }
        guard let version = head.interopVersion(settings) else { return nil }
        self = .ietf(version)
    }
}

extension RequestHead {
    /// The version in `Upload-Draft-Interop-Version`, or the one that stands for none.
    func interopVersion(_ settings: UploadSettings) -> InteropVersion? {
        guard fields.contains("Upload-Draft-Interop-Version") else {
            return settings.acceptsVersionless ? .v8 : nil
        }
        return fields.structuredInteger("Upload-Draft-Interop-Version")
            .flatMap(InteropVersion.init(rawValue:))
            .flatMap { settings.versions.contains($0) ? $0 : nil }
    }

    /// The method, for tus after `X-HTTP-Method-Override`.
    func uploadMethod(_ dialect: UploadProtocol?) -> String {
        dialect?.isTus == true ? fields["X-HTTP-Method-Override"] ?? method : method
    }

    func checkTusVersion() throws(UploadRefusal) {
        guard fields["Tus-Resumable"] == UploadProtocol.tusVersion else {
            throw .tusVersionNotSupported
        }
    }

    /// Whether the request says that it carries the end; nil if it says nothing.
    func completes(_ version: InteropVersion) -> Bool? {
        let (name, whenComplete) = DraftRules.of(version).completeness
        return fields.structuredBoolean(name).map { $0 == whenComplete }
    }

    /// A structured integer that is not negative (RFC 9651; other values count as absent).
    func count(_ name: String) -> UInt64? {
        fields.structuredInteger(name).flatMap { UInt64(exactly: $0) }
    }

    /// An integer by the grammar of tus, which is digits only; nil if absent.
    func tusCount(_ name: String) throws(UploadRefusal) -> UInt64? {
        guard let text = fields[name] else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39) ~= $0 }), let count = UInt64(text),
            count <= UInt64(Int64.max)
        else {
            throw .badRequest("\(name) is not a number of bytes")
        }
        return count
    }

    func hasMediaType(_ essence: String) -> Bool {
        fields["Content-Type"].flatMap { MediaType($0) }?.essence == essence
    }

    /// Whether content is held back until a 100 comes.
    var holdsContent: Bool { expectsContinue && !BodyLength(self).isEmpty }

    /// Whether 104 may be sent: the version is said and the message is not HTTP/1.0.
    func mayGet104(_ dialect: UploadProtocol, _ settings: UploadSettings) -> Bool {
        guard version != .http10, let wanted = dialect.version else { return false }
        return interopVersion(settings) == wanted
    }
}
