internal import Libuv
internal import Transfer

/// A file that is written at the end of a run: whether that will be possible shows at its beginning.
enum OutputPlace {
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
