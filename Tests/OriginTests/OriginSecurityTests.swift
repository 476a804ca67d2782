import ResumableServer
import HTTPWire
import SystemIO
import Testing

@testable import Origin

/// What nobody may do to an origin.
@Suite struct OriginSecurityTests {
    private func served() throws -> LiveOrigin {
        let above = try OriginFolder()
        try above.write("secret", Array("secret".utf8))
        let inside = try above.folder.makeFolder("root")
        try inside.replace("open", with: Array("open".utf8), durably: false)
        for (name, target) in [
            ("out", "../secret"), ("absolute", "\(above.path)/secret"), ("up", ".."),
            ("in", "open"), ("proc", "/proc/self/root"), ("own", ".linkcond"),
            ("uploads", ".linkcond/uploads"), ("lock", ".linkcond/lock"), ("twice", "own/uploads"),
        ] {
            try Link.make("\(above.path)/root/\(name)", to: target)
        }
        let own = try inside.makeFolder(".linkcond").makeFolder("uploads")
        try own.replace("secret.txt", with: Array("secret".utf8), durably: false)
        return try LiveOrigin(folder: above) { $0.folder = "\(above.path)/root" }
    }

    @Test(arguments: [
        ("http://example.org/open", 421), ("http://EXAMPLE.org:81/open", 421),
        ("http://203.0.113.9/open", 421), ("http://[2001:db8::1]/open", 421),
        ("http://localhost/open", 200), ("http://127.0.0.1:9/open", 200),
        ("http://[::1]/open", 200),
        ("/open", 200),
    ])
    func `a request for another host is not answered in its name`(target: String, status: Int)
        throws
    {
        let response = try served().ask("GET", target)
        #expect(response.status == status, "\(response.text)")
        guard status == 421 else { return }
        for remedy in ["start a forward proxy with linkcond --forward", "name it with --upstream"] {
            #expect(response.text.contains(remedy))
        }
    }

    @Test(arguments: [
        "/../secret", "/%2e%2e/secret", "/..%2fsecret", "/.%2e/secret", "/%2e%2e%2fsecret", "/out",
        "/absolute", "/up/secret", "/up/", "/proc/etc/passwd", "//secret", "/./../secret",
        "/open%00.txt", "/files/../../secret", "/files/..%2f..%2fsecret", "/%2fetc/passwd",
        "/\\..\\secret", "/.linkcond/", "/.linkcond/uploads/", "/.linkcond/lock", "/own/",
        "/own/uploads/", "/own/uploads/secret.txt", "/uploads/", "/uploads/secret.txt", "/twice/",
        "/twice/secret.txt", "/lock", "/own/lock",
    ])
    func `no path leads out of the folder`(target: String) throws {
        let response = try served().ask("GET", target)
        #expect([400, 403, 404].contains(response.status), "\(response.text)")
        #expect(!response.text.contains("secret") && !response.text.contains("root:"))
    }

    @Test func `a link that stays inside is followed`() throws {
        #expect(try served().ask("GET", "/in").text == "open")
    }

    @Test(arguments: [
        "../../evil", "..", "/etc/evil", ".linkcond/lock", "a/../../evil", "..\\evil",
        "\u{0}evil", "evil\r\nX: y",
    ])
    func `no name that a client suggests leads out of the folder of uploads`(
        name: String
    ) throws {
        let origin = try LiveOrigin()
        let metadata = "filename \(Base64.encode(Array(name.utf8)))"
        let fields = [
            ("Tus-Resumable", "1.0.0"), ("Upload-Length", "1"), ("Upload-Metadata", metadata),
            ("Content-Type", "application/offset+octet-stream"),
        ]
        #expect(try origin.ask("POST", "/files/", fields, [1]).status == 201)
        #expect(origin.folder.names("files").count == 1)
        #expect(origin.folder.names("") == [".linkcond", "files"])
        #expect(origin.folder.names(".linkcond") == ["lock", "uploads"])
    }

    @Test func `other machines are refused unless that is asked for`() throws {
        let wildcard = SocketAddress.ipv4(0, port: 0)
        #expect { try LiveOrigin { $0.listens = [wildcard] } } throws: { error in
            (error as? OriginError)?.kind == .refused
        }
        _ = try LiveOrigin {
            $0.listens = [wildcard]
            $0.allowsRemote = true
        }
    }

    @Test func `the origin's own resources are for its own machine and no page of a browser`()
        throws
    {
        let origin = try LiveOrigin()
        let place = "/.linkcond/state"
        func status(_ lines: [String]) throws -> Int {
            let client = try origin.client()
            client.expect("GET")
            let head = ["GET \(place) HTTP/1.1"] + lines + ["", ""]
            try client.send(Array(head.joined(separator: "\r\n").utf8))
            return try client.response().status
        }
        for host in ["localhost", "127.0.0.1:80", "[::1]:80", "LOCALHOST:1"] {
            #expect(try status(["Host: \(host)"]) == 200, "\(host)")
        }
        for host in ["example.org", "10.0.0.1", "localhost.example.org:80", "[2001:db8::1]"] {
            #expect(try status(["Host: \(host)"]) == 403, "\(host)")
        }
        #expect(try status(["Host: localhost", "Origin: http://localhost"]) == 200)
        #expect(try status(["Host: localhost", "Origin: http://evil.example"]) == 403)
        #expect(try status(["Host: localhost", "Origin: null"]) == 403)
    }

    @Test(arguments: [
        ("http://localhost:3000", true), ("http://127.0.0.1:80", true), ("http://[::1]:1", true),
        ("https://LOCALHOST", true), ("http://evil.example", false), ("null", false),
        ("http://localhost.evil.example", false), ("http://192.0.2.1", false), ("", false),
    ])
    func `a page from elsewhere cannot change anything, whatever its name means`(
        page: String,
        isAllowed: Bool
    ) throws {
        let origin = try LiveOrigin()
        let dialect = UploadDialect(version: 6)
        let created = try origin.ask("POST", "/files/", dialect.creation(last: false), [])
        let place = try #require(created["Location"])
        // A name that was rebound to this machine is the page's own.
        let fields = [("Origin", page)]
        for (method, target) in [("PUT", "/files/a"), ("POST", "/files/"), ("DELETE", place)] {
            let marker = method == "DELETE" ? [dialect.marker] : []
            let status = try origin.ask(method, target, fields + marker, [1]).status
            #expect((status == 403) == !isAllowed, "\(method) \(status)")
        }
        #expect(origin.folder.names("files").isEmpty == !isAllowed)
        #expect(try origin.ask("GET", "/bytes/1", fields).status == 200)
        let open = try LiveOrigin { $0.allowsRemote = true }
        #expect(try open.ask("PUT", "/files/a", fields, [1]).status == 201)
    }

    @Test func `without descriptors there is 503 and a time to come back, then all goes on`() async
    {
        await #expect(processExitsWith: .success) {
            let origin = try LiveOrigin()
            try origin.folder.write("a", [1, 2])
            let clients = try (0..<3).map { _ in try origin.client() }
            origin.settle()
            let dialect = UploadDialect(version: 6)
            var held: [File] = []
            let folder = try origin.folder.folder
            while let file = try? folder.file("a", for: .reading) {
                held.append(file)
            }
            let requests =
                [
                    ("GET", "/a", [], nil), ("PUT", "/files/b", [], [1]),
                    ("POST", "/files/", dialect.creation(last: true), [1, 2]),
                ] as [(String, String, [(String, String)], [UInt8]?)]
            for (client, request) in zip(clients, requests) {
                try client.send(request.0, request.1, request.2, request.3)
                let response = try client.response()
                try #require(response.status == 503, "\(request.0) \(response.text)")
                try #require(response["Retry-After"] != nil)
            }
            held = []
            try #require(try origin.ask("PUT", "/files/b", [], [1]).status == 201)
            try #require(try origin.ask("GET", "/a").body == [1, 2])
        }
    }

    @Test func `an origin that cannot start leaves no folders, and those of others stay`() throws {
        let taken = try LiveOrigin()
        let folder = try OriginFolder()
        let start = {
            try LiveOrigin(folder: folder) { $0.listens = taken.server.addresses }
        }
        #expect { try start() } throws: { error in
            "\(error)".hasSuffix("; choose another port, or port 0 for a free one")
        }
        #expect(folder.names("").isEmpty)
        _ = try folder.folder.makeFolder("files")
        #expect(throws: OriginError.self) { try start() }
        #expect(folder.names("") == ["files"])
        _ = try LiveOrigin(folder: folder).ask("PUT", "/files/a", [], [1])
        #expect(throws: OriginError.self) { try start() }
        #expect(folder.names("") == [".linkcond", "files"] && folder.names("files") == ["a"])
    }

    @Test func `a second origin on one folder is refused`() throws {
        let origin = try LiveOrigin()
        #expect { try LiveOrigin(folder: origin.folder) } throws: { error in
            (error as? OriginError)?.kind == .folderUnusable
        }
    }

    @Test func `a folder that is not there is named`() {
        #expect { try LiveOrigin { $0.folder = "/nonexistent/x" } } throws: { error in
            (error as? OriginError)?.kind == .folderMissing
        }
    }

    // MARK: Limits

    @Test func `too many open uploads are refused for now`() throws {
        let origin = try LiveOrigin { $0.limits.openUploads = 2 }
        let dialect = UploadDialect(version: 6)
        let fields = dialect.creation(last: false)
        let places = try (0..<2).map { _ in
            try #require(try origin.ask("POST", "/files/", fields, [])["Location"])
        }
        let refused = try origin.ask("POST", "/files/", fields, [])
        #expect(refused.status == 503 && refused["Retry-After"] != nil)
        #expect(try origin.ask("DELETE", places[0], [dialect.marker]).status == 204)
        #expect(try origin.ask("POST", "/files/", fields, []).status == 201)
    }

    @Test func `beyond the quota there is 507, and nothing that was acknowledged is lost`() throws {
        let origin = try LiveOrigin { $0.limits.storedBytes = 500_000 }
        let dialect = UploadDialect(version: 6)
        let content = KnownContent(seed: 1).bytes(0..<600_000)
        let early = try origin.ask("POST", "/files/a", dialect.creation(last: true), content)
        #expect(early.status == 507)
        let client = try origin.client()
        let fields = dialect.creation(last: true) + [("Transfer-Encoding", "chunked")]
        try client.send("POST", "/files/b", fields)
        let place = try #require(try client.head().fields["Location"])
        try? client.send(Array("927C0\r\n".utf8) + content + Array("\r\n0\r\n\r\n".utf8))
        #expect(try client.response().status == 507)
        let offset = try #require(try origin.ask("HEAD", place, [dialect.marker]).offset)
        #expect(offset > 0 && offset <= 500_000)
        let part = Array(content[offset..<500_000])
        let append = dialect.append(at: offset, last: true)
        #expect(try origin.ask("PATCH", place, append, part).status == 201)
        #expect(origin.folder.bytes("files/b") == Array(content[..<500_000]))
        #expect(try origin.ask("PUT", "/files/c", [], [1]).status == 507)
    }

    @Test func `heads that are too long or no heads are refused and written down`() throws {
        let origin = try LiveOrigin { $0.limits.headBytes = 1_000 }
        let long = try origin.ask("GET", "/", [("X", String(repeating: "a", count: 2_000))])
        #expect(long.status == 431)
        let client = try origin.client()
        client.expect("GET")
        try client.send(Array("nonsense\r\n\r\n".utf8))
        #expect(try client.response().status == 400)
        origin.settle()
        #expect(origin.records.map(\.outcome) == [.refused, .refused])
        #expect(origin.records.map(\.status) == [431, 400])
    }

    @Test func `a body that stops is given up, and what had come is kept`() throws {
        let origin = try LiveOrigin { $0.limits.idleSeconds = 1 }
        let dialect = UploadDialect(version: 6)
        let client = try origin.client()
        let fields = dialect.creation(last: true) + [("Content-Length", "100")]
        try client.send("POST", "/files/a", fields)
        let place = try #require(try client.head().fields["Location"])
        try client.send([1, 2, 3])
        #expect(try client.response().status == 408)
        #expect(try origin.ask("HEAD", place, [dialect.marker]).offset == 3)
    }

    @Test func `ended uploads are remembered up to a limit`() throws {
        let origin = try LiveOrigin { $0.limits.rememberedUploads = 2 }
        let dialect = UploadDialect(version: 8)
        let places = try (0..<3).map { _ in
            let created = try origin.ask("POST", "/files/", dialect.creation(last: false), [])
            let place = try #require(created["Location"])
            #expect(try origin.ask("DELETE", place, [dialect.marker]).status == 204)
            return place
        }
        let statuses = try places.map { try origin.ask("HEAD", $0, [dialect.marker]).status }
        #expect(statuses == [404, 410, 410])
        #expect(origin.folder.names(".linkcond/uploads").count == 2)
    }

    @Test func `complete uploads are remembered up to a limit, their files stay`() throws {
        let origin = try LiveOrigin { $0.limits.rememberedUploads = 2 }
        let dialect = UploadDialect(version: 8)
        let places = try ["a", "b", "c"].map { name in
            let fields = dialect.creation(last: true)
            let created = try origin.ask("POST", "/files/\(name)", fields, [1, 2])
            #expect(created.status == 201)
            return try #require(created.interims.first?.fields["Location"])
        }
        let statuses = try places.map { try origin.ask("HEAD", $0, [dialect.marker]).status }
        #expect(statuses == [404, 204, 204])
        #expect(try origin.state().uploads.map(\.path) == ["/files/b", "/files/c"])
        #expect(origin.folder.names("files") == ["a", "b", "c"])
    }

    @Test func `a complete upload is forgotten after its time, its file stays`() throws {
        let origin = try LiveOrigin { $0.uploads.keepComplete = 60 }
        let dialect = UploadDialect(version: 8)
        let created = try origin.ask("POST", "/files/a", dialect.creation(last: true), [1, 2])
        let place = try #require(created.interims.first?.fields["Location"])
        #expect(try origin.ask("HEAD", place, [dialect.marker]).offset == 2)
        origin.clock.now += 61
        #expect(try origin.ask("HEAD", place, [dialect.marker]).status == 410)
        #expect(try origin.ask("GET", "/files/a").body == [1, 2])
    }

    @Test func `a thousand open uploads cost little memory`() throws {
        let origin = try LiveOrigin()
        let dialect = UploadDialect(version: 6)
        let fields = dialect.creation(last: true) + [("Content-Length", "1000000")]
        let count = min(1_000, (DescriptorLimit.raise() - 200) / 4)
        let before = CurrentProcess.residentBytes
        var clients: [(client: RawClient, place: String)] = []
        for _ in 0..<count {
            let client = try origin.client()
            try client.send("POST", "/files/", fields)
            let place = try #require(try client.head().fields["Location"])
            try client.send(KnownContent(seed: 1).bytes(0..<20_000))
            clients.append((client, place))
        }
        origin.settle()
        #expect(origin.server.openConnections == count)
        let grown = CurrentProcess.residentBytes - before
        // A smallest buffer, what the client of this test keeps, and the upload's own state.
        #expect(grown < count * 160_000, "\(grown / count) bytes each")
        for (_, place) in clients.prefix(10) {
            #expect(try origin.ask("HEAD", place, [dialect.marker]).offset == 20_000)
        }
    }
}
