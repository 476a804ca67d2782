internal import SystemIO
internal import Trials

/// The folders of the runs of a campaign: one for each, gone with it unless it is worth keeping.
final class RunFolders {
    private let root: Folder
    private let path: String
    /// Of folders that go with the campaign: what they are in, and its name.
    private let temporary: (parent: Folder, name: String)?

    /// - Throws: `folder`, in words.
    init(_ settings: RunnerSettings) throws(SandboxError) {
        if let kept = settings.traceFolder {
            path = kept
            temporary = nil
            root = try Self.use(kept, hint: "name another one for the traces") {
                () throws(SystemError) in try Folder.make(kept)
            }
            return
        }
        let mark = SecureRandom.bytes(8).map { String($0, radix: 36) }.joined()
        let name = "linkcond-explore-\(mark)"
        let parentPath = settings.temporaryFolder
        let hint = "set TMPDIR to one that can be written"
        let parent = try Self.use(parentPath, hint: hint) {
            () throws(SystemError) in try Folder(parentPath)
        }
        root = try Self.use(parentPath, hint: hint) {
            () throws(SystemError) in try parent.makeFolder(name, permissions: 0o700)
        }
        path = "\(parentPath)/\(name)"
        temporary = (parent, name)
    }

    private static func use(
        _ path: String,
        hint: String,
        _ open: () throws(SystemError) -> Folder
    ) throws(SandboxError) -> Folder {
        do throws(SystemError) {
            return try open()
        } catch {
            throw SandboxError(.folder, "cannot use the folder '\(path)': \(error); \(hint)")
        }
    }

    /// Makes the folder of a run, and answers its absolute path.
    func make(_ number: Int) throws(SandboxError) -> String {
        // Of an earlier exploration that kept its traces in the same place.
        remove(number)
        do throws(SystemError) {
            _ = try root.makeFolder("\(number)", permissions: 0o700)
            return "\(path)/\(number)"
        } catch {
            throw SandboxError(.folder, "cannot make a folder in '\(path)': \(error)")
        }
    }

    /// Keeps or removes the folder of a run that ended.
    ///
    /// - Returns: where it is; nil if it is gone.
    func finish(_ number: Int, isWorthKeeping: Bool) -> String? {
        guard isWorthKeeping else {
            remove(number)
            return nil
        }
        return "\(path)/\(number)"
    }

    /// The folder in one in which the embedded origin keeps what was sent, for a second start.
    static let uploadsName = ".linkcond-uploads"

    /// The file in a kept folder that holds the run's journal.
    static let journalName = "journal.jsonl"

    /// Writes a run's journal beside what its client left; a full disk must not end an exploration.
    func keep(_ records: [UInt8], of number: Int) {
        try? root.folder("\(number)").replace(Self.journalName, with: records, durably: false)
    }

    func remove(_ number: Int) { try? root.removeTree("\(number)") }

    func close() { try? temporary?.parent.removeTree(temporary?.name ?? "") }
}
