import Analysis
import Basics
import Journal
import Testing

@Suite struct RetryGapTests {
    @Test func `a request on a connection that was there counts by its head`() {
        var story = Story()
        story.connect(2, at: 0)
        story.get(1, delivered: 400, .cut("rst"), at: 10)
        story.request(2, "GET", "/big", [("Range", "bytes=400-")], at: 90)
        #expect(story.report().transfers[0].gaps.map(\.length) == [.milliseconds(60)])
    }

    @Test(arguments: [(20, 50), (100, 50), (150, 200)] as [(Int, Int64)])
    func `a connection that was opened in advance counts by its request`(
        delay: Int,
        milliseconds: Int64
    ) {
        var story = Story()
        story.get(1, delivered: 400, .cut("rst"), at: 10)
        story.connect(2, at: 80)
        story.request(2, "GET", "/big", [("Range", "bytes=400-")], at: 80 + delay)
        #expect(story.report().transfers[0].gaps.map(\.length) == [.milliseconds(milliseconds)])
    }

    @Test func `one that was already under way is no answer to a failure`() {
        var story = Story()
        story.connect(1, at: 0)
        story.request(1, "GET", "/big", [("Range", "bytes=0-499")], at: 1)
        story.connect(2, at: 0)
        story.request(2, "GET", "/big", [("Range", "bytes=500-")], at: 2)
        story.fault(1, "rst", at: 50)
        story.end(1, by: .fault, .rst, at: 50)
        story.get(3, from: 0, at: 150)
        let gaps = story.report().transfers[0].gaps
        #expect(gaps.map(\.length) == [.milliseconds(100)])
        #expect(gaps.map(\.failed) == [0])
    }

    @Test func `progress counts once, for the stretch that it begins`() {
        var story = Story()
        story.get(1, delivered: 400, .cut("rst"), at: 0)
        for number in 2...4 {
            story.get(number, from: 400, delivered: 0, .cut("rst"), at: number * 100)
        }
        story.get(5, from: 400, delivered: 100, .cut("rst"), at: 500)
        story.get(6, from: 500, at: 600)
        #expect(story.report().stretches.map(\.count) == [4, 1])
    }

    @Test func `gaps that the server asked for are not counted among the others`() {
        var story = Story()
        story.refuse(1, status: 503, at: 0)
        story.refuse(2, status: 503, answer: [("Retry-After", "1")], at: 110)
        story.refuse(3, status: 503, at: 1_220)
        story.get(4, at: 1_430)
        let report = story.report()
        #expect(report.transfers[0].gaps.count == 3)
        #expect(report.stretches == [[.milliseconds(100), .milliseconds(200)]])
    }
}
