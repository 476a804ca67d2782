import Basics
import LinkEngine
import Testing

/// TCP connections that exist on the link alone.
struct CrossTrafficTests {
    private func settings(flows: Int, _ direction: Direction = .down) throws -> LinkSettings {
        var settings = LinkSettings()
        let rate = try #require(BitRate(bitsPerSecond: 10_000_000))
        for way in Direction.allCases {
            settings[way].capacity = .rate(rate)
            settings[way].delay = .milliseconds(15)
            settings[way].queue = .packets(25)
        }
        settings.crossTraffic = flows > 0 ? CrossTraffic(flows: flows, direction: direction) : nil
        return settings
    }

    private struct Download {
        var completion: Instant?
        var delivered = 0
        var events = 0
        var records = 0
    }

    /// One real download of `count` bytes.
    private func download(_ count: Int, _ settings: LinkSettings, seed: UInt64 = 7) -> Download {
        var link = Link(settings: settings, seed: seed)
        link.keepsRecords = true
        let stream = Stream(connection: 0, direction: .down)
        link.open(0, at: .start)
        link.send(count, on: stream, at: .start)
        var download = Download()
        while let next = link.nextDeadline, next < .start + .seconds(120) {
            link.advance(to: next)
            while let event = link.nextEvent() {
                download.events += 1
                switch event.kind {
                case .deliver(stream, let count): download.delivered += count
                case .writable(stream): break
                default: Issue.record("\(event)")
                }
                if download.delivered == count, download.completion == nil {
                    download.completion = event.at
                }
            }
            for record in link.takeRecords() {
                #expect(record.stream.connection == 0)
                download.records += 1
            }
            if download.completion != nil { break }
        }
        return download
    }

    @Test func `a download beside cross traffic gets its share of the rate`() throws {
        let bytes = 10_000_000
        let alone = try #require(download(bytes, try settings(flows: 0)).completion)
        for flows in [1, 3] {
            let beside = download(bytes, try settings(flows: flows))
            let completion = try #require(beside.completion)
            let share = Double(alone.nanoseconds) / Double(completion.nanoseconds)
            let fair = 1 / Double(flows + 1)
            #expect(share > 0.6 * fair && share < 1.6 * fair, "\(flows): \(share)")
            #expect(beside.delivered == bytes)
        }
    }

    @Test func `cross traffic the other way takes little`() throws {
        let alone = try #require(download(3_000_000, try settings(flows: 0)).completion)
        let beside = try #require(download(3_000_000, try settings(flows: 1, .up)).completion)
        #expect(beside > alone)
        #expect(beside.nanoseconds < alone.nanoseconds * 2)
    }

    @Test func `the same seed has the same packets`() throws {
        let settings = try settings(flows: 2)
        let first = download(2_000_000, settings)
        let second = download(2_000_000, settings)
        #expect(first.completion == second.completion && first.records == second.records)
    }

    @Test func `it begins with the first connection or flow, and ends with the last`() throws {
        var link = Link(settings: try settings(flows: 4), seed: 7)
        link.advance(to: .start + .seconds(1))
        #expect(link.nextDeadline == nil && link.packetCount == 0)
        let flow = link.openFlow(0, at: .start + .seconds(1))
        link.advance(to: .start + .seconds(2))
        link.open(5, at: .start + .seconds(2))
        link.remove(5, at: .start + .seconds(3))
        let before = link.packetCount
        link.advance(to: .start + .seconds(4))
        // 833 packets a second fill the link.
        #expect(link.packetCount - before > 800)
        link.remove(flow, at: .start + .seconds(4))
        let after = link.packetCount
        link.advance(to: .start + .seconds(9))
        #expect(link.packetCount == after)
        _ = link.openFlow(1, at: .start + .seconds(9))
        link.advance(to: .start + .seconds(10))
        #expect(link.packetCount > after)
        #expect(link.nextEvent() == nil)
    }

    @Test func `datagrams are lost when it fills the queue, and others are not`() throws {
        func lost(_ settings: LinkSettings) -> [UInt64] {
            var link = Link(settings: settings, seed: 7)
            let flow = link.openFlow(0, at: .start)
            let stream = Stream(connection: flow, direction: .down)
            for number in 0..<2_000 {
                let time = Instant.start + .milliseconds(Int64(number) * 5)
                link.sendDatagram(UInt64(number), payload: 1_200, on: stream, at: time)
            }
            link.advance(to: .start + .seconds(20))
            var lost: [UInt64] = []
            while let event = link.nextEvent() {
                if case .lost(_, let number, .full) = event.kind { lost.append(number) }
            }
            return lost
        }
        #expect(lost(try settings(flows: 0)).isEmpty)
        let beside = lost(try settings(flows: 1))
        #expect(!beside.isEmpty && beside.count < 200)
        #expect(lost(try settings(flows: 1)) == beside)
    }

    @Test func `other settings begin and end it, and without a rate there is none`() throws {
        var link = Link(settings: try settings(flows: 0), seed: 7)
        _ = link.openFlow(0, at: .start)
        var now = Instant.start + .seconds(1)
        func packets(within seconds: Int64, _ settings: LinkSettings) -> UInt64 {
            link.apply(settings, at: now)
            let before = link.packetCount
            now = now + .seconds(seconds)
            link.advance(to: now)
            return link.packetCount - before
        }
        #expect(packets(within: 1, try settings(flows: 0)) == 0)
        #expect(packets(within: 1, try settings(flows: 1)) > 500)
        #expect(link.queued(.down).packets > 0 && link.queued(.up).packets == 0)
        #expect(packets(within: 1, try settings(flows: 1, .up)) > 500)
        #expect(link.queued(.down).packets == 0 && link.queued(.up).packets > 0)
        var unlimited = try settings(flows: 1)
        unlimited.down.capacity = .unlimited
        #expect(packets(within: 1, unlimited) == 0)
        #expect(packets(within: 1, try settings(flows: 2)) > 500)
        #expect(packets(within: 1, try settings(flows: 0)) == 0)
    }
}
