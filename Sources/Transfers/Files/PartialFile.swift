package import ResumableClient
internal import SystemIO

/// The file that a download grows in until it is whole: `NAME.part` beside its final name.
///
/// It is locked, so that two downloads to one name do not mix their bytes.
final class PartialFile {
    let place: FilePlace
    let final: FilePlace
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
            throw StorageError("cannot write '\(place.path)': \(error)", .cannotCreate)
        }
        guard Self.isReplaceable(final.name, in: folder) else {
            throw StorageError(
                "'\(final.path)' is no regular file and would be replaced; choose another name, or"
                    + " - for standard output",
                .cannotCreate
            )
        }
        do throws(SystemError) {
            file = try folder.file(place.name, for: .readingAndWriting, creation: .ifMissing)
            guard try file.lock() else { throw .addressInUse }
        } catch {
            if error == .addressInUse {
                throw StorageError("another transfer is writing '\(place.path)'", .cannotCreate)
            }
            throw StorageError("cannot write '\(place.path)': \(error)", .cannotCreate)
        }
    }

    /// A device, pipe, socket or folder has to stay what it is; of a link only the name changes.
    private static func isReplaceable(_ name: String, in folder: Folder) -> Bool {
        guard let kind = try? folder.information(name).kind else { return true }
        return kind == .regular || kind == .symbolicLink
    }

    func information() throws(StorageError) -> FileInformation {
        try storing { () throws(SystemError) in try file.information() }
    }

    /// Tells it from other files that had its name.
    func identity() throws(StorageError) -> FileInformation.Identity { try information().identity }

    /// Whether it still has its name; a system that needs room may have removed it.
    var isInPlace: Bool {
        guard let own = try? identity() else { return false }
        return (try? folder.information(place.name))?.identity == own
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
    func read(into buffer: TransferBuffer, limit: Int, at offset: UInt64) -> SystemIO.TransferResult
    {
        file.read(into: buffer, limit: limit, at: offset)
    }

    /// The SHA-256 of the last 4096 bytes before `offset`, or of all if there are fewer: tells
    /// whether the file still holds what resume data say.
    ///
    /// - Returns: nil if the file is shorter, cannot be read, or `offset` is 0.
    func tail(before offset: UInt64) -> [UInt8]? { Self.tail(of: file, before: offset) }

    static func tail(of file: File, before offset: UInt64) -> [UInt8]? {
        let count = min(offset, tailLength)
        guard count > 0, let bytes = try? file.read(at: offset - count, count: Int(count)),
            bytes.count == Int(count)
        else { return nil }
        return SHA256.digest(bytes)
    }

    private static let tailLength: UInt64 = 4_096

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
                let text = "cannot rename '\(place.path)' to '\(final.path)': \(error)"
                done(StorageError(text, .cannotCreate))
            }
        }
    }

    /// Lets another transfer have the file.
    func release() { file.unlock() }

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

/// What could not be done with a file.
package struct StorageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// For people: which file, and why.
    package let description: String
    package let problem: FileProblem

    package init(_ description: String, _ problem: FileProblem = .cannotWrite) {
        self.description = description
        self.problem = problem
    }

    /// Why a transfer failed because of it.
    var reason: TransferFailure.Reason { .storage(description, problem) }
}
