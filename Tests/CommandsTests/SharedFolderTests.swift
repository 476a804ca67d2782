import Foundation
import Testing

@testable import Commands

@Suite struct SharedFolderTests {
    private let path: String

    init() throws {
        path = NSTemporaryDirectory() + "linkcond-shared-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// As it is before the runs; some systems tell changes within a few milliseconds by the same time.
    private func folder(outputs: [String] = []) throws -> SharedFolder {
        let past = [FileAttributeKey.modificationDate: Date(timeIntervalSinceNow: -60)]
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        for name in names + [""] {
            try FileManager.default.setAttributes(past, ofItemAtPath: "\(path)/\(name)")
        }
        return SharedFolder(path, outputs: outputs)
    }

    private func write(_ name: String) throws {
        try Data("x".utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }

    @Test func `what stays as it is says nothing`() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try write("a")
        let folder = try folder()
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(path)/a")).count == 1)
        #expect(folder.warning(jobs: 4) == nil)
    }

    @Test func `what came is named, and what came and went is noticed`() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try write("a")
        let folder = try folder()
        try write("b.resume")
        let note = try #require(folder.warning(jobs: 4))
        #expect(note.hasPrefix("files, such as 'b.resume', came, went or changed in the working"))
        #expect(note.contains("up to 4 runs at once") && note.contains("{dir}"))
        try FileManager.default.removeItem(atPath: "\(path)/b.resume")
        #expect(folder.warning(jobs: 4)?.hasPrefix("files came") == true)
        // One after the other they may go on where the one before has ended.
        #expect(folder.warning(jobs: 1) == nil)
    }

    @Test(arguments: ["state", "sub/lock"])
    func `what is used again is named, too`(name: String) throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try FileManager.default.createDirectory(
            atPath: "\(path)/sub",
            withIntermediateDirectories: true
        )
        try write("state")
        let folder = try folder()
        try write(name)
        let first = name.split(separator: "/")[0]
        #expect(folder.warning(jobs: 4)?.hasPrefix("files, such as '\(first)', came") == true)
    }

    @Test(arguments: [
        (["curl", "-o", "b", "{url}"], true), (["curl", "--output=b"], true),
        (["sh", "-c", "curl -o ./b {url}"], true), (["curl", "-o", "{out}"], false),
        (["curl", "-T", "a"], false),
    ])
    func `a file that the command names and writes is told with the cure`(
        words: [String],
        isShared: Bool
    ) throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try write("a")
        let folder = try folder()
        try write("b")
        let reason = folder.sharedOutput(of: words, jobs: 4)
        #expect((reason != nil) == isShared)
        if let reason { #expect(reason.contains("write {out} instead of it, or {dir}/")) }
        #expect(folder.sharedOutput(of: words, jobs: 1) == nil)
    }

    @Test func `what linkcond writes itself says nothing`() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try write("report")
        let folder = try folder(outputs: ["\(path)/report", "\(path)/gone"])
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(path)/report"))
        try file.write(contentsOf: Data("yy".utf8))
        try file.close()
        #expect(folder.warning(jobs: 4) == nil)
    }

    @Test func `a folder that is gone says nothing`() {
        try? FileManager.default.removeItem(atPath: path)
        #expect(SharedFolder(path, outputs: []).warning(jobs: 4) == nil)
    }
}
