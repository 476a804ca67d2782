import Foundation
import Testing

@testable import CommandLineTool

@Suite struct SharedFolderTests {
    private let path: String

    init() throws {
        path = NSTemporaryDirectory() + "linkcond-shared-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// As it is before the runs; some systems tell changes within a few milliseconds by the same time.
    private func folder() throws -> SharedFolder {
        let past = Date(timeIntervalSinceNow: -60)
        try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: path)
        return SharedFolder(path)
    }

    private func write(_ name: String) throws {
        try Data("x".utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
    }

    @Test func `what stays as it is, and what is only written to, says nothing`() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try write("a")
        let folder = try folder()
        #expect(folder.note(jobs: 4) == nil)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: "\(path)/a"))
        try file.write(contentsOf: Data("yy".utf8))
        try file.close()
        #expect(folder.note(jobs: 4) == nil)
    }

    @Test func `what came is named, and what came and went is noticed`() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        try write("a")
        let folder = try folder()
        try write("b.resume")
        let note = try #require(folder.note(jobs: 4))
        #expect(note.hasPrefix("files, such as 'b.resume', came or went in the working folder"))
        #expect(note.contains("up to 4 runs at once") && note.contains("{dir}"))
        try FileManager.default.removeItem(atPath: "\(path)/b.resume")
        #expect(folder.note(jobs: 4)?.hasPrefix("files came or went") == true)
        // One after the other they may go on where the one before has ended.
        #expect(folder.note(jobs: 1) == nil)
    }

    @Test func `a folder that is gone says nothing`() {
        try? FileManager.default.removeItem(atPath: path)
        #expect(SharedFolder(path).note(jobs: 4) == nil)
    }
}
