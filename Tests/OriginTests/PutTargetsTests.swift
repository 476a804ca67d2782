import Testing

@testable import Origin

/// Repeated PUTs of one target.
@Suite struct PutTargetsTests {
    @Test func `who comes while another is kept waits, and replaces that one`() {
        let targets = PutTargets(limit: 10)
        var seen: [String] = []
        targets.begin("/a") { seen.append("first after \($0 ?? "none")") }
        targets.begin("/a") { seen.append("second after \($0 ?? "none")") }
        targets.begin("/a") { seen.append("third after \($0 ?? "none")") }
        targets.begin("/b") { seen.append("other after \($0 ?? "none")") }
        #expect(seen == ["first after none", "other after none"])
        targets.end("/a", name: "a-2")
        #expect(seen.last == "second after a-2")
        targets.end("/a", name: nil)
        #expect(seen.last == "third after a-2")
        targets.end("/a", name: "a-3")
        targets.begin("/a") { seen.append("fourth after \($0 ?? "none")") }
        #expect(seen.last == "fourth after a-3")
    }

    @Test func `a turn may end before its beginning returns`() {
        let targets = PutTargets(limit: 10)
        var seen: [String?] = []
        for name in ["a", "b", "c"] {
            targets.begin("/a") {
                seen.append($0)
                targets.end("/a", name: name)
            }
        }
        #expect(seen == [nil, "a", "b"])
    }

    @Test func `a target that was not used for long is forgotten, one that was used is not`() {
        let targets = PutTargets(limit: 2)
        func earlier(_ target: String) -> String? {
            var result: String?
            targets.begin(target) { result = $0 }
            targets.end(target, name: nil)
            return result
        }
        func put(_ target: String) {
            targets.begin(target) { _ in targets.end(target, name: target) }
        }
        for target in ["/a", "/b", "/a", "/c"] { put(target) }
        #expect(["/a", "/b", "/c"].map(earlier) == ["/a", nil, "/c"])
        put("/d")
        #expect(["/a", "/c", "/d"].map(earlier) == ["/a", "/c", "/d"])
        put("/e")
        #expect(["/a", "/c", "/d", "/e"].map(earlier) == [nil, nil, "/d", "/e"])
    }

    @Test func `a PUT to a target that was forgotten replaces nothing`() throws {
        let origin = try LiveOrigin { $0.limits.replaceableTargets = 2 }
        for name in ["a", "b", "c", "d"] {
            #expect(try origin.ask("PUT", "/files/\(name)", [], [1]).status == 201)
        }
        let forgotten = try origin.ask("PUT", "/files/a", [], [2])
        #expect(forgotten.status == 201 && forgotten["Location"] == "/files/a-2")
        #expect(try origin.ask("PUT", "/files/d", [], [2]).status == 200)
        #expect(origin.folder.names("files") == ["a", "a-2", "b", "c", "d"])
    }

    @Test func `a repeated PUT replaces the file, one of another client's file does not`() throws {
        let folder = try OriginFolder()
        let origin = try LiveOrigin(folder: folder)
        let first = try origin.ask("PUT", "/files/a", [], [1, 2, 3])
        let second = try origin.ask("PUT", "/files/a", [], [4, 5])
        #expect(first.status == 201 && second.status == 200)
        #expect(first["Location"] == "/files/a" && second["Location"] == "/files/a")
        #expect(folder.names("files") == ["a"] && folder.bytes("files/a") == [4, 5])
        let posted = try origin.ask("POST", "/files/a", [], [6])
        #expect(posted.status == 201 && posted["Location"] == "/files/a-2")
        let third = try origin.ask("PUT", "/files/a", [], [7])
        #expect(third.status == 200 && folder.bytes("files/a") == [7])
        #expect(folder.bytes("files/a-2") == [6])
        let uploads = try origin.state().uploads
        #expect(uploads.map(\.state) == ["replaced", "replaced", "complete", "complete"])
        #expect(uploads.map(\.path) == [nil, nil, "/files/a-2", "/files/a"])
    }

    @Test func `a file whose client has gone is kept, and the repeated PUT is answered`() throws {
        let folder = try OriginFolder()
        let origin = try LiveOrigin(folder: folder)
        let content = [UInt8](repeating: 7, count: 3_000_000)
        for round in 1...5 {
            // Its end closes the connection, with the file on its way to the disk.
            do {
                let lost = try origin.client()
                try lost.send("PUT", "/files/a", [], content)
            }
            let answer = try origin.ask("PUT", "/files/a", [], [UInt8(round)])
            #expect(answer.status == 200 || answer.status == 201)
        }
        #expect(folder.names("files") == ["a"])
    }

    @Test func `what was there before the server is not replaced`() throws {
        let folder = try OriginFolder()
        do {
            let origin = try LiveOrigin(folder: folder)
            #expect(try origin.ask("PUT", "/files/a", [], [1]).status == 201)
        }
        let origin = try LiveOrigin(folder: folder)
        let answer = try origin.ask("PUT", "/files/a", [], [2])
        #expect(answer.status == 201 && answer["Location"] == "/files/a-2")
        #expect(folder.bytes("files/a") == [1] && folder.bytes("files/a-2") == [2])
    }
}
