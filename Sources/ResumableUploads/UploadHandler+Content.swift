internal import HTTPWire
internal import ResumableServer
internal import SystemIO

/// What is done with content as a whole.
extension UploadHandler {
    /// The first bytes of a content, piece by piece.
    private func pieces(
        of name: String,
        count: UInt64,
        handOver: @escaping @Sendable () async throws -> Void = {}
    ) -> CompleteUpload.Content {
        CompleteUpload.Content(size: count) { [storage] offset, count in
            try await storage.read(name, from: offset, count: count)
        } handOver: {
            try await handOver()
        }
    }

    func copy(
        _ count: UInt64,
        of source: String,
        to target: String,
        at offset: UInt64
    ) async throws {
        var place = offset
        for try await piece in pieces(of: source, count: count) {
            try await storage.write(piece, to: target, at: place)
            place += UInt64(piece.count)
        }
    }

    /// Digests of the first bytes of a content; none if they cannot be read, which matches nothing.
    func computeDigests(
        _ algorithms: [DigestAlgorithm],
        _ scope: DigestScope,
        _ upload: LiveUpload
    ) async -> [ExpectedDigest] {
        let (content, count) =
            switch scope {
            case .staged(let bytes): (upload.stagedName, bytes)
            case .whole(let bytes): (upload.name, bytes)
            }
        let digests = algorithms.map { Digest(Self.algorithm($0)) }
        do {
            for try await piece in pieces(of: content, count: count) {
                for digest in digests { digest.update(piece) }
            }
        } catch {
            return []
        }
        return zip(algorithms, digests).map { ExpectedDigest($0, $1.value) }
    }

    private static func algorithm(_ algorithm: DigestAlgorithm) -> Digest.Algorithm {
        switch algorithm {
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha512: .sha512
        }
    }

    // MARK: The target

    /// Gives the target a complete upload, and its answer to the client that waits.
    func deliver(_ upload: LiveUpload) async {
        let name = upload.name
        let record = upload.resource.record
        var head = record.origin.forwarded
        head.fields.add("Content-Length", "\(record.offset)")
        let content = pieces(of: name, count: record.offset) { [weak self] in
            try await self?.handOver(name)
        }
        do {
            if record.offset == 0 { try await handOver(name) }
            let answer = try await target(
                CompleteUpload(request: ServerRequest(head), content: content)
            )
            let isShort = answer.body.count <= StoredAnswer.bodyLimit
            let stored = StoredAnswer(forwarding: answer.head, body: isShort ? answer.body : nil)
            perform(upload.resource.finalised(stored), on: upload)
        } catch {
            let failure = ForwardingFailure(500, "the upload has come and was not taken")
            perform(upload.resource.notForwarded(failure, at: now()), on: upload)
        }
    }

    /// Has the record say that the target gets the whole, before it does.
    private func handOver(_ name: String) async throws {
        guard options.delivery == .atMostOnce, let upload = uploads[name] else { return }
        await persist(upload.resource.handsOver(), upload)
        if upload.lags { throw UploadStorageError.full }
    }
}
