import SystemIO
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

    @Test func `what is no regular file is written into, and stays`() throws {
        #expect(FileSystem.identity(of: "/dev/null") == nil)
        try FileSystem.replace("/dev/null", with: [1, 2, 3])
        FileSystem.removeFormer("/dev/null")
        #expect(try FileSystem.read("/dev/null", limit: 10).isEmpty)
        #expect(!FileSystem.isPipe("/dev/null"))
        let path = Self.path("former")
        try FileSystem.replace(path, with: [1])
        FileSystem.removeFormer(path)
        #expect(!FileSystem.isFile(path))
    }

    @Test func `a file is the same by all its names`() throws {
        let path = Self.path("identity")
        try FileSystem.replace(path, with: [1])
        let identity = try #require(FileSystem.identity(of: path))
        let folder = FileSystem.currentDirectory
        #expect(
            FileSystem.identity(of: "\(folder)/./.build/../\(path.dropFirst(folder.count))")
                == identity
        )
        try FileSystem.replace(path + "-other", with: [1])
        #expect(FileSystem.identity(of: path + "-other") != identity)
        FileSystem.remove(path)
        FileSystem.remove(path + "-other")
        #expect(FileSystem.identity(of: path) == nil)
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
