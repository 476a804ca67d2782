internal import CLibuv
internal import Glibc

// What may wait for the disk, done on libuv's threads. `done` runs on the loop.

extension File {
    /// What a write in the background does once the bytes are written.
    package enum Afterwards: Hashable, Sendable {
        case nothing
        /// Has the system begin to bring them to the disk, so that a later `synchronize` has less to
        /// wait for: sync_file_range(2). Promises nothing.
        case writeBack
    }

    /// Writes `count` bytes of `buffer` from `start` on to the place `offset` of the file.
    ///
    /// Nobody may touch these bytes of the buffer until `done`; file and buffer are held until then.
    package func write(
        _ buffer: TransferBuffer,
        from start: Int = 0,
        count: Int,
        at offset: UInt64,
        then afterwards: Afterwards,
        on loop: EventLoop,
        done: @escaping (Result<Void, SystemError>) -> Void
    ) {
        precondition(start >= 0 && count >= 0 && start + count <= buffer.capacity)
        nonisolated(unsafe) let bytes = unsafe UnsafeRawBufferPointer(
            start: buffer.start + start,
            count: count
        )
        BackgroundWork.run(on: loop) { [self] in
            if let failure = unsafe Self.failure(writing: bytes, to: descriptor, at: offset) {
                return Result.failure(failure)
            }
            if afterwards == .writeBack { beginWriteBack(count, from: offset) }
            return .success(())
        } done: { result in
            withExtendedLifetime(buffer) { done(result) }
        }
    }

    private func beginWriteBack(_ count: Int, from offset: UInt64) {
        guard let offset = Int64(exactly: offset) else { return }
        // Not every file system can; nothing depends on it.
        _ = linkcond_begin_write_back(descriptor, offset, Int64(count))
    }

    /// Waits in the background until the content is on the disk.
    package func synchronize(
        on loop: EventLoop,
        done: @escaping (Result<Void, SystemError>) -> Void
    ) {
        BackgroundWork.run(on: loop, { [self] in synchronized() }, done: done)
    }

    private func synchronized() -> Result<Void, SystemError> {
        Result { () throws(SystemError) in try synchronize() }
    }
}

extension Folder {
    /// Gives a finished file its final name so that it survives the loss of power: the content is
    /// on the disk before the name changes, and the name before `done`.
    ///
    /// - Parameters:
    ///   - file: the open file that is named `name` in this folder.
    ///   - name: its present name.
    ///   - newName: its final name, in this folder; a file of that name is replaced.
    ///   - loop: where `done` runs.
    ///   - done: hears of the first failure; the old name may stay then.
    package func commit(
        _ file: File,
        named name: String,
        as newName: String,
        on loop: EventLoop,
        done: @escaping (Result<Void, SystemError>) -> Void
    ) {
        BackgroundWork.run(
            on: loop,
            { [self] in
                Result { () throws(SystemError) in
                    try file.synchronizeAll()
                    try rename(name, to: newName, durably: true)
                }
            },
            done: done
        )
    }

    /// Writes the file `name` in the background as `replace(_:with:durably:)` does, durably.
    ///
    /// Of two calls for one name that are under way together, either may come last.
    package func replace(
        _ name: String,
        with bytes: [UInt8],
        on loop: EventLoop,
        done: @escaping (Result<Void, SystemError>) -> Void
    ) {
        BackgroundWork.run(
            on: loop,
            { [self] in
                Result { () throws(SystemError) in try replace(name, with: bytes, durably: true) }
            },
            done: done
        )
    }
}
