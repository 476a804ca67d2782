import SystemIO
import ResumableServer
import Testing

@testable import Origin

/// A plain upload on its way to the disk: it is there once it is said to be, and not before.
@Suite struct PlainFileTests {
    /// A store that does nothing, and whose disk takes its time.
    private final class SlowStore: UploadStore {
        var written: UInt64 = 0
        /// Ends the way to the disk that is under way.
        var finishSynchronizing: ((SystemError?) -> Void)?
        var synchronizations: [UInt64] = []
        var published: [String] = []
        var removed: [String] = []

        func write(
            _ bytes: BodyBytes,
            count: Int,
            to place: UploadPlaceInStore,
            at offset: UInt64,
            done: @escaping (_ written: Int, _ error: SystemError?) -> Void
        ) {
            written += UInt64(count)
            done(count, nil)
        }

        func synchronize(_ place: UploadPlaceInStore, done: @escaping (SystemError?) -> Void) {
            synchronizations.append(written)
            finishSynchronizing = { [self] error in
                finishSynchronizing = nil
                done(error)
            }
        }

        func publish(
            _ identifier: String,
            as name: String,
            done: @escaping (Result<String, SystemError>) -> Void
        ) {
            published.append(name)
            done(.success(name))
        }

        func publish(
            _ identifier: String,
            replacing name: String,
            done: @escaping (Result<String, SystemError>) -> Void
        ) {
            publish(identifier, as: name, done: done)
        }

        func content(of identifier: String) throws(SystemError) -> File { throw .inputOutput }
        func removeContent(_ identifier: String) { removed.append(identifier) }

        func restore() -> [StoredUpload] { [] }
        func persist(_ record: UploadRecord, done: @escaping (SystemError?) -> Void) {}
        func moveStaged(
            _ identifier: String,
            count: UInt64,
            to offset: UInt64,
            done: @escaping (SystemError?) -> Void
        ) {}
        func discardStaged(_ identifier: String) {}
        func digests(
            _ algorithms: [DigestAlgorithm],
            of place: UploadPlaceInStore,
            count: UInt64,
            done: @escaping (Result<[ExpectedDigest], SystemError>) -> Void
        ) {}
        func join(
            _ parts: [UploadRecord],
            into identifier: String,
            done: @escaping (SystemError?) -> Void
        ) {}
        func forget(_ identifier: String) {}
        func rest(_ identifier: String) {}
    }

    private let store = SlowStore()
    private let service: UploadService
    private let file: PlainFile
    private static let piece = 512 << 10

    init() {
        service = UploadService(
            store: store,
            settings: UploadSettings(),
            limits: OriginLimits(),
            naming: .seeded(1),
            now: { 0 }
        )
        file = PlainFile("f", service)
    }

    /// Gives the file so many pieces of 512 KiB.
    private func give(_ pieces: Int) {
        let memory = service.buffers.take(size: BufferPool.sizes.count - 1)
        for _ in 0..<pieces {
            file.take(BodyBytes(memory: memory, range: 0..<Self.piece), done: {})
        }
    }

    @Test func `bytes go to the disk while the next ones come, one way at a time`() {
        give(7)
        #expect(store.synchronizations.isEmpty)
        give(1)
        #expect(store.synchronizations == [4 << 20])
        give(20)
        #expect(store.synchronizations.count == 1 && store.written == 14 << 20)
        store.finishSynchronizing?(nil)
        #expect(store.synchronizations == [4 << 20, 14 << 20])
        // Nothing is left to bring there, and nothing waits for the end of a test.
        store.finishSynchronizing?(nil)
        #expect(store.synchronizations.count == 2 && store.finishSynchronizing == nil)
    }

    @Test func `the file is published once nothing is on its way to the disk`() {
        give(8)
        var result: Result<String, SystemError>?
        file.finish(as: ObjectName(trusted: "a")) { result = $0 }
        #expect(result == nil && store.published.isEmpty)
        store.finishSynchronizing?(nil)
        #expect(result == .success("a") && store.published == ["a"])
    }

    @Test func `bytes that the disk lost on the way are not published`() {
        give(8)
        var result: Result<String, SystemError>?
        file.finish(as: ObjectName(trusted: "a")) { result = $0 }
        store.finishSynchronizing?(.noSpace)
        #expect(result == .failure(.noSpace) && store.published.isEmpty)
    }

    @Test func `after a failure on the way no more is written`() {
        give(8)
        store.finishSynchronizing?(.noSpace)
        give(1)
        #expect(file.failure == .noSpace && store.written == 4 << 20)
    }

    @Test func `a file that is given up is removed once nothing is on its way`() {
        give(8)
        file.abandon()
        #expect(store.removed.isEmpty)
        store.finishSynchronizing?(nil)
        #expect(store.removed == ["f"] && service.storedBytes == 0)
    }
}
