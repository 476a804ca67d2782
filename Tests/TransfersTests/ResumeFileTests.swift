import Basics
import Foundation
import HTTPWire
import SystemIO
import ResumableClient
import TestSupport
import Testing

@testable import Transfers

/// The file from which a transfer goes on.
@Suite struct ResumeFileTests {
    private static func download() throws -> ResumeFile {
        var description = TransferDescription(.download, try HTTPURL("http://a/b"), file: "b")
        description.fields = ["X": "y"]
        return ResumeFile(
            description,
            .download(
                DownloadResumption(
                    address: try HTTPURL("http://a/b"),
                    final: try HTTPURL("http://c/d"),
                    validator: .lastModified("Sat, 21 Nov 2026 20:00:00 GMT"),
                    stored: 12,
                    size: 34,
                    contentCoding: "br",
                    file: "b.part",
                    fields: description.fields
                )
            ),
            boot: "boot"
        )
    }

    private static func upload() throws -> ResumeFile {
        let description = try DescriptionTextTests.full()
        return ResumeFile(
            description,
            .upload(
                UploadResumption(
                    target: description.address,
                    method: "PUT",
                    resource: try HTTPURL("https://[::1]:8443/u/1"),
                    dialect: .tus,
                    acknowledged: 5,
                    source: SourceIdentity(size: 9, modified: .nanoseconds(-1), digestPrefix: "ab"),
                    file: "/tmp/ä",
                    fields: description.fields
                )
            )
        )
    }

    @Test func `resume data are read back as they were`() throws {
        var kept = try Self.download()
        kept.partial = FileInformation.Identity(device: .max, number: 7)
        for file in [try Self.download(), try Self.upload(), kept] {
            #expect(try ResumeFile(file.bytes) == file)
        }
    }

    @Test func `a file cut at any byte is refused in one line`() throws {
        let bytes = try Self.upload().bytes
        for count in stride(from: 0, to: bytes.count - 2, by: 7) {
            let error = #expect(throws: RecordError.self) { try ResumeFile(Array(bytes[..<count])) }
            #expect(error?.description.contains("\n") == false)
        }
    }

    @Test(arguments: [
        ("\"stored\":12", "\"stored\":35", "'stored' has to be at most 'size'"),
        ("\"lastModified\":", "\"etag\":\"W/\\\"a\\\"\",\"x\":", "a strong entity tag"),
    ])
    func `what cannot be true is refused`(old: String, new: String, message: String) throws {
        let text = String(decoding: try Self.download().bytes, as: UTF8.self)
        let wrong = text.replacing(old, with: new)
        #expect(wrong != text)
        let error = #expect(throws: RecordError.self) { try ResumeFile(Array(wrong.utf8)) }
        #expect(error?.description.contains(message) == true, "\(String(describing: error))")
        let upload = String(decoding: try Self.upload().bytes, as: UTF8.self)
            .replacing("\"acknowledged\":5", with: "\"acknowledged\":10")
        #expect(throws: RecordError.self) { try ResumeFile(Array(upload.utf8)) }
    }

    @Test func `another version and another file are told apart`() throws {
        let text = String(decoding: try Self.download().bytes, as: UTF8.self)
        let later = Array(text.replacing("\"v\":1", with: "\"v\":2").utf8)
        #expect(throws: RecordError("version 2 of resume data is not known; this is version 1")) {
            try ResumeFile(later)
        }
        #expect(throws: RecordError("this is no resume data of linkcond")) {
            try ResumeFile(Array("{\"a\":1}".utf8))
        }
    }

    @Test func `what is shown of resume data holds no credentials`() throws {
        let file = try Self.upload()
        var shown: [UInt8] = []
        ResumeFile.state(file.data).write(to: &shown)
        #expect(!String(decoding: shown, as: UTF8.self).contains("Bearer"))
    }

    @Test func `the file is for its owner only, and goes away`() throws {
        let folder = try TemporaryFolder()
        let place = try #require(FilePlace("\(folder.path)/x.resume"))
        let store = ResumeStore(place)
        #expect(try store.load() == nil)
        let file = try Self.download()
        try store.save(file, durably: true)
        #expect(try store.load() == file)
        #expect(try Folder(folder.path).entries().map(\.name) == ["x.resume"])
        let attributes = try FileManager.default.attributesOfItem(atPath: place.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        // As a crash in the middle of a save leaves it.
        try Folder(folder.path).replace(".x.resume.tmp", with: [1], durably: false)
        store.remove()
        #expect(try store.load() == nil)
        #expect(try Folder(folder.path).entries().isEmpty)
    }

    @Test func `a file up to a mebibyte is read, a longer one is none of ours`() throws {
        let folder = try TemporaryFolder()
        let place = try #require(FilePlace("\(folder.path)/x.resume"))
        let file = try Self.download()
        let spaces = [UInt8](repeating: 0x20, count: ResumeFile.sizeLimit - file.bytes.count)
        try FileSystem.replace(place.path, with: spaces + file.bytes)
        #expect(try ResumeStore(place).load() == file)
        try FileSystem.replace(place.path, with: spaces + [0x20] + file.bytes)
        #expect(throws: RecordError.self) { try ResumeStore(place).load() }
    }

    @Test(arguments: [
        ("a", ".", "a"), ("/a", "/", "a"), ("b/a", "b", "a"), ("/c/b/a", "/c/b", "a"),
    ])
    func `a path has a folder and a name`(path: String, folder: String, name: String) throws {
        let place = try #require(FilePlace(path))
        #expect(place == FilePlace(folder: folder, name: name))
        #expect(place.path == path)
    }

    @Test(arguments: ["", "/", "a/", ".", "a/.."])
    func `a path without a name is none`(path: String) { #expect(FilePlace(path) == nil) }
}
