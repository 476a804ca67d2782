import Basics
import HTTPWire
import SystemIO
import Testing

@testable import Origin

/// A second request for the same upload takes it over at once, whoever held it.
@Suite struct TakeoverTests {
    private let content = KnownContent(seed: 8).bytes(0..<400_000)

    /// Begins an upload and sends a part of it, then falls silent without closing.
    private func halfOpen(
        _ origin: LiveOrigin,
        _ dialect: UploadDialect,
        after count: Int
    ) throws -> (client: RawClient, place: String) {
        let client = try origin.client()
        let fields = dialect.creation(last: true) + [("Content-Length", "\(content.count)")]
        try client.send("POST", "/files/a", fields)
        let place = try #require(try client.head().fields["Location"])
        try client.send(Array(content[..<count]))
        return (client, place)
    }

    @Test(arguments: UploadDialect.all)
    func `HEAD takes an upload from a connection that is half open, and resets it`(
        dialect: UploadDialect
    ) throws {
        let origin = try LiveOrigin()
        let (old, place) = try halfOpen(origin, dialect, after: 123_456)
        origin.settle()
        let began = origin.loop.now
        let status = try origin.ask("HEAD", place, [dialect.marker])
        #expect(origin.loop.now - began < .seconds(2))
        #expect(status.offset == 123_456)
        while let head = try? old.head() { #expect(head.status == 104) }
        #expect(try old.ending().failure == .connectionReset)
        let rest = Array(content[123_456...])
        let fields = dialect.append(at: 123_456, last: true)
        #expect(try origin.ask("PATCH", place, fields, rest).status == 201)
        #expect(origin.folder.bytes("files/a") == content)
        #expect(origin.records.first?.outcome == .overtaken)
    }

    @Test func `bytes that the old connection still delivers are not stored`() throws {
        let origin = try LiveOrigin()
        let dialect = UploadDialect(version: 6)
        let (old, place) = try halfOpen(origin, dialect, after: 100_000)
        origin.settle()
        let status = try origin.ask("HEAD", place, [dialect.marker])
        let offset = try #require(status.offset)
        _ = try? old.send(Array(content[100_000...]))
        origin.settle()
        #expect(try origin.ask("HEAD", place, [dialect.marker]).offset == offset)
        let rest = Array(content[offset...])
        let fields = dialect.append(at: offset, last: true)
        #expect(try origin.ask("PATCH", place, fields, rest).status == 201)
        #expect(origin.folder.bytes("files/a") == content)
    }

    @Test func `a PATCH takes over from a PATCH, a DELETE from both`() throws {
        let origin = try LiveOrigin()
        let dialect = UploadDialect(version: 8)
        let (first, place) = try halfOpen(origin, dialect, after: 10_000)
        origin.settle()
        let offset = try #require(try origin.ask("HEAD", place, [dialect.marker]).offset)
        let second = try origin.client()
        let fields =
            dialect.append(at: offset, last: true)
            + [("Content-Length", "\(content.count - offset)")]
        try second.send("PATCH", place, fields)
        try second.send(Array(content[offset..<offset + 5_000]))
        origin.settle()
        #expect(try origin.ask("DELETE", place, [dialect.marker]).status == 204)
        #expect(throws: RawClient.Ended.self) { try second.response() }
        first.close()
        #expect(try origin.ask("HEAD", place, [dialect.marker]).status == 410)
        #expect(origin.folder.names("files").isEmpty)
    }

    @Test func `many requests for one upload at once leave one owner and no loss`() throws {
        let origin = try LiveOrigin()
        let dialect = UploadDialect(version: 6)
        let (old, place) = try halfOpen(origin, dialect, after: 50_000)
        origin.settle()
        let clients = try (0..<8).map { _ in try origin.client() }
        for client in clients { try client.send("HEAD", place, [dialect.marker]) }
        var offsets: [Int] = []
        for client in clients {
            if let offset = try? client.response().offset { offsets.append(offset) }
        }
        #expect(!offsets.isEmpty && offsets.allSatisfy { $0 == 50_000 })
        old.close()
        let rest = Array(content[50_000...])
        let fields = dialect.append(at: 50_000, last: true)
        #expect(try origin.ask("PATCH", place, fields, rest).status == 201)
        #expect(origin.folder.bytes("files/a") == content)
    }

    /// The old connection ends at every moment while its last bytes are on the way to the disk.
    @Test(arguments: UploadDialect.all)
    func `a connection may end while it is taken over`(dialect: UploadDialect) throws {
        let origin = try LiveOrigin { $0.commit = .fsync }
        for turn in 0..<48 {
            let (old, place) = try halfOpen(origin, dialect, after: 10_000)
            let other = try origin.client()
            origin.settle()
            try old.send(Array(content[10_000..<200_000]))
            for _ in 0..<turn % 4 { origin.loop.runOnce() }
            try other.send("HEAD", place, [dialect.marker])
            for _ in 0..<turn / 4 % 4 { origin.loop.runOnce() }
            old.reset()
            let offset = try #require(try other.response().offset)
            #expect(offset >= 10_000 && offset <= 200_000)
            #expect(try origin.ask("DELETE", place, [dialect.marker]).status == 204)
        }
    }
}
