internal import SystemIO

/// A file that comes without any protocol for uploads: it is kept once it is whole, or not at all.
final class PlainFile {
    private let service: UploadService
    let identifier: String
    /// What waits to be written, and whom to tell.
    private var pieces: [(bytes: BodyBytes, done: () -> Void)] = []
    private var isWriting = false
    private var isSynchronizing = false
    private var isAbandoned = false
    /// Bytes that are written.
    private var offset: UInt64 = 0
    /// Bytes that were written since the disk was last asked to take them.
    private var unsynchronized: UInt64 = 0
    /// Bytes that have come.
    private(set) var received: UInt64 = 0
    private(set) var failure: SystemError?
    /// Run in this order once all that has come is written, or after a failure.
    private var whenSettled: [() -> Void] = []

    /// So many bytes are worth a way to the disk while the next ones come, instead of all in the end.
    private static let synchronizedBytes: UInt64 = 4 << 20

    init(_ identifier: String, _ service: UploadService) {
        self.identifier = identifier
        self.service = service
    }

    /// Takes bytes; `done` is called once they are written, or will not be.
    func take(_ bytes: BodyBytes, done: @escaping () -> Void) {
        received += UInt64(bytes.count)
        pieces.append((bytes, done))
        write()
    }

    /// Keeps the file; `done` gets its name, once it is durable.
    ///
    /// - Parameters:
    ///   - name: the wanted one; it gets one like it.
    ///   - earlier: the file whose place it takes; nil for none.
    ///   - done: called once.
    func finish(
        as name: ObjectName,
        replacing earlier: String? = nil,
        done: @escaping (Result<String, SystemError>) -> Void
    ) {
        settle { [self] in
            if let failure { return done(.failure(failure)) }
            let store = service.store
            let finish = { [identifier] (result: Result<String, SystemError>) in
                store.removeContent(identifier)
                done(result)
            }
            guard let earlier else { return store.publish(identifier, as: name.text, done: finish) }
            store.publish(identifier, replacing: earlier, done: finish)
        }
    }

    /// Forgets the file.
    func abandon() {
        guard !isAbandoned else { return }
        isAbandoned = true
        dropPieces()
        settle { [self] in
            service.removed(offset)
            service.store.removeContent(identifier)
        }
    }

    private func settle(_ action: @escaping () -> Void) {
        guard isWriting || isSynchronizing else { return action() }
        whenSettled.append(action)
    }

    private func dropPieces() {
        let dropped = pieces
        pieces.removeAll()
        for piece in dropped { piece.done() }
    }

    private func write() {
        guard !isWriting, !pieces.isEmpty else { return }
        guard failure == nil, !isAbandoned else { return dropPieces() }
        let piece = pieces.removeFirst()
        isWriting = true
        let finish = { [self] (_: Int, error: SystemError?) in
            isWriting = false
            wrote(piece.bytes.count, error)
            piece.done()
        }
        guard service.hasRoom(for: UInt64(piece.bytes.count)) else {
            return finish(0, .quotaExceeded)
        }
        service.store.write(
            piece.bytes,
            count: piece.bytes.count,
            to: UploadPlaceInStore(identifier, .plain),
            at: offset,
            done: finish
        )
    }

    private func wrote(_ count: Int, _ error: SystemError?) {
        if let error {
            failure = error
        } else {
            offset += UInt64(count)
            unsynchronized += UInt64(count)
            service.stored(UInt64(count))
        }
        write()
        synchronize()
        runWhenSettled()
    }

    private func synchronize() {
        guard !isSynchronizing, failure == nil, unsynchronized >= Self.synchronizedBytes else {
            return
        }
        isSynchronizing = true
        unsynchronized = 0
        service.store.synchronize(UploadPlaceInStore(identifier, .plain)) { [self] error in
            isSynchronizing = false
            // The system tells of bytes that it lost once only.
            failure = failure ?? error
            synchronize()
            runWhenSettled()
        }
    }

    private func runWhenSettled() {
        guard !isWriting, !isSynchronizing else { return }
        let actions = whenSettled
        whenSettled = []
        for action in actions { action() }
    }
}
