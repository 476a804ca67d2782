import CLibrary
import SystemIO
import Testing
import TestSupport

@Suite struct FolderRemovalTests {
    private func make(_ path: String) throws -> Folder { try Folder.make(path) }

    @Test func `a folder goes with everything in it, and links are not followed`() throws {
        let temporary = try TemporaryFolder()
        let root = try Folder(temporary.path)
        let outside = try root.makeFolder("outside")
        try outside.replace("file", with: [1])
        let deep = try make("\(temporary.path)/tree/a/b/c")
        try deep.replace("file", with: [1])
        #expect(unsafe symlink("\(temporary.path)/outside", "\(temporary.path)/tree/a/link") == 0)
        #expect(unsafe symlink("/nonexistent", "\(temporary.path)/tree/broken") == 0)
        #expect(unsafe mkfifo("\(temporary.path)/tree/pipe", 0o600) == 0)
        try root.removeTree("tree")
        #expect(try root.entries().map(\.name) == ["outside"])
        #expect(try outside.entries().map(\.name) == ["file"])
    }

    @Test func `folders that forbid it are made to allow it`() throws {
        let temporary = try TemporaryFolder()
        let root = try Folder(temporary.path)
        let inner = try make("\(temporary.path)/tree/closed/inner")
        try inner.replace("file", with: [1])
        #expect(unsafe chmod("\(temporary.path)/tree/closed/inner", 0o500) == 0)
        #expect(unsafe chmod("\(temporary.path)/tree/closed", 0) == 0)
        try root.removeTree("tree")
        #expect(try root.entries().isEmpty)
    }

    @Test func `what is not there is gone already; a file is not a tree`() throws {
        let temporary = try TemporaryFolder()
        let root = try Folder(temporary.path)
        try root.removeTree("none")
        try root.replace("file", with: [1])
        #expect(throws: SystemError.self) { try root.removeTree("file") }
        #expect(throws: SystemError.noSuchFile) { try root.removeTree("..") }
        #expect(throws: SystemError.noSuchFile) { try root.removeTree("a/b") }
        #expect(try root.entries().map(\.name) == ["file"])
    }
}
