import HTTPWire
import ResumableClient
import SystemIO
import TestSupport
import Testing

@testable import Transfers

/// `transfers resume --explain`: what would be done, from the files as they are.
@Suite struct ResumeExplanationTests {
    private static let content = (0..<500).map { UInt8(truncatingIfNeeded: $0) }

    /// A download of which 500 of 1,000 bytes are stored.
    private func download(_ folder: TemporaryFolder) throws -> ResumeFile {
        let path = "\(folder.path)/b"
        try FileSystem.replace("\(path).part", with: Self.content)
        var description = TransferDescription(.download, try HTTPURL("http://a/b"), file: path)
        description.fields = ["Authorization": "Bearer secret"]
        let state = DownloadResumption(
            address: try HTTPURL("http://a/b"),
            final: try HTTPURL("http://c/d"),
            validator: .etag("\"v1\""),
            stored: 500,
            size: 1_000,
            contentCoding: nil,
            file: "\(path).part",
            fields: description.fields
        )
        var file = ResumeFile(description, .download(state))
        file.tail = SHA256.digest(Self.content)
        return file
    }

    /// An upload of a file that is there, of which 100 bytes are acknowledged.
    private func upload(of path: String, named name: String) throws -> ResumeFile {
        let address = try HTTPURL("http://a/")
        let state = UploadResumption(
            target: address,
            method: "POST",
            resource: try HTTPURL("http://a/u/1"),
            dialect: .ietf(.v8),
            acknowledged: 100,
            source: try UploadSource(path).identity,
            file: name,
            fields: [:]
        )
        let description = TransferDescription(.upload(UploadChoices()), address, file: path)
        return ResumeFile(description, .upload(state))
    }

    @Test func `what is stored is asked for from its end on, if it is the same version`() throws {
        let folder = try TemporaryFolder()
        let explanation = ResumeExplanation(try download(folder))
        #expect(explanation.obstacle == nil)
        #expect(
            explanation.lines == [
                "download of    http://a/b", "to             \(folder.path)/b",
                "stored         500 of 1000 bytes in \(folder.path)/b.part",
                "version        entity tag \"v1\"", "next           GET http://c/d",
                "               Range: bytes=500-, If-Range: \"v1\"",
                "then           206 continues; 200 brings the whole object, which replaces what is"
                    + " stored", "verdict        can be resumed",
            ]
        )
        #expect(!explanation.lines.joined().contains("secret"))
    }

    @Test func `a partial file that is another, or gone, begins at zero`() throws {
        let folder = try TemporaryFolder()
        let file = try download(folder)
        let path = "\(folder.path)/b.part"
        try FileSystem.replace(path, with: [UInt8](repeating: 1, count: 500))
        let changed = ResumeExplanation(file)
        #expect(changed.obstacle == "'\(path)' does not hold what the resume data are of")
        #expect(changed.lines.last?.hasPrefix("verdict        begins at zero: '") == true)
        #expect(FileSystem.isFile(path))
        FileSystem.removeFormer(path)
        #expect(ResumeExplanation(file).obstacle == "'\(path)' is gone")
    }

    @Test func `an upload asks for the offset, unless its file was changed`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/f"
        try FileSystem.replace(path, with: Self.content)
        let file = try upload(of: path, named: path)
        let explanation = ResumeExplanation(file)
        #expect(explanation.obstacle == nil)
        #expect(explanation.lines.contains("acknowledged   100 of 500 bytes"))
        #expect(explanation.lines.contains("next           HEAD http://a/u/1"))
        try FileSystem.replace(path, with: Self.content + [1])
        #expect(ResumeExplanation(file).obstacle == "'\(path)' was changed since")
    }

    @Test func `an upload whose state names no file is called by what was asked for`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/f"
        try FileSystem.replace(path, with: Self.content)
        let file = try upload(of: path, named: "")
        #expect(ResumeExplanation(file).lines.first == "upload of      \(path)")
        FileSystem.removeFormer(path)
        #expect(ResumeExplanation(file).obstacle == "'\(path)' is gone")
    }
}
