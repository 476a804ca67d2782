internal import Libuv
internal import ResumableUpload

/// The file that a download grows in until it is whole: `NAME.part` beside its final name.
///
/// It is locked, so that two downloads to one name do not mix their bytes.
final class PartialFile {
    let place: FilePlace
    private let final: FilePlace
    private let folder: Folder
    private let file: File

    /// What ends the name of a file that is not whole.
    static let suffix = ".part"

    /// Opens or makes the partial file of `final`.
    init(of final: FilePlace) throws(StorageError) {
        self.final = final
        place = final.appending(Self.suffix)
        do throws(SystemError) {
            folder = try final.openFolder()
        } catch {
            throw StorageError("cannot write '\(place.path)': \(error)")
        }
        guard Self.isReplaceable(final.name, in: folder) else {
            throw StorageError(
                "'\(final.path)' is no regular file and would be replaced; choose another name, or"
                    + " - for standard output"
            )
        }
        do throws(SystemError) {
            file = try folder.file(place.name, for: .readingAndWriting, creation: .ifMissing)
            guard try file.lock() else { throw .addressInUse }
        } catch {
            if error == .addressInUse {
                throw StorageError("another transfer is writing '\(place.path)'")
            }
            throw StorageError("cannot write '\(place.path)': \(error)")
        }
    }

    /// A device, pipe, socket or folder has to stay what it is; of a link only the name changes.
    private static func isReplaceable(_ name: String, in folder: Folder) -> Bool {
        guard let kind = try? folder.information(name).kind else { return true }
        return kind == .regular || kind == .symbolicLink
    }

    /// Tells it from other files that had its name.
    func identity() throws(StorageError) -> FileInformation.Identity {
        try storing { () throws(SystemError) in try file.information().identity }
    }

    func size() throws(StorageError) -> UInt64 {
        try storing { () throws(SystemError) in try file.size() }
    }

    func truncate(to size: UInt64) throws(StorageError) {
        try storing { () throws(SystemError) in try file.truncate(to: size) }
    }

    /// Asks for room for so many bytes, so that a full disk is known at the beginning.
    func reserve(from offset: UInt64, to end: UInt64) throws(StorageError) {
        try storing { () throws(SystemError) in
            try file.reserve(from: offset, count: end > offset ? end - offset : 0)
        }
    }

    func write(_ buffer: TransferBuffer, _ range: Range<Int>, at offset: UInt64)
        throws(StorageError)
    {
        try storing { () throws(SystemError) in
            try file.write(buffer, from: range.lowerBound, count: range.count, at: offset)
        }
    }

    /// Reads for a digest.
    func read(into buffer: TransferBuffer, limit: Int, at offset: UInt64) -> Libuv.TransferResult {
        file.read(into: buffer, limit: limit, at: offset)
    }

    /// Waits in the background until what was written is on the disk.
    func synchronize(on loop: EventLoop, done: @escaping (Bool) -> Void) {
        file.synchronize(on: loop) { result in
            if case .success = result { done(true) } else { done(false) }
        }
    }

    /// Gives it its final name, in the background.
    func commit(on loop: EventLoop, done: @escaping (StorageError?) -> Void) {
        let (place, final) = (place, final)
        folder.commit(file, named: place.name, as: final.name, on: loop) { result in
            switch result {
            case .success: done(nil)
            case .failure(let error):
                done(StorageError("cannot name '\(place.path)' '\(final.path)': \(error)"))
            }
        }
    }

    func remove() { try? folder.remove(place.name) }

    private func storing<Value>(
        _ body: () throws(SystemError) -> Value
    ) throws(StorageError) -> Value {
        do throws(SystemError) {
            return try body()
        } catch {
            guard error.isOutOfSpace else {
                throw StorageError("cannot write '\(place.path)': \(error)")
            }
            throw StorageError(
                "there is no room for '\(place.path)' (\(error)); make some, then go on"
            )
        }
    }
}

/// What a file could not do, for people.
package struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
