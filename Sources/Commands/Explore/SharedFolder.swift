internal import Basics
internal import Journal
internal import SystemIO

/// The folder that all runs of an exploration work in, and whether any of them kept files there.
///
/// Runs at once that use the same file disturb each other, and then what is found is none of the
/// faults' doing.
struct SharedFolder {
    private let path: String
    /// Files that linkcond itself writes to.
    private let own: Set<FileIdentity>
    private let modified: Duration?
    private let entries: [String: Duration]

    /// Of a folder with more entries the rest is not looked at.
    private static let entryLimit = 4_096

    /// - Parameters:
    ///   - path: of the folder.
    ///   - outputs: files that may be in it and change by linkcond's own doing.
    init(_ path: String, outputs: [String]) {
        self.path = path
        own = Set(outputs.compactMap { FileSystem.identity(of: $0) })
        modified = FileSystem.modificationTime(of: path)
        entries = Self.entries(of: path, without: own)
    }

    /// What is in a folder, and when each file's content or each folder's list of names last changed.
    private static func entries(
        of path: String,
        without own: Set<FileIdentity>
    ) -> [String: Duration] {
        var entries: [String: Duration] = [:]
        for name in FileSystem.names(in: path).prefix(entryLimit) {
            let place = "\(path)/\(name)"
            if let identity = FileSystem.identity(of: place), own.contains(identity) { continue }
            entries[name] = FileSystem.modificationTime(of: place) ?? .zero
        }
        return entries
    }

    /// Why runs at once cannot be told apart: a file that came or changed, which their command names.
    ///
    /// - Parameters:
    ///   - words: the command's.
    ///   - jobs: how many runs may have been at work at once.
    /// - Returns: what to do about it; nil if there is nothing of the kind.
    func sharedOutput(of words: [String], jobs: Int) -> String? {
        guard jobs > 1 else { return nil }
        let now = Self.entries(of: path, without: own)
        let changed = now.filter { entries[$0.key] != $0.value }
        let named = words.flatMap { $0.split { $0 == " " || $0 == "=" } }.first { word in
            let place = word.hasPrefix("./") ? word.dropFirst(2) : word
            return changed[String(place)] != nil
        }
        return named.map { word in
            let file = PrintableText.escaped(String(word))
            return "all runs write '\(file)', and up to \(jobs) run at once; write {out} instead of"
                + " it, or {dir}/\(file), so that each run has its own, or use --jobs 1"
        }
    }

    /// What to say of files that have come, gone or changed since.
    ///
    /// - Parameter jobs: how many runs may have been at work at once.
    /// - Returns: a line that says what to do; nil if none have.
    func warning(jobs: Int) -> String? {
        let now = Self.entries(of: path, without: own)
        let hasChanged =
            FileSystem.modificationTime(of: path) != modified || entries != now
        guard jobs > 1, hasChanged else { return nil }
        let changed = now.filter { entries[$0.key] != $0.value }.keys.min()
        let example = changed.map { ", such as '\(PrintableText.escaped($0))'," } ?? ""
        return "files\(example) came, went or changed in the working folder, which up to \(jobs)"
            + " runs at once share; if they are the command's, let it keep them in {dir}, or use"
            + " --jobs 1"
    }
}
