internal import Arguments
internal import Basics
internal import LinkProfile
internal import SystemIO
internal import Transfers

/// A file that is written at the end of a run: whether that will be possible shows at its beginning.
enum OutputPlace {
    /// Refuses one file for two things, of which the second would overwrite the first.
    static func requireDistinct(
        _ one: (option: String, path: String?),
        _ other: (option: String, path: String?)
    ) throws(Failure) {
        guard let path = one.path, let second = other.path,
            ProfileLibrary.plainPath(path) == ProfileLibrary.plainPath(second)
        else { return }
        throw Failure(
            .usage,
            "\(one.option) and \(other.option) both name '\(path)'; use different files"
        )
    }

    /// Checks that a file can be created or overwritten, without doing so.
    ///
    /// A device or a pipe is left to its first use: opening it may have an effect.
    ///
    /// - Throws: `cannotCreate`.
    static func checkWritable(_ path: String, _ what: String) throws(Failure) {
        guard FileSystem.isFile(path) else { return try check(path, what) }
        let isRegular = FileSystem.identity(of: path) != nil
        guard isRegular else { return }
        do throws(SystemError) {
            _ = try File(path, for: .writing, creation: .ifMissing)
        } catch {
            throw Failure(.cannotCreate, "cannot write \(what) to '\(path)': \(error)")
        }
    }

    /// Makes and removes a file beside it.
    ///
    /// - Parameters:
    ///   - path: of the file.
    ///   - what: it is, for the message.
    /// - Throws: `cannotCreate`.
    static func check(_ path: String, _ what: String) throws(Failure) {
        guard let place = FilePlace(path), !FileSystem.isDirectory(path) else {
            throw Failure(
                .cannotCreate,
                "cannot write \(what) to '\(path)': it is a folder; name a file"
            )
        }
        let probe = ".linkcond-\(HexadecimalText.encode(SecureRandom.bytes(8)))"
        do throws(SystemError) {
            let folder = try place.openFolder()
            _ = try folder.file(probe, for: .writing, creation: .mustNotExist)
            try folder.remove(probe)
        } catch {
            throw Failure(
                .cannotCreate,
                "cannot write \(what) to '\(path)': \(error); choose a folder that can be written"
            )
        }
    }
}
