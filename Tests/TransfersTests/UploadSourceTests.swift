import HTTPWire
import ResumableClient
import SystemIO
import TestSupport
import Testing

@testable import Transfers

/// What an upload sends: a file within a form, or bytes in memory, read from any place on.
@Suite struct UploadSourceTests {
    private static let content = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }

    /// All of a source, asked for in pieces of some size.
    private func bytes(_ source: UploadSource, pieces size: Int) -> [UInt8] {
        let buffer = TransferBuffer(capacity: 4_096)
        var all: [UInt8] = []
        while case .moved(let count) = source.read(
            into: buffer,
            from: 3,
            limit: size,
            at: UInt64(all.count)
        ) {
            all += buffer.bytes(3..<3 + count)
        }
        return all
    }

    private func file(_ folder: TemporaryFolder, _ name: String = "a \"b\".bin") throws -> String {
        let path = "\(folder.path)/\(name)"
        try FileSystem.replace(path, with: Self.content)
        return path
    }

    private static var form: FormChoice {
        var form = FormChoice("photo")
        form.fields = [.init("title", "ü\r\n"), .init("n\"m", "")]
        return form
    }

    @Test(arguments: [1, 7, 400, 4_000])
    func `a form is what a web page would send, in pieces of any size`(size: Int) throws {
        let folder = try TemporaryFolder()
        let source = try UploadSource(try file(folder))
        source.wrap(in: Self.form)
        let sent = bytes(source, pieces: size)
        #expect(source.identity.size == UInt64(sent.count))
        let type = try #require(source.contentType)
        let boundary = try #require(MediaType(type)?.parameters["boundary"])
        let head = [
            "--\(boundary)", "Content-Disposition: form-data; name=\"title\"", "", "ü\r\n",
            "--\(boundary)", "Content-Disposition: form-data; name=\"n%22m\"", "", "",
            "--\(boundary)",
            "Content-Disposition: form-data; name=\"photo\"; filename=\"a %22b%22.bin\"",
            "Content-Type: application/octet-stream", "", "",
        ].joined(separator: "\r\n")
        let expected = Array(head.utf8) + Self.content + Array("\r\n--\(boundary)--\r\n".utf8)
        #expect(sent == expected)
    }

    @Test func `the same file has the same boundary, and another form another`() throws {
        let folder = try TemporaryFolder()
        let path = try file(folder)
        func type(_ form: FormChoice) throws -> String? {
            let source = try UploadSource(path)
            source.wrap(in: form)
            return source.contentType
        }
        let first = try type(Self.form)
        #expect(try type(Self.form) == first)
        #expect(try type(FormChoice("photo")) != first)
        var other = Self.form
        other.fields[0].value = "x"
        #expect(try type(other) != first)
    }

    @Test func `a file that changed is noticed within a form`() throws {
        let folder = try TemporaryFolder()
        let path = try file(folder)
        let source = try UploadSource(path)
        source.wrap(in: Self.form)
        #expect(source.change() == nil)
        try File(path, for: .writing).truncate(to: 5)
        #expect(source.change() != nil)
    }

    @Test func `bytes in memory are known again by their digest`() {
        let source = UploadSource(bytes: Self.content)
        #expect(bytes(source, pieces: 300) == Self.content && source.change() == nil)
        #expect(source.identity.isSame(as: UploadSource(bytes: Self.content).identity))
        var other = Self.content
        other[500] ^= 1
        #expect(!source.identity.isSame(as: UploadSource(bytes: other).identity))
        #expect(bytes(UploadSource(bytes: []), pieces: 1).isEmpty)
    }
}
