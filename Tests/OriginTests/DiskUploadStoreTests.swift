import Basics
import HTTPWire
import SystemIO
import ResumableServer
import Testing

@testable import Origin

/// Uploads on the disk: what is said to be stored is there after any end of the program.
@Suite struct DiskUploadStoreTests {
    private let dialect = UploadDialect(version: 6)
    private let content = KnownContent(seed: 2).bytes(0..<300_000)

    private func begin(_ origin: LiveOrigin, _ count: Int) throws -> String {
        let fields = dialect.creation(last: false)
        let created = try origin.ask("POST", "/files/a", fields, Array(content[..<count]))
        #expect(created.offset == count)
        return try #require(created["Location"])
    }

    private func names(_ folder: OriginFolder, _ ending: String) -> [String] {
        folder.names(".linkcond/uploads").filter { $0.hasSuffix(ending) }
    }

    private func uploads(_ folder: OriginFolder) throws -> Folder {
        try folder.folder.folder(".linkcond/uploads")
    }

    @Test(arguments: CommitMode.allCases)
    func `an upload goes on after a restart`(commit: CommitMode) throws {
        let folder = try OriginFolder()
        let place: String
        do {
            let origin = try LiveOrigin(folder: folder) { $0.commit = commit }
            place = try begin(origin, 123_456)
        }
        let origin = try LiveOrigin(folder: folder) { $0.commit = commit }
        #expect(try origin.ask("HEAD", place, [dialect.marker]).offset == 123_456)
        let fields = dialect.append(at: 123_456, last: true)
        let answer = try origin.ask("PATCH", place, fields, Array(content[123_456...]))
        #expect(answer.status == 201)
        #expect(folder.bytes("files/a") == content)
    }

    @Test func `bytes beyond the record are cut off, a shorter file makes the upload invalid`()
        throws
    {
        let folder = try OriginFolder()
        let places: [String]
        do {
            let origin = try LiveOrigin(folder: folder)
            places = [try begin(origin, 1_000), try begin(origin, 2_000)]
        }
        let identifiers = places.map { String($0.split(separator: "/")[1]) }
        let longer = try uploads(folder).file("\(identifiers[0]).data", for: .writing)
        try longer.write([UInt8](repeating: 0xEE, count: 500), at: 1_000)
        let shorter = try uploads(folder).file("\(identifiers[1]).data", for: .writing)
        try shorter.truncate(to: 1_999)
        let origin = try LiveOrigin(folder: folder)
        #expect(try longer.size() == 1_000)
        #expect(try origin.ask("HEAD", places[0], [dialect.marker]).offset == 1_000)
        #expect(try origin.ask("HEAD", places[1], [dialect.marker]).status == 404)
        let states = try origin.state().uploads.map(\.state)
        #expect(states.sorted() == ["active", "invalid"])
    }

    @Test func `what no record speaks of is removed, a damaged record is left alone`() throws {
        let folder = try OriginFolder()
        let place: String
        do { place = try begin(try LiveOrigin(folder: folder), 10) }
        let own = try uploads(folder)
        for name in ["orphan.data", "x.staged", ".y.record.17.tmp", "broken.record", "broken.data"]
        {
            try own.replace(name, with: [1, 2, 3], durably: false)
        }
        let origin = try LiveOrigin(folder: folder)
        #expect(origin.server.damagedRecords == ["broken.record"])
        #expect(names(folder, ".data").count == 2 && names(folder, ".record").count == 2)
        #expect(names(folder, ".staged").isEmpty && names(folder, ".tmp").isEmpty)
        #expect(try origin.ask("HEAD", place, [dialect.marker]).offset == 10)
    }

    @Test func `the answer of a complete upload is still known after a restart`() throws {
        let folder = try OriginFolder()
        let dialect = UploadDialect(version: 8)
        let first: RawResponse
        do {
            let origin = try LiveOrigin(folder: folder)
            first = try origin.ask("POST", "/files/a", dialect.creation(last: true), content)
        }
        let place = try #require(first.interims.first?.fields["Location"])
        let origin = try LiveOrigin(folder: folder)
        let again = dialect.append(at: content.count, last: true)
        let answer = try origin.ask("PATCH", place, again, [])
        #expect(answer.status == 201 && answer.body == first.body)
        #expect(try origin.ask("GET", "/files/a").body == content)
        #expect(folder.names("files") == ["a"])
    }

    @Test func `an upload whose files are closed takes no memory`() throws {
        let folder = try OriginFolder()
        let loop = try EventLoop()
        let store = DiskUploadStore(
            folder: try folder.folder,
            objects: try folder.folder,
            commit: .write,
            loop: loop
        )
        for number in 0..<10 {
            let place = UploadPlaceInStore("u\(number)", .plain)
            store.write(BodyBytes(), count: 0, to: place, at: 0) { _, _ in }
            #expect(store.openUploads == 1)
            store.removeContent(place.identifier)
            #expect(store.openUploads == 0)
        }
        loop.finishPendingWork()
        loop.finishClosing()
    }

    /// The program may end between the file's final name and the record that speaks of it.
    @Test func `an upload that was being finished is finished once more, under the same name`()
        throws
    {
        let folder = try OriginFolder()
        let place: String
        do { place = try begin(try LiveOrigin(folder: folder), 1_000) }
        let identifier = String(place.split(separator: "/")[1])
        let own = try uploads(folder)
        let bytes = try own.file("\(identifier).record", for: .reading).read(at: 0, count: 1 << 16)
        let file = try #require(UploadRecordFile(bytes))
        let active = JSONValue.object(UploadRecordText.json(file.record)).text
        let finalising = active.replacing(
            "\"state\":{\"active\":{}}",
            with: "\"state\":{\"finalising\":{}}"
        )
        .replacing("\"length\":null", with: "\"length\":1000")
        #expect(finalising != active)
        let place0 = UploadRecordFile.place(offset: 1_000, sequence: 0)
        try own.replace(
            "\(identifier).record",
            with: place0 + place0 + Array(finalising.utf8),
            durably: false
        )
        try own.link("\(identifier).data", to: "a", in: try folder.folder.folder("files"))
        let origin = try LiveOrigin(folder: folder)
        #expect(origin.run { names(folder, ".data").isEmpty })
        #expect(folder.names("files") == ["a"])
        #expect(folder.bytes("files/a") == Array(content[..<1_000]))
        #expect(try origin.state().uploads.first?.state == "complete")
    }

    @Test func `a private folder goes with its origin`() throws {
        let above = try OriginFolder()
        do {
            let origin = try LiveOrigin {
                $0.folder = nil
                $0.temporaryFolder = above.path
            }
            _ = try begin(origin, 1_000)
            _ = try origin.ask("PUT", "/files/b", [], [1])
            #expect(above.names("").count == 1)
            #expect(try origin.ask("GET", "/").text.contains("/bytes/N"))
        }
        #expect(above.names("").isEmpty)
    }

    @Test func `a private folder goes also with an origin that cannot start, or was forgotten`()
        throws
    {
        let above = try OriginFolder()
        let taken = try LiveOrigin()
        #expect(throws: OriginError.self) {
            try LiveOrigin {
                $0.folder = nil
                $0.temporaryFolder = above.path
                $0.listens = taken.server.addresses
            }
        }
        #expect(above.names("").isEmpty)
    }

    @Test func `a private folder that is held, or young, is left alone`() throws {
        let above = try OriginFolder()
        let left = try above.folder.makeFolder("linkcond-origin-0123456789abcdef")
        let own = try left.makeFolder(".linkcond")
        try own.replace("lock", with: [], durably: false)
        try own.makeFolder("uploads").replace("x.data", with: [1], durably: false)
        try above.write("linkcond-origin-file", [1])
        _ = try above.folder.makeFolder("linkcond-origin-other")
        let held = try own.file("lock", for: .writing)
        #expect(try held.lock())
        OriginFolders.removeAbandoned(in: try above.folder, olderThan: .zero)
        #expect(above.names("").count == 3)
        OriginFolders.removeAbandoned(in: try above.folder)
        #expect(above.names("").count == 3)
    }

    @Test func `a folder that nobody holds is removed`() throws {
        let above = try OriginFolder()
        let left = try above.folder.makeFolder("linkcond-origin-0123456789abcdef")
        let own = try left.makeFolder(".linkcond")
        try own.replace("lock", with: [], durably: false)
        try own.makeFolder("uploads").replace("x.data", with: [1], durably: false)
        OriginFolders.removeAbandoned(in: try above.folder)
        #expect(above.names("").count == 1)
        OriginFolders.removeAbandoned(in: try above.folder, olderThan: .zero)
        #expect(above.names("").isEmpty)
    }

    @Test func `digests and copies are those of the bytes`() throws {
        let folder = try OriginFolder()
        try folder.write("one", content)
        let loop = try EventLoop()
        let source = try folder.folder.file("one", for: .reading)
        var found: [ExpectedDigest]?
        FileDigests.compute([.sha256, .sha1, .sha512], of: source, count: 1_000, on: loop) {
            found = try? $0.get()
        }
        while found == nil { loop.runOnce() }
        #expect(found?.map(\.algorithm) == [.sha256, .sha1, .sha512])
        let digest = Digest(.sha256)
        digest.update(Array(content[..<1_000]))
        #expect(found?.first?.value == digest.value)
        let target = try folder.folder.file("two", for: .readingAndWriting, creation: .ifMissing)
        try FileCopy.copy(300_000, of: source, to: target, at: 7)
        #expect(folder.bytes("two") == [UInt8](repeating: 0, count: 7) + content)
        #expect(throws: SystemError.inputOutput) {
            try FileCopy.copy(300_001, of: source, to: target, at: 0)
        }
    }
}
