internal import SystemIO

/// A folder of a test's own, which goes with the test.
package final class TemporaryFolder {
    package let path: String

    package init() throws {
        let name = SecureRandom.bytes(8).map { String($0, radix: 16) }.joined()
        path = "\(FileSystem.currentDirectory)/.build/test-\(name)"
        _ = try Folder.make(path)
    }

    deinit {
        guard let slash = path.lastIndex(of: "/") else { return }
        try? Folder(String(path[..<slash])).removeTree(String(path[path.index(after: slash)...]))
    }
}
