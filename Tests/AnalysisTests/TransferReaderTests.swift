import Analysis
import Basics
import Journal
import Testing

@Suite struct TransferReaderTests {
    @Test func `two objects are two downloads, one after the other two of one`() {
        var story = Story()
        story.get(1, at: 0)
        story.get(2, at: 100)
        story.refuse(3, "GET", "/other", status: 200, at: 200)
        let transfers = story.report().transfers
        #expect(transfers.map(\.target) == ["/big", "/big", "/other"])
    }

    @Test func `the same download twice at once is two`() {
        var story = Story()
        for connection in [1, 2] {
            story.connect(connection, at: 0)
            story.request(connection, "GET", "/big", at: 1)
        }
        #expect(story.report().transfers.count == 2)
    }

    @Test func `a client that lost its patience goes on with the same download`() throws {
        for clientEnd in [2_000, nil] {
            var story = Story()
            story.connect(1, at: 0)
            story.request(1, "GET", "/big", at: 1)
            story.respond(1, 200, [("ETag", "\"v1\"")], framing: .length(1_000), at: 10)
            story.fault(1, "hole", at: 20)
            story.get(2, at: 3_000)
            story.body(1, .response, 400, isComplete: false, at: 9_000)
            story.end(1, by: .fault, .hole, clientEnd: clientEnd, at: 9_000)
            let transfers = story.report().transfers
            try #require(transfers.count == 1)
            #expect(transfers[0].attempts.map(\.kind) == [.first, .restarted])
            #expect(transfers[0].tryCount == 2)
            #expect(
                transfers[0].gaps.map(\.length)
                    == (clientEnd.map { _ in [.seconds(1)] } ?? [])
            )
        }
    }

    @Test func `of two clients that fetch the same, one goes on where its own download broke off`()
        throws
    {
        var story = Story()
        for connection in [1, 2] {
            let time = connection * 10
            story.connect(connection, at: time)
            story.request(connection, "GET", "/big", at: time + 1)
            story.respond(connection, 200, [("ETag", "\"v1\"")], framing: .length(1_000), at: 50)
        }
        story.fault(2, "stall(9s)", at: 60)
        story.fault(1, "rst", at: 99)
        story.body(1, .response, 400, isComplete: false, at: 100)
        story.end(1, by: .fault, .rst, at: 100)
        story.get(3, from: 400, at: 500)
        story.body(2, .response, 300, isComplete: false, at: 9_110)
        story.end(2, by: .client, at: 9_111)
        let transfers = story.report().transfers
        #expect(transfers.map { $0.attempts.map(\.connection.ordinal) } == [[1, 3], [2]])
        #expect(transfers.first?.attempts.map(\.kind) == [.first, .resumed])
    }

    @Test func `a refused connect belongs to the transfer that had failed`() throws {
        var story = Story()
        story.get(1, delivered: 400, .cut("rst"), at: 0)
        story.connect(2, at: 100)
        story.fault(2, r: nil, "refuse(1)", at: 100)
        story.end(2, by: .fault, .refused, down: 0, up: 0, at: 100)
        story.get(3, from: 400, at: 300)
        let transfers = story.report().transfers
        try #require(transfers.count == 1)
        #expect(transfers[0].attempts.map(\.kind) == [.first, .connect, .resumed])
        #expect(transfers[0].attempts[1].failure?.cause == .turnedAway)
        #expect(transfers[0].gaps.map(\.length) == [.milliseconds(80), .milliseconds(200)])
        #expect(transfers[0].tryCount == 3)
    }

    @Test func `a connect that was never answered failed when the client gave up`() throws {
        var story = Story()
        story.connect(1, at: 0)
        story.fault(1, r: nil, "silent", at: 0)
        story.end(1, by: .client, .hole, down: 0, up: 0, at: 2_000)
        story.get(2, at: 2_500)
        let transfers = story.report().transfers
        try #require(transfers.count == 1)
        #expect(transfers[0].gaps.map(\.length) == [.milliseconds(500)])
    }

    @Test func `bytes that a stall kept for a client that had left are not its bytes`() throws {
        var story = Story()
        story.connect(1, at: 0)
        story.request(1, "GET", "/big", at: 1)
        story.respond(1, 200, [("ETag", "\"v1\"")], framing: .length(1_000), at: 10)
        story.fault(1, "stall(5s)", at: 20)
        story.get(2, from: 1, at: 3_000)
        story.body(1, .response, 1_000, at: 5_020)
        story.end(1, by: .client, clientEnd: 2_020, at: 5_021)
        let transfers = story.report().transfers
        try #require(transfers.count == 1)
        #expect(transfers[0].attempts.map(\.bytes) == [1, 999])
        #expect(transfers[0].attempts.map(\.kind) == [.first, .resumed])
    }

    @Test func `refused before anything else, it belongs to what comes first`() throws {
        var story = Story()
        story.connect(1, at: 0)
        story.end(1, by: .fault, .refused, down: 0, up: 0, at: 0)
        story.get(2, at: 500)
        let transfers = story.report().transfers
        try #require(transfers.count == 1)
        #expect(transfers[0].attempts.map(\.kind) == [.connect, .first])
        #expect(transfers[0].gaps.map(\.length) == [.milliseconds(500)])
    }

    @Test func `refused connects lie between the attempts of the transfer that failed last`() throws
    {
        var story = Story()
        story.get(1, delivered: 400, .cut("rst"), at: 0)
        story.refuse(2, "GET", "/other", status: 503, at: 200)
        for (connection, time) in [(3, 300), (4, 400), (6, 700)] {
            story.connect(connection, at: time)
            story.fault(connection, r: nil, "refuse(9)", at: time)
            story.end(connection, by: .fault, .refused, down: 0, up: 0, at: time)
        }
        story.refuse(5, "GET", "/other", status: 503, at: 500)
        story.get(7, from: 400, at: 900)
        story.refuse(8, "GET", "/other", status: 200, at: 950)
        let transfers = story.report().transfers
        #expect(transfers.map(\.target) == ["/big", "/other"])
        #expect(transfers[0].attempts.map(\.kind) == [.first, .resumed])
        #expect(
            transfers[1].attempts.map(\.connection.ordinal) == [2, 3, 4, 5, 6, 8]
        )
    }

    @Test func `of many downloads at once each goes on, and a complete one only with a range`() {
        var story = Story()
        story.get(1, at: 0)
        for connection in 2...4 {
            story.connect(connection, at: 100)
            story.request(connection, "GET", "/big", at: 100 + connection)
        }
        story.get(5, from: 400, at: 200)
        story.get(6, at: 300)
        let transfers = story.report().transfers
        #expect(
            transfers.map { $0.attempts.map(\.connection.ordinal) } == [
                [1], [2], [3], [4, 5], [6],
            ]
        )
    }

    @Test func `encrypted connections are one transfer of which little is known`() throws {
        var story = Story()
        for number in 1...3 {
            story.connect(number, at: number * 100)
            story.add(
                .opaque(OpaqueReport(Story.id(number).connection, .request, reason: "not-http")),
                at: number * 100 + 1
            )
            story.fault(number, r: nil, "rst", at: number * 100 + 10)
            story.end(number, by: .fault, .rst, at: number * 100 + 10)
        }
        let report = story.report()
        try #require(report.transfers.count == 1)
        #expect(report.transfers[0].kind == .opaque)
        #expect(report.transfers[0].tryCount == 3)
        #expect(report.stretches.isEmpty)
        #expect(report.result(.b1).verdict == .skipped)
    }

    @Test func `an idle connection is no attempt`() {
        var story = Story()
        story.connect(1, at: 0)
        story.get(2, at: 10)
        story.end(1, down: 0, up: 0, at: 50)
        #expect(story.report().transfers.map(\.attempts.count) == [1])
    }
}
