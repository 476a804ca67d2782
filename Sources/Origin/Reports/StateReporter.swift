internal import Basics
internal import ResumableServer
internal import SystemIO

/// Puts the state of an origin together; digests of uploads are computed when somebody asks.
final class StateReporter {
    private let uploads: UploadService
    private let objects: ObjectTally
    private let folder: Folder
    private let loop: EventLoop
    private let limits: OriginLimits
    /// Of uploads that do not change any more, by identifier.
    private var digests: [String: String] = [:]

    init(
        uploads: UploadService,
        objects: ObjectTally,
        folder: Folder,
        loop: EventLoop,
        limits: OriginLimits
    ) {
        self.uploads = uploads
        self.objects = objects
        self.folder = folder
        self.loop = loop
        self.limits = limits
    }

    /// Computes the state; `done` is called later, or at once where all digests are known.
    func report(requests: UInt64, done: @escaping (OriginState) -> Void) {
        var state = OriginState()
        state.requests = requests
        state.objects = objects.list
        state.unlistedObjects = objects.unlisted
        state.uploads = uploads.list(limit: limits.listedUploads)
        let listed = Set(state.uploads.map(\.identifier))
        digests = digests.filter { listed.contains($0.key) }
        addDigests(to: state, from: 0, done)
    }

    private func addDigests(
        to state: OriginState,
        from start: Int,
        _ done: @escaping (OriginState) -> Void
    ) {
        var state = state
        for index in start..<state.uploads.count {
            let upload = state.uploads[index]
            if let digest = digests[upload.identifier] {
                state.uploads[index].digest = digest
                continue
            }
            guard upload.isReadable else { continue }
            compute(upload) { [weak self] digest in
                state.uploads[index].digest = digest
                if upload.path != nil { self?.digests[upload.identifier] = digest }
                self?.addDigests(to: state, from: index + 1, done)
            }
            return
        }
        done(state)
    }

    private func compute(_ upload: OriginState.Upload, _ done: @escaping (String?) -> Void) {
        let finish = { (result: Result<[ExpectedDigest], SystemError>) in
            let digest = try? result.get().first
            done(digest.map { HexadecimalText.encode($0.value) })
        }
        guard let path = upload.path else {
            return uploads.store.digests(
                [.sha256],
                of: UploadPlaceInStore(upload.identifier),
                count: upload.bytes,
                done: finish
            )
        }
        guard let name = StoredObject.name(inPath: path),
            let file = try? folder.file(name, for: .reading)
        else {
            return done(nil)
        }
        FileDigests.compute([.sha256], of: file, count: upload.bytes, on: loop, done: finish)
    }
}

extension OriginState.Upload {
    /// Whether its bytes are there to be read.
    fileprivate var isReadable: Bool { path != nil || state == "active" || state == "finalising" }
}
