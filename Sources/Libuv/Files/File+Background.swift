internal import CLibuv
internal import Glibc

// What may wait for the disk, done on libuv's threads. `done` runs on the loop.

extension File {
    /// What a write in the background does once the bytes are written.
    package enum Afterwards: Hashable, Sendable {
        case nothing
        /// Waits until the bytes are on the disk, so that they survive the loss of power.
        case synchronize
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
        let descriptor = descriptor
        BackgroundWork.run(on: loop) {
            if let failure = unsafe Self.failure(writing: bytes, to: descriptor, at: offset) {
                return Result.failure(failure)
            }
            return afterwards == .synchronize ? Self.synchronize(descriptor) : .success(())
        } done: { result in
            withExtendedLifetime((self, buffer)) { done(result) }
        }
    }

    /// Waits in the background until the content is on the disk.
    package func synchronize(
        on loop: EventLoop,
        done: @escaping (Result<Void, SystemError>) -> Void
    ) {
        let descriptor = descriptor
        BackgroundWork.run(on: loop) {
            Self.synchronize(descriptor)
        } done: { result in
            withExtendedLifetime(self) { done(result) }
        }
    }

    private static func synchronize(_ descriptor: CInt) -> Result<Void, SystemError> {
        fdatasync(descriptor) == 0 ? .success(()) : .failure(.last)
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
        let (folder, content) = (descriptor, file.descriptor)
        BackgroundWork.run(on: loop) {
            guard fsync(content) == 0 else { return Result.failure(.last) }
            return Self.rename(name, to: newName, in: folder, durably: true)
        } done: { result in
            withExtendedLifetime((self, file)) { done(result) }
        }
    }
}
