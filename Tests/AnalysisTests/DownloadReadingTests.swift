import Analysis
import Basics
import Journal
import Testing

@Suite struct DownloadReadingTests {
    private static func transfer(_ tell: (inout Story) -> Void) throws -> Transfer {
        var story = Story()
        tell(&story)
        let transfers = story.report().transfers
        try #require(transfers.count == 1)
        return transfers[0]
    }

    @Test func `a download in one piece`() throws {
        let transfer = try Self.transfer { $0.get(1, at: 0) }
        #expect(transfer.kind == .download)
        #expect(transfer.target == "/big")
        #expect(transfer.size == 1_000)
        #expect(transfer.isComplete)
        #expect(transfer.attempts.map(\.kind) == [.first])
        #expect(transfer.figures.payload == 1_000)
        #expect(transfer.figures.wire == 1_000)
        #expect(transfer.figures.abandoned == 0)
        #expect(transfer.tryCount == 1)
    }

    @Test func `a cut download goes on where it was`() throws {
        let transfer = try Self.transfer {
            $0.get(1, delivered: 400, .cut("rst"), at: 0)
            $0.get(2, from: 400, at: 100)
        }
        #expect(transfer.attempts.map(\.kind) == [.first, .resumed])
        #expect(transfer.isComplete)
        #expect(transfer.figures.wire == 1_000)
        #expect(transfer.figures.resentAvoidable == 0)
        #expect(transfer.gaps.map(\.length) == [.milliseconds(80)])
        #expect(transfer.gaps[0].followsProgress)
    }

    @Test func `who begins again although it could go on wastes bytes`() throws {
        let transfer = try Self.transfer {
            $0.get(1, delivered: 400, .cut("fin"), at: 0)
            $0.get(2, at: 100)
        }
        #expect(transfer.attempts.map(\.kind) == [.first, .restarted])
        #expect(transfer.figures.resentAvoidable == 400)
        #expect(transfer.figures.wire == 1_400)
        #expect(transfer.figures.payload == 1_000)
    }

    @Test(arguments: [[], [("ETag", "W/\"v1\"")]] as [Story.Fields])
    func `without a strong validator there is no other way`(answer: Story.Fields) throws {
        let transfer = try Self.transfer {
            $0.get(1, answer: answer, delivered: 400, .cut("fin"), at: 0)
            $0.get(2, answer: answer, at: 100)
        }
        #expect(transfer.attempts[1].kind == .forcedRestart)
        #expect(transfer.figures.resentForced == 400)
        #expect(transfer.figures.resentAvoidable == 0)
    }

    @Test func `a server that gives another part than the one asked for forces it`() throws {
        let transfer = try Self.transfer { story in
            story.get(1, delivered: 400, .cut("fin"), at: 0)
            story.connect(2, at: 100)
            story.request(2, "GET", "/big", [("Range", "bytes=400-")], at: 101)
            story.respond(
                2,
                206,
                [("Content-Range", "bytes 300-799/1000"), ("ETag", "\"v1\"")],
                framing: .length(500),
                at: 110
            )
            story.body(2, .response, 500, at: 120)
            story.get(3, at: 200)
        }
        #expect(transfer.attempts.map(\.kind) == [.first, .overlap, .forcedRestart])
        #expect(transfer.figures.resentAvoidable == 0)
        #expect(transfer.figures.resentForced == 900)
    }

    @Test func `a server that sends all again forces it, and so does another version`() throws {
        let refused = try Self.transfer {
            $0.get(1, delivered: 400, .cut("fin"), at: 0)
            $0.get(2, from: 400, status: 200, at: 100)
        }
        #expect(refused.attempts[1].kind == .forcedRestart)
        #expect(refused.figures.resentForced == 400)
        let changed = try Self.transfer {
            $0.get(1, delivered: 400, .cut("fin"), at: 0)
            $0.get(2, answer: [("ETag", "\"v2\"")], at: 100)
        }
        #expect(changed.attempts[1].kind == .forcedRestart)
        #expect(changed.attempts[1].isOtherVersion)
        #expect(changed.figures.payload == 1_000)
        #expect(changed.figures.abandoned == 400)
    }

    @Test func `overlap and gap are seen`() throws {
        let transfer = try Self.transfer {
            $0.get(1, delivered: 400, .cut("rst"), at: 0)
            $0.get(2, from: 300, delivered: 200, .cut("rst"), at: 100)
            $0.get(3, from: 700, at: 200)
        }
        #expect(transfer.attempts.map(\.kind) == [.first, .overlap, .gap])
        #expect(transfer.figures.resentAvoidable == 100)
        #expect(!transfer.isComplete)
        #expect(transfer.coverage.ranges == [0..<500, 700..<1_000])
    }

    @Test func `parts at once are no gaps`() throws {
        let transfer = try Self.transfer { story in
            story.connect(1, at: 0)
            story.connect(2, at: 0)
            for (connection, start) in [(1, 0), (2, 500)] {
                story.request(
                    connection,
                    "GET",
                    "/big",
                    [("Range", "bytes=\(start)-\(start + 499)")],
                    at: 1
                )
                story.respond(
                    connection,
                    206,
                    [("Content-Range", "bytes \(start)-\(start + 499)/1000")],
                    framing: .length(500),
                    at: 10
                )
            }
            story.body(1, .response, 500, at: 20)
            story.body(2, .response, 500, at: 20)
        }
        #expect(transfer.attempts.map(\.kind) == [.first, .next])
        #expect(transfer.isComplete)
    }

    @Test func `a part that is begun again while another is under way is no gap`() throws {
        let transfer = try Self.transfer { story in
            story.connect(1, at: 0)
            story.request(1, "GET", "/big", [("Range", "bytes=0-499")], at: 1)
            story.get(2, from: 500, delivered: 100, .cut("rst"), at: 2)
            story.get(3, from: 700, at: 100)
            story.respond(
                1,
                206,
                [("Content-Range", "bytes 0-499/1000")],
                framing: .length(500),
                at: 200
            )
            story.body(1, .response, 500, at: 210)
        }
        #expect(transfer.attempts.map(\.kind) == [.first, .next, .next])
    }

    @Test func `HEAD and redirects are probes of the download they lead to`() throws {
        let transfer = try Self.transfer { story in
            story.connect(1, at: 0)
            story.request(1, "HEAD", "/old", at: 1)
            story.respond(1, 200, [("Content-Length", "1000")], framing: .none, at: 2)
            story.request(1, r: 2, "GET", "/old", at: 3)
            story.respond(1, r: 2, 302, [("Location", "http://h:1/big")], at: 4)
            story.get(2, at: 10)
        }
        #expect(transfer.target == "/old")
        #expect(transfer.attempts.map(\.kind) == [.probe, .probe, .first])
        #expect(transfer.isComplete)
        #expect(!transfer.wasInterrupted)
    }

    @Test func `a download of an earlier process is continued`() throws {
        let transfer = try Self.transfer { $0.get(1, from: 600, at: 0) }
        #expect(transfer.attempts.map(\.kind) == [.resumed])
        #expect(transfer.figures.payload == 400)
        #expect(transfer.isComplete)
    }

    @Test func `a 416 finishes, a 503 moves nothing`() throws {
        let transfer = try Self.transfer {
            $0.get(1, delivered: 400, .cut("rst"), at: 0)
            $0.refuse(2, "GET", "/big", [("Range", "bytes=400-")], status: 503, at: 100)
            $0.refuse(3, "GET", "/big", [("Range", "bytes=400-")], status: 416, at: 200)
        }
        #expect(transfer.attempts.map(\.kind) == [.first, .resumed, .finish])
        #expect(transfer.attempts[1].bytes == 0)
        #expect(transfer.attempts[1].failure?.cause == .status(503))
    }

    @Test func `close-delimited content is complete at a FIN, a cut one is not`() throws {
        for isComplete in [true, false] {
            let transfer = try Self.transfer { story in
                story.connect(1, at: 0)
                story.request(1, "GET", "/x", at: 1)
                story.respond(1, 200, framing: .close, at: 2)
                story.body(1, .response, 77, isComplete: isComplete, at: 3)
                story.finish(1, isComplete ? .whole : .cut("rst"), at: 4)
            }
            #expect(transfer.isComplete == isComplete)
            #expect(transfer.size == nil)
        }
    }
}
