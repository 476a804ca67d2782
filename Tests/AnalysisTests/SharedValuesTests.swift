import Basics
import Journal
import Testing

@testable import Analysis

/// What of a long run is kept.
@Suite struct SharedValuesTests {
    /// Downloads of one object, each on a connection of its own, each with a date of its own.
    private static func downloads(_ count: Int) -> Story {
        var story = Story()
        for ordinal in 1...count {
            let date = "Sat, 01 Aug 2026 12:00:\(ordinal % 60) GMT"
            story.get(
                ordinal,
                answer: [("ETag", "\"a-long-tag-of-one-version\""), ("Date", date)],
                at: ordinal * 100
            )
        }
        return story
    }

    private static func kept(of story: Story, needsDates: Bool = false) -> Int {
        var transcript = Transcript(needsDates: needsDates)
        for record in story.records { transcript.add(record) }
        #expect(transcript.exchanges.count == (story.records.count - 1) / 5)
        return transcript.shared.count
    }

    @Test func `equal messages are kept once, however many there are`() {
        let few = Self.kept(of: Self.downloads(10))
        #expect(few > 0)
        #expect(Self.kept(of: Self.downloads(1_000)) == few)
    }

    @Test func `dates are kept where an archive is to tell of them`() {
        let few = Self.kept(of: Self.downloads(10), needsDates: true)
        #expect(Self.kept(of: Self.downloads(20), needsDates: true) == few + 20)
        let transcript = Transcript(Self.downloads(2).records)
        #expect(
            transcript.exchanges.map { $0.response?.value.fields["date"] }
                == ["Sat, 01 Aug 2026 12:00:1 GMT", "Sat, 01 Aug 2026 12:00:2 GMT"]
        )
    }

    @Test func `a date from which a wait is counted stays`() {
        let answer: Story.Fields = [
            ("Date", "Sat, 01 Aug 2026 12:00:00 GMT"),
            ("Retry-After", "Sat, 01 Aug 2026 12:00:07 GMT"),
        ]
        var story = Story()
        story.refuse(1, status: 503, answer: answer, at: 0)
        story.get(2, at: 8_000)
        var reading = RunReading(isForArchive: false)
        for record in story.records { reading.add(record) }
        let report = RunReport(emptying: &reading)
        #expect(report.transfers.first?.failures.map(\.retryAfter) == [.seconds(7)])
        let whole = story.report()
        #expect(report.transfers == whole.transfers)
        #expect(report.checks == whole.checks)
        #expect(report.findings == whole.findings)
    }

    @Test func `downloads that are through are not followed any more`() {
        var reader = TransferReader(transcript: Transcript(Self.downloads(100).records))
        reader.addAll()
        #expect(reader.followedCount == 1)
        #expect(reader.concluded().count == 100)
    }

    @Test func `an exchange and an attempt without anything special take little room`() {
        #expect(MemoryLayout<Exchange>.stride <= 304)
        #expect(MemoryLayout<Attempt>.stride <= 224)
    }
}
