import Libuv
import Testing

@Suite struct FileSystemTests {
    private static func path(_ name: String) -> String {
        "\(FileSystem.currentDirectory)/.build/\(name)-\(CurrentProcess.identifier)"
    }

    @Test func `a file is replaced whole`() throws {
        let path = Self.path("replace")
        try FileSystem.replace(path, with: [1, 2, 3])
        try FileSystem.replace(path, with: [4])
        #expect(try FileSystem.read(path, limit: 10) == [4])
        #expect(FileSystem.isFile(path) && !FileSystem.isDirectory(path))
        FileSystem.remove(path)
        #expect(!FileSystem.isFile(path))
    }

    @Test func `a file longer than the limit is refused`() throws {
        let path = Self.path("long")
        try FileSystem.replace(path, with: Array(repeating: 0, count: 11))
        #expect(throws: SystemError.fileTooLarge) { try FileSystem.read(path, limit: 10) }
        #expect(try FileSystem.read(path, limit: 11).count == 11)
        FileSystem.remove(path)
    }

    @Test func `a file that is not there is told from one that cannot be read`() throws {
        let missing = try #require(throws: SystemError.self) {
            try FileSystem.read("/nonexistent/file", limit: 1)
        }
        #expect(missing.isMissingFile)
        let folder = try #require(throws: SystemError.self) {
            try FileSystem.read("/", limit: 1)
        }
        #expect(!folder.isMissingFile)
    }

    @Test func `the names of a folder are in order`() {
        let names = FileSystem.names(in: "/")
        #expect(names.contains("etc") && names == names.sorted())
        #expect(FileSystem.names(in: "/nonexistent").isEmpty)
    }
}
