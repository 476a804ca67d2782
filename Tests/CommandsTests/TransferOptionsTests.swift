import Basics
import Foundation
import HTTPWire
import ResumableClient
import Testing
import Transfers

@testable import Arguments
@testable import Commands

/// What the options of `download` and `upload` mean, and what is refused.
@Suite struct TransferOptionsTests {
    /// A folder that is removed with its owner.
    private final class Folder {
        let path = NSTemporaryDirectory() + "linkcond-options-\(UUID().uuidString)"

        init() throws {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true
            )
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func write(_ name: String, _ text: String) throws -> String {
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
            return "\(path)/\(name)"
        }
    }

    private static func downloads(_ arguments: [String]) throws -> TransferOptions {
        try TransferOptions.downloads(
            try ArgumentParser.parse(["download"] + arguments) { _ in nil }
        )
    }

    private static func upload(_ arguments: [String]) throws -> TransferOptions {
        try TransferOptions.upload(try ArgumentParser.parse(["upload"] + arguments) { _ in nil })
    }

    private static func refusal(_ arguments: [String]) -> String? {
        do {
            _ =
                try arguments.first == "upload"
                ? upload(Array(arguments.dropFirst())) : downloads(arguments)
            return nil
        } catch let failure as Failure {
            return failure.message
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        ("http://a/b/c.bin?x=y", "c.bin"), ("http://a/", "index.html"),
        ("http://a/b%20c", "b c"), ("http://a/b/", "b"),
    ])
    func `a file is named by its URL`(url: String, name: String) throws {
        let job = try Self.downloads([url]).jobs[0]
        #expect(job.description.file == name)
        #expect(job.store?.place.path == "\(name).resume")
    }

    @Test(arguments: ["http://a/..", "http://a/b%2Fc", "http://a/b%00"])
    func `a URL that would name another place is refused`(url: String) {
        #expect(Self.refusal([url])?.contains("--output FILE") == true)
    }

    @Test func `a folder takes several files, and no two of one name`() throws {
        let folder = try Folder()
        let options = try Self.downloads(["http://a/x", "http://a/y", "-o", folder.path])
        #expect(
            options.jobs.map(\.description.file) == ["\(folder.path)/x", "\(folder.path)/y"]
        )
        #expect(Self.refusal(["http://a/x", "http://b/x"])?.contains("two URLs") == true)
        #expect(Self.refusal(["http://a/x", "http://a/y", "-o", "z"])?.contains("folder") == true)
    }

    @Test func `a file that is there is replaced only by its name`() throws {
        let folder = try Folder()
        let file = try folder.write("c.bin", "x")
        #expect(
            Self.refusal(["http://a/b/c.bin", "-o", folder.path])
                == "'\(file)' is there already; --output \(file) replaces it, another name keeps it"
        )
        #expect(
            try Self.downloads(["http://a/b/c.bin", "-o", file]).jobs[0].description.file == file
        )
        // What is under way goes on.
        let description = TransferDescription(
            .download,
            try HTTPURL("http://a/b/c.bin"),
            file: file
        )
        let state = DownloadResumption(
            address: description.address,
            final: description.address,
            validator: .etag("\"x\""),
            stored: 1,
            size: 2,
            contentCoding: nil,
            file: "\(file).part",
            fields: [:]
        )
        let place = try #require(FilePlace("\(file).resume"))
        try ResumeStore(place).save(ResumeFile(description, .download(state)), durably: false)
        #expect(try Self.downloads(["http://a/b/c.bin", "-o", folder.path]).jobs[0].resume != nil)
    }

    @Test func `a folder, a missing file and swapped operands are told apart`() throws {
        let file = try Folder()
        let name = try file.write("f", "x")
        #expect(Self.refusal(["upload", file.path, "http://a/"])?.contains("is a folder") == true)
        #expect(
            Self.refusal(["upload", "/nonexistent", "http://a/"])?.hasPrefix("there is no") == true
        )
        #expect(
            Self.refusal(["upload", "http://a/", name])
                == "the file comes first: linkcond upload \(name) http://a/"
        )
        let empty = try file.write("e.resume", "\n")
        #expect(Self.refusal(["--resume", empty])?.contains("the file is empty") == true)
    }

    @Test func `standard output keeps no resume data`() throws {
        let job = try Self.downloads(["http://a/x", "-o", "-"]).jobs[0]
        #expect(job.description.isToStandardOutput && job.store == nil)
    }

    @Test func `credentials come from files only`() throws {
        let folder = try Folder()
        let refusal = Self.refusal(["http://a/x", "--header", "authorization: Bearer secret"])
        #expect(refusal?.contains("--header @FILE") == true && refusal?.contains("secret") == false)
        let file = try folder.write("fields", "Authorization: Bearer secret\r\n\nX-A:  b \n")
        let fields = try Self.downloads(["http://a/x", "--header", "@\(file)"]).jobs[0]
            .description.fields
        #expect(fields == ["Authorization": "Bearer secret", "X-A": "b"])
        #expect(Self.refusal(["http://u:p@a/x"])?.contains("--header @FILE") == true)
    }

    @Test(arguments: ["no colon", "bad name: x", ": x", "a: b\u{0}c"])
    func `what is no field is refused`(text: String) {
        #expect(Self.refusal(["http://a/x", "--header", text]) != nil)
    }

    @Test func `the options of trying again and of the path are taken`() throws {
        let description = try Self.downloads([
            "http://a/x", "--max-attempts", "3", "--max-failures", "2", "--deadline", "90s",
            "--retry-after-max", "1min", "--idle-timeout", "500ms", "--no-auto-resume",
            "--strict-4xx", "--restart-from-zero", "--seed", "9", "--path", "/run/p",
            "--no-constrained", "--no-expensive", "--wait-for-connectivity", "--discretionary",
            "--expect-receive", "1MB", "--not-before", "2030-01-01T00:00:00Z", "--sha256",
            String(repeating: "ab", count: 32),
        ]).jobs[0].description
        #expect(description.retry.attempts == 3)
        #expect(description.retry.failuresWithoutProgress == 2)
        #expect(description.retry.deadline == .seconds(90))
        #expect(description.retry.longestRetryAfter == .seconds(60))
        #expect(description.retry.idleTimeout == .milliseconds(500))
        #expect(!description.retry.resumesByItself && description.retry.strictClientErrors)
        #expect(description.retry.restartsFromZero && description.seed == 9)
        #expect(!description.path.allowsConstrained && !description.path.allowsExpensive)
        #expect(description.path.waitsForConnectivity && description.path.isDiscretionary)
        #expect(description.path.expectedBytesToReceive == 1_000_000)
        #expect(description.pathSource == "/run/p" && description.notBefore == 1_893_456_000)
        #expect(description.sha256 == Array(repeating: 0xAB, count: 32))
    }

    @Test func `the expected bytes are those of all URLs, or of each`() throws {
        func expected(_ sizes: [String]) throws -> [UInt64?] {
            try Self.downloads(
                ["http://a/x", "http://a/y"] + sizes.flatMap { ["--expect-receive", $0] }
            ).jobs.map(\.description.path.expectedBytesToReceive)
        }
        #expect(try expected([]) == [nil, nil])
        #expect(try expected(["5kB"]) == [5_000, 5_000])
        #expect(try expected(["9kB", "5kB"]) == [9_000, 5_000])
        for count in [3, 1] {
            let words = (0..<count).map { "http://a/\($0)" }
            let refusal = Self.refusal(
                words + ["--expect-receive", "1kB", "--expect-receive", "2kB"]
            )
            #expect(refusal?.contains("once for each URL") == true)
        }
    }

    @Test func `a policy of the path needs to know the path`() {
        #expect(Self.refusal(["http://a/x", "--no-expensive"])?.contains("--path") == true)
        #expect(Self.refusal(["http://a/x", "--no-expensive", "--user-initiated"]) == nil)
    }

    @Test func `S14 in the background it may begin at zero, and tries for longer`() throws {
        let foreground = try Self.downloads(["http://a/x"]).jobs[0].description
        let background = try Self.downloads(["http://a/x", "--background"]).jobs[0].description
        #expect(foreground.retry == .foreground && !foreground.path.waitsForConnectivity)
        #expect(background.retry == .background && background.path.waitsForConnectivity)
    }

    @Test func `resume data of an upload are beside its file, or in the folder of its run`() throws
    {
        let folder = try Folder()
        let name = { TransferOptions.resumeName(of: $0, runFolder: $1) }
        #expect(name("a/x.bin", nil) == "a/x.bin")
        #expect(name("a/x.bin", "") == "a/x.bin")
        #expect(name("a/x.bin", folder.path + "/gone") == "a/x.bin")
        let own = name("a/x.bin", folder.path)
        #expect(own.hasPrefix("\(folder.path)/x.bin-"))
        #expect(name("b/x.bin", folder.path) != own)
        #expect(name(FileManager.default.currentDirectoryPath + "/a/x.bin", folder.path) == own)
    }

    @Test func `uploads speak the IETF draft, version 6, unless told otherwise`() throws {
        let folder = try Folder()
        let file = try folder.write("f", "x")
        func choices(_ more: [String]) throws -> UploadChoices? {
            let description = try Self.upload([file, "http://a/"] + more).jobs[0].description
            guard case .upload(let choices) = description.kind else { return nil }
            return choices
        }
        #expect(try choices([])?.choice == .known(.ietf(.v6)))
        #expect(try choices(["--interop", "8"])?.choice == .known(.ietf(.v8)))
        #expect(try choices(["--protocol", "tus"])?.choice == .known(.tus))
        #expect(try choices(["--protocol", "plain"])?.choice == .known(.plain))
        #expect(try choices(["--protocol", "auto"])?.choice == .asked)
        #expect(try choices(["--careful"])?.creation == .careful)
        #expect(try choices(["--append-size", "8MiB"])?.appendSize == 8_388_608)
        #expect(
            try choices(["--metadata", "filename=a=b"])?.metadata == [.init("filename", "a=b")]
        )
    }

    @Test(arguments: [
        ["upload", "/nonexistent", "http://a/"], ["upload", "x"],
        ["upload", "/etc/hostname", "http://a/", "--interop", "4"],
        ["upload", "/etc/hostname", "http://a/", "--protocol", "ftp"],
        ["upload", "/etc/hostname", "http://a/", "--method", "GET"],
        ["upload", "/etc/hostname", "http://a/", "--append-size", "0B"],
        ["upload", "/etc/hostname", "http://a/", "--metadata", "=x"],
        ["ftp://a/x"], ["http://"], ["a.example"], [], ["http://a/x", "--sha256", "ab"],
        ["http://a/x", "--progress", "loud"], ["http://a/x", "--not-before", "tomorrow"],
        ["http://a/x", "--id", "n"], ["http://a/x", "--jobs", "0"],
        ["http://a/x", "--max-attempts", "0"], ["http://a/x", "--cacert", "/nonexistent"],
        ["http://a/x", "--resume", "/nonexistent"],
        ["http://a/x", "--unix-socket", String(repeating: "x", count: 200)],
    ])
    func `bad input is refused in one line`(arguments: [String]) throws {
        let refusal = try #require(Self.refusal(arguments), "\(arguments)")
        #expect(!refusal.isEmpty && !refusal.contains("\n"))
    }

    @Test func `resume data of another transfer are not touched`() throws {
        let folder = try Folder()
        let other = TransferDescription(.download, try HTTPURL("http://a/other"), file: "x")
        let resume = ResumeFile(
            other,
            .download(
                DownloadResumption(
                    address: other.address,
                    final: other.address,
                    validator: .etag("\"a\""),
                    stored: 1,
                    size: nil,
                    contentCoding: nil,
                    file: "x.part",
                    fields: [:]
                )
            )
        )
        let file = try folder.write("x.resume", String(decoding: resume.bytes, as: UTF8.self))
        let output = "\(folder.path)/x"
        #expect(Self.refusal(["http://a/x", "-o", output])?.contains("another transfer") == true)
        #expect(FileManager.default.fileExists(atPath: file))
        let job = try Self.downloads(["http://a/other", "-o", output]).jobs[0]
        #expect(job.resume == resume)
        #expect(
            try Self.downloads(["--resume", file]).jobs[0].description.address == other.address
        )
        #expect(try Self.downloads(["http://a/x", "-o", output, "--fresh"]).jobs[0].resume == nil)
    }

    @Test func `torn resume data are no reason to fail`() throws {
        let folder = try Folder()
        _ = try folder.write("x.resume", #"{"linkcond":"res"#)
        let job = try Self.downloads(["http://a/x", "-o", "\(folder.path)/x"]).jobs[0]
        #expect(job.resume == nil && job.notice?.contains("beginning at zero") == true)
    }
}
