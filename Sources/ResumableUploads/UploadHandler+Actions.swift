internal import HTTPWire
internal import Origin
internal import ResumableServer

/// What the machine of an upload says is carried out in order, each action finished before the next.
extension UploadHandler {
    /// Queues what the machine says.
    func perform(_ actions: [UploadAction], on upload: LiveUpload, storing bytes: [UInt8] = []) {
        upload.steps += actions.map { LiveUpload.Step(action: $0, bytes: bytes) }
        guard !upload.isRunning, !upload.steps.isEmpty else { return }
        upload.isRunning = true
        let name = upload.name
        Task { await self.run(name) }
    }

    private func run(_ name: String) async {
        guard let upload = uploads[name] else { return }
        while !upload.steps.isEmpty {
            let step = upload.steps.removeFirst()
            await carryOut(step.action, step.bytes, upload)
        }
        upload.isRunning = false
        noteEnd(of: upload)
    }

    private func carryOut(
        _ action: UploadAction,
        _ bytes: [UInt8],
        _ upload: LiveUpload
    ) async {
        switch action {
        case .persist(let record): await persist(record, upload)
        case .interim(let head, let name):
            guard !upload.lags || head.status != 104 else { return }
            await exchange(name)?.interim(ServerResponse(head))
        case .answer(let answer, let name):
            exchange(name)?.finish(UploadReply(upload.lags ? Self.storeFailed : answer))
        case .read(let name): read(name, upload)
        case .stopReading(let name): exchange(name)?.isReading = false
        case .reset(let name): exchange(name)?.finish(.reset)
        case .store(let count, let offset, let isStaged):
            await store(Array(bytes.prefix(Int(count))), offset, isStaged, upload)
        case .storeStaged(let count, let offset):
            await moveStaged(count, to: offset, upload)
        case .discardStaged: try? await storage.removeContent(upload.stagedName)
        case .computeDigests(let algorithms, let scope):
            let digests = await computeDigests(algorithms, scope, upload)
            perform(upload.resource.digests(digests), on: upload)
        case .concatenate(let parts):
            await join(parts, upload)
        case .finalise: await deliver(upload)
        case .deleteContent: try? await storage.removeContent(upload.name)
        }
    }

    func persist(_ record: UploadRecord, _ upload: LiveUpload) async {
        do {
            try await storage.save(UploadRecordFile.bytes(of: record), of: record.identifier)
            upload.lags = false
        } catch {
            upload.lags = true
        }
        guard case .complete = record.state, record.origin.concatenation != .partial else { return }
        // Only the answer is kept.
        if !upload.lags { try? await storage.removeContent(upload.name) }
    }

    private static let storeFailed = UploadAnswer(
        500,
        ["Content-Type": "application/problem+json", "Cache-Control": "no-store"],
        body: Array(#"{"title":"the content could not be stored","status":500}"#.utf8),
        needsDrain: true
    )

    // MARK: Bytes

    private func read(_ name: ExchangeID, _ upload: LiveUpload) {
        guard let exchange = exchange(name) else { return }
        exchange.isReading = true
        let upload = upload.name
        Task { await self.pump(name, upload) }
    }

    /// Takes content from the transport to the storage, a piece at a time.
    private func pump(_ name: ExchangeID, _ upload: String) async {
        guard let exchange = exchange(name), let upload = uploads[upload] else { return }
        do {
            while exchange.isReading {
                let piece = try await exchange.body()
                guard exchange.isReading else { return }
                guard let piece else {
                    exchange.isReading = false
                    return perform(upload.resource.bodyEnded(from: name), on: upload)
                }
                await take(piece, name, upload)
            }
        } catch {
            lost(name)
        }
    }

    private func take(_ piece: [UInt8], _ name: ExchangeID, _ upload: LiveUpload) async {
        guard !piece.isEmpty else { return }
        let actions = upload.resource.received(UInt64(piece.count), from: name)
        let isStored = actions.contains { if case .store = $0 { true } else { false } }
        perform(actions, on: upload, storing: piece)
        guard isStored else { return }
        await withCheckedContinuation { upload.whenStored = $0 }
    }

    private func store(
        _ bytes: [UInt8],
        _ offset: UInt64,
        _ isStaged: Bool,
        _ upload: LiveUpload
    ) async {
        defer { upload.stored() }
        guard let owner = upload.resource.owner else { return }
        do {
            let content = isStaged ? upload.stagedName : upload.name
            try await storage.write(bytes, to: content, at: offset)
            perform(upload.resource.wrote(UInt64(bytes.count), from: owner), on: upload)
        } catch {
            failed(error, upload)
        }
    }

    private func moveStaged(_ count: UInt64, to offset: UInt64, _ upload: LiveUpload) async {
        do {
            try await copy(count, of: upload.stagedName, to: upload.name, at: offset)
            perform(upload.resource.stagedStored(), on: upload)
        } catch {
            failed(error, upload)
        }
    }

    /// Joins uploads, one behind the other.
    private func join(_ parts: [String], _ upload: LiveUpload) async {
        do {
            var offset: UInt64 = 0
            for part in parts {
                let count = uploads[part]?.resource.record.offset ?? 0
                try await copy(count, of: part, to: upload.name, at: offset)
                offset += count
            }
            perform(upload.resource.concatenated(), on: upload)
        } catch {
            failed(error, upload)
        }
    }

    private func failed(_ error: any Error, _ upload: LiveUpload) {
        // Without an owner the machine asks for none.
        let owner = upload.resource.owner ?? ExchangeID(0)
        perform(upload.resource.writeFailed(Self.failure(error), from: owner), on: upload)
    }

    private static func failure(_ error: any Error) -> StoreFailure {
        error as? UploadStorageError == .full ? .noSpace : .other
    }
}
