internal import Libuv

/// The folder that all runs of an exploration work in, and whether any of them kept files there.
///
/// Runs at once that use the same file disturb each other, and then what is found is none of the
/// faults' doing.
struct SharedFolder {
    private let path: String
    private let modified: Int64?
    private let names: Set<String>

    init(_ path: String) {
        self.path = path
        modified = FileSystem.modificationNanoseconds(of: path)
        names = Set(FileSystem.names(in: path))
    }

    /// What to say of files that have come or gone since.
    ///
    /// - Parameter jobs: how many runs may have been at work at once.
    /// - Returns: a line that says what to do; nil if none have.
    func note(jobs: Int) -> String? {
        let now = FileSystem.names(in: path)
        let hasChanged =
            FileSystem.modificationNanoseconds(of: path) != modified || names != Set(now)
        guard jobs > 1, hasChanged else { return nil }
        let made = now.first { !names.contains($0) }
        let example = made.map { ", such as '\($0)'," } ?? ""
        return "files\(example) came or went in the working folder, which up to \(jobs) runs at"
            + " once share; let the command keep its files in {dir}, or use --jobs 1"
    }
}
