import Analysis
import Testing

@Suite struct UploadReadingTests {
    private static let whole: Story.Fields = [("Upload-Complete", "?1")]
    private static func part(_ offset: Int) -> Story.Fields {
        [("Upload-Offset", "\(offset)"), ("Upload-Complete", "?1")]
    }
    private static let url: Story.Fields = [("Location", "/u/1")]

    private static func transfers(_ tell: (inout Story) -> Void) -> [Transfer] {
        var story = Story()
        tell(&story)
        return story.report().transfers
    }

    @Test func `an interrupted upload asks and goes on`() throws {
        let transfers = Self.transfers {
            $0.send(
                1,
                "POST",
                "/files",
                Self.whole,
                length: 1_000,
                delivered: 600,
                interim: Self.url,
                .cut("rst"),
                at: 0
            )
            $0.head(2, "/u/1", offset: 500, at: 100)
            $0.send(
                3,
                "PATCH",
                "/u/1",
                Self.part(500),
                length: 500,
                status: 200,
                answer: Self.whole,
                at: 200
            )
        }
        try #require(transfers.count == 1)
        let transfer = transfers[0]
        #expect(transfer.kind == .resumableUpload)
        #expect(transfer.attempts.map(\.kind) == [.first, .probe, .resumed])
        #expect(transfer.uploadPaths == ["/u/1"])
        #expect(transfer.size == 1_000)
        #expect(transfer.isComplete)
        #expect(transfer.figures.wire == 1_100)
        #expect(transfer.figures.payload == 1_000)
        #expect(transfer.figures.resentAvoidable == 0)
        #expect(transfer.figures.abandoned == 100)
        #expect(transfer.attempts[1].progressBytes == 500)
        #expect(transfer.gaps.count == 1)
    }

    @Test func `tus in parts`() throws {
        let tus: Story.Fields = [("Tus-Resumable", "1.0.0")]
        let transfers = Self.transfers {
            $0.refuse(
                1,
                "POST",
                "/files",
                tus + [("Upload-Length", "900")],
                status: 201,
                answer: Self.url,
                at: 0
            )
            for (number, offset) in [0, 300, 600].enumerated() {
                $0.send(
                    2 + number,
                    "PATCH",
                    "/u/1",
                    tus + [("Upload-Offset", "\(offset)")],
                    length: 300,
                    status: 204,
                    answer: [("Upload-Offset", "\(offset + 300)")],
                    at: 100 + 100 * number
                )
            }
        }
        try #require(transfers.count == 1)
        #expect(transfers[0].attempts.map(\.kind) == [.probe, .first, .next, .next])
        #expect(transfers[0].isComplete)
        #expect(transfers[0].size == 900)
        #expect(transfers[0].tryCount == 1)
    }

    @Test func `where an append begins says what it is`() throws {
        let transfers = Self.transfers {
            $0.send(
                1,
                "POST",
                "/files",
                Self.whole,
                length: 1_000,
                delivered: 600,
                interim: Self.url,
                .cut("rst"),
                at: 0
            )
            $0.head(2, "/u/1", offset: 500, at: 100)
            $0.send(
                3,
                "PATCH",
                "/u/1",
                Self.part(400),
                length: 600,
                delivered: 200,
                .cut("rst"),
                at: 200
            )
            $0.send(
                4,
                "PATCH",
                "/u/1",
                Self.part(900),
                length: 100,
                delivered: 10,
                .cut("rst"),
                at: 300
            )
            $0.send(
                5,
                "PATCH",
                "/u/1",
                Self.part(0),
                length: 1_000,
                delivered: 1_000,
                .cut("rst"),
                at: 400
            )
            $0.send(6, "PATCH", "/u/1", Self.part(500), length: 0, status: 400, at: 500)
        }
        try #require(transfers.count == 1)
        #expect(
            transfers[0].attempts.map(\.kind)
                == [.first, .probe, .overlap, .gap, .restarted, .finish]
        )
        #expect(transfers[0].figures.resentAvoidable == 100 + 500)
        #expect(!transfers[0].isComplete)
    }

    @Test func `a creation again is forced if no URL came, and not if one did`() throws {
        for interim in [nil, Self.url] {
            let transfers = Self.transfers {
                $0.send(
                    1,
                    "POST",
                    "/files",
                    Self.whole,
                    length: 1_000,
                    delivered: 600,
                    interim: interim,
                    .cut("rst"),
                    at: 0
                )
                $0.send(
                    2,
                    "POST",
                    "/files",
                    Self.whole,
                    length: 1_000,
                    status: 200,
                    answer: Self.whole,
                    at: 100
                )
            }
            try #require(transfers.count == 1)
            #expect(transfers[0].attempts[1].kind == (interim == nil ? .forcedRestart : .restarted))
            #expect(transfers[0].figures.resentForced == (interim == nil ? 600 : 0))
            #expect(transfers[0].isComplete)
        }
    }

    @Test func `a resource that is gone forces a new one`() throws {
        let transfers = Self.transfers {
            $0.send(
                1,
                "POST",
                "/files",
                Self.whole,
                length: 1_000,
                delivered: 600,
                interim: Self.url,
                .cut("rst"),
                at: 0
            )
            $0.head(2, "/u/1", status: 404, offset: nil, at: 100)
            $0.send(
                3,
                "POST",
                "/files",
                Self.whole,
                length: 1_000,
                interim: [("Location", "/u/2")],
                status: 200,
                answer: Self.whole,
                at: 200
            )
        }
        try #require(transfers.count == 1)
        #expect(transfers[0].attempts.map(\.kind) == [.first, .probe, .forcedRestart])
        #expect(transfers[0].uploadPaths == ["/u/1", "/u/2"])
    }

    @Test func `two files of one size are two uploads`() {
        let transfers = Self.transfers {
            for (connection, time) in [(1, 0), (2, 100)] {
                $0.send(
                    connection,
                    "POST",
                    "/files",
                    Self.whole,
                    length: 1_000,
                    status: 200,
                    answer: Self.whole,
                    at: time
                )
            }
        }
        #expect(transfers.count == 2)
    }

    @Test func `two files of one size at once are two uploads`() {
        let transfers = Self.transfers { story in
            for connection in [1, 2] {
                story.connect(connection, at: 0)
                story.request(connection, "POST", "/files", Self.whole, length: 1_000, at: 1)
            }
        }
        #expect(transfers.count == 2)
    }

    @Test func `after a failure, other content is another upload`() {
        for prefix in ["aa", "bb"] {
            let transfers = Self.transfers {
                $0.send(
                    1,
                    "POST",
                    "/files",
                    Self.whole,
                    length: 100_000,
                    delivered: 70_000,
                    prefix: "aa",
                    .cut("rst"),
                    at: 0
                )
                $0.send(
                    2,
                    "POST",
                    "/files",
                    Self.whole,
                    length: 100_000,
                    prefix: prefix,
                    at: 100
                )
            }
            #expect(transfers.count == (prefix == "aa" ? 1 : 2))
        }
    }

    @Test func `a plain upload is repeated as a whole`() throws {
        let transfers = Self.transfers {
            $0.send(1, "PUT", "/x", [], length: 100, delivered: 60, .cut("rst"), at: 0)
            $0.send(2, "PUT", "/x", [], length: 100, status: 201, at: 100)
        }
        try #require(transfers.count == 1)
        #expect(transfers[0].kind == .plainUpload)
        #expect(transfers[0].attempts.map(\.kind) == [.first, .forcedRestart])
        #expect(transfers[0].figures.resentForced == 60)
        #expect(transfers[0].isComplete)
        #expect(transfers[0].size == 100)
    }

    @Test func `an upload of an earlier process is known by its URL`() throws {
        let transfers = Self.transfers {
            $0.head(1, "/u/9", offset: 300, at: 0)
            $0.send(
                2,
                "PATCH",
                "/u/9",
                Self.part(300),
                length: 700,
                status: 200,
                answer: Self.whole,
                at: 100
            )
        }
        try #require(transfers.count == 1)
        #expect(transfers[0].attempts.map(\.kind) == [.probe, .resumed])
        #expect(transfers[0].isComplete)
        #expect(transfers[0].figures.payload == 700)
    }
}
