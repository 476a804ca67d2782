import Basics
import CLibrary
import TestSupport
import Testing

@testable import SystemIO

@Suite struct FolderTests {
    private let temporary: TemporaryFolder
    private let root: Folder

    /// A tree with links of all kinds; what must not be reached lies beside it.
    init() throws {
        temporary = try TemporaryFolder()
        let path = temporary.path
        let above = try Folder(path)
        for name in ["secret", "\u{308}secret"] {
            try above.replace(name, with: [0xFF], durably: false)
        }
        root = try Folder.make("\(path)/root/")
        try Folder.make("\(path)/root/a/b").replace("deep", with: [2], durably: false)
        try root.replace("file", with: [1], durably: false)
        let links = [
            ("link", "file"), ("a/up", "../file"), ("a/b/far", "../../a/../file"),
            ("folder", "a/b"), ("out", "../secret"), ("a/out", "../../secret"),
            ("absolute", "\(path)/secret"), ("inside", "\(path)/root/file"), ("loop", "loop"),
            ("dangling", "missing"), ("outside", ".."), ("proc", "/proc/self/root"),
        ]
        for (name, target) in links {
            unsafe #expect(symlink(target, "\(path)/root/\(name)") == 0, "\(name)")
        }
    }

    /// What is at a path, by both ways of looking up.
    private func find(_ path: String, flags: CInt = O_RDONLY | O_CLOEXEC) -> [String] {
        [root.openBeneath, root.openStepwise].map { look in
            do throws(SystemError) {
                let file = try File(checking: try look(path, flags, 0o600))
                return "\(try file.read(at: 0, count: 9))"
            } catch {
                return "\(error.code)"
            }
        }
    }

    @Test(arguments: [
        ("file", "[1]"), ("a/b/deep", "[2]"), ("./a/./b//deep", "[2]"), ("a/../file", "[1]"),
        ("link", "[1]"), ("a/up", "[1]"), ("a/b/far", "[1]"), ("folder/deep", "[2]"),
        ("folder/../up", "[1]"),
    ])
    func `a path and its links are followed below the folder`(path: String, content: String) {
        #expect(find(path) == [content, content])
    }

    @Test(arguments: [
        ("../secret", EXDEV), ("a/../../secret", EXDEV), ("out", EXDEV), ("a/out", EXDEV),
        ("absolute", EXDEV), ("inside", EXDEV), ("/etc/passwd", EXDEV), ("outside/secret", EXDEV),
        ("proc/etc/passwd", EXDEV), ("..", EXDEV), ("", ENOENT), ("missing", ENOENT),
        ("dangling", ENOENT), ("loop", ELOOP), ("file/x", ENOTDIR), ("file/", ENOTDIR),
        // With the slash before it the mark makes one character, which is no slash.
        ("outside/\u{308}secret", EXDEV), ("a", EISDIR), ("a/", EISDIR), ("a/..", EISDIR),
        ("folder", EISDIR),
    ])
    func `what is not a file below the folder is not opened`(path: String, code: CInt) {
        #expect(find(path) == ["\(code)", "\(code)"])
    }

    @Test func `a folder below is opened, one outside is not`() throws {
        #expect(try root.folder("folder").entries().map(\.name) == ["deep", "far"])
        #expect(throws: SystemError.leavesFolder) { try root.folder("outside") }
        #expect(throws: SystemError.self) { try root.folder("file") }
        let new = try root.makeFolder("new")
        #expect(try root.makeFolder("new").entries().isEmpty && new.entries().isEmpty)
        try root.removeFolder("new")
    }

    @Test func `a file is made below the folder only`() throws {
        _ = try root.file("a/new", for: .writing, creation: .mustNotExist)
        #expect(throws: SystemError.leavesFolder) {
            try root.file("../new", for: .writing, creation: .mustNotExist)
        }
        for (number, look) in [root.openBeneath, root.openStepwise].enumerated() {
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
            close(try look("a/made\(number)", flags, 0o600))
            #expect(throws: SystemError.alreadyExists) { try look("a/made\(number)", flags, 0o600) }
        }
    }

    @Test func `entries come in order with kind, size and time`() throws {
        let entries = try root.entries()
        #expect(entries.map(\.name) == entries.map(\.name).sorted())
        let file = try #require(entries.first { $0.name == "file" })
        #expect(file.information.size == 1 && file.information.kind == .regular)
        #expect(file.information.modified > .seconds(1_600_000_000))
        #expect(entries.first { $0.name == "a" }?.information.kind == .folder)
        #expect(entries.first { $0.name == "link" }?.information.kind == .symbolicLink)
        #expect(try root.entries(limit: 2).count == 2)
        #expect(try root.information("file") == file.information)
    }

    @Test func `renaming and removing take names, not paths`() throws {
        try root.replace("one", with: [3])
        try root.rename("one", to: "two", durably: true)
        #expect(try root.file("two", for: .reading).read(at: 0, count: 9) == [3])
        try root.replace("two", with: [4])
        #expect(try root.file("two", for: .reading).read(at: 0, count: 9) == [4])
        try root.remove("two")
        for name in ["../secret", "a/up", "a/\u{308}up", "..", ".", "", "file\0"] {
            #expect(throws: SystemError.noSuchFile) { try root.remove(name) }
            #expect(throws: SystemError.noSuchFile) { try root.rename("file", to: name) }
            #expect(throws: SystemError.noSuchFile) { try root.replace(name, with: []) }
        }
        #expect(throws: SystemError.noSuchFile) { try root.remove("two") }
        #expect(try !root.entries().contains { $0.name.hasSuffix(".tmp") })
    }

    @Test func `a second name is never taken from another file`() throws {
        let other = try root.folder("a")
        try root.link("file", to: "second", in: other)
        let identity = try root.information("file").identity
        #expect(try other.information("second").identity == identity)
        #expect(throws: SystemError.alreadyExists) {
            try root.link("file", to: "second", in: other)
        }
        try root.remove("file")
        #expect(try other.file("second", for: .reading).read(at: 0, count: 9) == [1])
        for name in ["../x", "b/x", "..", "", "x\0"] {
            #expect(throws: SystemError.noSuchFile) {
                try other.link("second", to: name, in: root)
            }
            #expect(throws: SystemError.noSuchFile) {
                try other.link(name, to: "third", in: root)
            }
        }
    }

    @Test func `free space is known`() throws {
        #expect(try root.freeBytes() > 0)
        try root.synchronize()
    }
}
