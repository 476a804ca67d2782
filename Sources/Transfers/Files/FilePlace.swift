package import SystemIO

/// A file by its folder and its name there.
package struct FilePlace: Hashable, Sendable {
    /// As it was given; `.` for the working folder.
    package let folder: String
    package let name: String

    /// nil for a path that ends in no name.
    package init?(_ path: String) {
        // By bytes, as the system does it: a combining mark after a slash makes another character.
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            guard Self.isName(path) else { return nil }
            folder = "."
            name = path
            return
        }
        let last = String(Substring(path.utf8[path.utf8.index(after: slash)...]))
        guard Self.isName(last) else { return nil }
        folder = slash == path.startIndex ? "/" : String(Substring(path.utf8[..<slash]))
        name = last
    }

    package init(folder: String, name: String) {
        self.folder = folder
        self.name = name
    }

    package var path: String {
        folder == "." ? name : folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }

    /// The file beside it whose name has this at its end.
    package func appending(_ suffix: String) -> FilePlace {
        FilePlace(folder: folder, name: name + suffix)
    }

    package func openFolder() throws(SystemError) -> Folder { try Folder(folder) }

    /// Takes the file, which is made if it is missing, for this process; nil if another one has it.
    ///
    /// It is given back when what is returned goes, or the process ends by whatever cause.
    package func lock() throws(StorageError) -> File? {
        do throws(SystemError) {
            let file = try openFolder().file(
                name,
                for: .writing,
                creation: .ifMissing,
                permissions: 0o600
            )
            return try file.lock() ? file : nil
        } catch {
            throw StorageError("cannot lock '\(path)': \(error)")
        }
    }

    /// Removes the file if it is there.
    package func remove() { try? openFolder().remove(name) }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text != "." && text != ".." && !text.utf8.contains(UInt8(ascii: "/"))
    }
}
