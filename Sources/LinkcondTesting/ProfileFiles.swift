internal import LinkProfile
internal import SystemIO

/// Built-in profiles by name, and files by path.
enum ProfileFiles {
    /// A trace of four million lines fits.
    private static let limit = 64 << 20

    static var library: ProfileLibrary {
        ProfileLibrary(find: { _ throws(UnreadableFile) in nil }) {
            path,
            file throws(UnreadableFile) in
            let place = resolve(path, from: file)
            do throws(SystemError) {
                let found = try File(place, for: .reading)
                let size = try found.size()
                guard size <= limit else { throw .fileTooLarge }
                return ProfileText(file: place, bytes: try found.read(at: 0, count: Int(size)))
            } catch {
                throw UnreadableFile(reason: error.description)
            }
        }
    }

    /// A relative path in a file is relative to that file.
    private static func resolve(_ path: String, from file: String?) -> String {
        guard !path.hasPrefix("/"), let file, let slash = file.lastIndex(of: "/") else {
            return path
        }
        return file[...slash] + path
    }
}
