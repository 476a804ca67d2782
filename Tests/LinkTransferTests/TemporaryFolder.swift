import Libuv

/// A folder of a test's own, which goes with the test.
final class TemporaryFolder {
    let path: String

    init() throws {
        let name = SecureRandom.bytes(8).map { String($0, radix: 16) }.joined()
        path = "\(FileSystem.currentDirectory)/.build/test-\(name)"
        _ = try Folder.make(path)
    }

    deinit {
        guard let folder = try? Folder(path) else { return }
        Self.empty(folder)
        let (parent, name) = (path.lastIndex(of: "/"), path.split(separator: "/").last)
        guard let parent, let name, let above = try? Folder(String(path[..<parent])) else { return }
        try? above.removeFolder(String(name))
    }

    private static func empty(_ folder: Folder) {
        for entry in (try? folder.entries()) ?? [] {
            guard entry.information.kind == .folder else {
                try? folder.remove(entry.name)
                continue
            }
            if let inner = try? folder.folder(entry.name) { empty(inner) }
            try? folder.removeFolder(entry.name)
        }
    }
}
