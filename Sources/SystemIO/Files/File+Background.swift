internal import CLibuv
internal import CLibrary

// What may wait for the disk, done on libuv's threads. `done` runs on the loop.

extension File {
    /// Writes pieces, one behind the other, on to the place `offset` of the file.
    ///
    /// Nobody may touch these bytes of the buffers until `done`; file and buffers are held until then.
    /// That hears how many bytes were written, and why not all.
    package func write(
        _ pieces: [(buffer: TransferBuffer, range: Range<Int>)],
        at offset: UInt64,
        on loop: EventLoop,
        done: @escaping (_ written: Int, _ failure: SystemError?) -> Void
    ) {
        nonisolated(unsafe) let memory = unsafe pieces.map { piece in
            precondition(piece.range.lowerBound >= 0)
            precondition(piece.range.upperBound <= piece.buffer.capacity)
            return unsafe UnsafeRawBufferPointer(
                start: piece.buffer.start + piece.range.lowerBound,
                count: piece.range.count
            )
        }
        BackgroundWork.run(on: loop) { [self] in
            var written = 0
            for index in unsafe memory.indices {
                let place = offset + UInt64(written)
                let outcome = unsafe Self.put(memory[index], to: descriptor, at: place)
                written += outcome.written
                if outcome.failure != nil { return (written, outcome.failure) }
            }
            return (written, nil)
        } done: { (outcome: (Int, SystemError?)) in
            withExtendedLifetime(pieces) { done(outcome.0, outcome.1) }
        }
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
