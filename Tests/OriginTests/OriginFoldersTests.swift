import SystemIO
import Testing

@testable import Origin

/// What an origin keeps, and where.
@Suite struct OriginFoldersTests {
    private let old = KnownContent(seed: 1).bytes(0..<5_000)
    private let new = KnownContent(seed: 2).bytes(0..<6_000)

    @Test func `a second origin does not keep uploads in the same folder`() throws {
        let folder = try OriginFolder()
        let first = try LiveOrigin(folder: folder)
        #expect(throws: OriginError.self) { try LiveOrigin(folder: folder) }
        _ = first
    }

    @Test func `origins that keep nothing serve one folder and leave it as it was`() throws {
        let folder = try OriginFolder()
        try folder.write("a", old)
        try folder.folder.makeFolder("files").replace("b", with: old, durably: false)
        let origins = try (0..<2).map { _ in
            try LiveOrigin(folder: folder) { $0.keepsUploads = false }
        }
        for origin in origins {
            #expect(try origin.ask("GET", "/a").body == old)
            #expect(try origin.ask("GET", "/files/b").body == old)
            #expect(try origin.ask("PUT", "/files/c", [], new).status == 201)
            #expect(try origin.ask("GET", "/files/c").body == new)
        }
        #expect(folder.names("").sorted() == ["a", "files"])
        #expect(folder.names("files") == ["b"])
    }

    @Test func `what was uploaded hides a file of the folder`() throws {
        let folder = try OriginFolder()
        try folder.folder.makeFolder("files").replace("b", with: old, durably: false)
        let origin = try LiveOrigin(folder: folder) { $0.keepsUploads = false }
        let place = try #require(try origin.ask("PUT", "/files/b", [], new)["Location"])
        #expect(try origin.ask("GET", place).body == new)
        #expect(folder.bytes("files/b") == old)
    }
}
