import TestSupport
import Testing

@testable import LinkEngine
@testable import Basics

@Suite struct BottleneckTests {
    private func data(_ payload: UInt16) -> Packet {
        var packet = Packet(kind: .data)
        packet.payload = Int(payload)
        return packet
    }

    private func rate(_ bits: UInt64) -> Capacity {
        BitRate(bitsPerSecond: bits).map { .rate($0) } ?? .unlimited
    }

    private func make(_ capacity: Capacity, _ limit: QueueLimit) -> Bottleneck {
        Bottleneck(capacity: capacity, limit: limit, roundTrip: .zero, origin: .start)
    }

    @Test func `a packet waits for those before it and takes its own serialization time`() {
        var queue = make(rate(12_000_000), .packets(10))
        for _ in 0..<3 { _ = queue.accept(data(1_448), at: .start) }
        let left = (0..<3).map { _ in queue.depart().due }
        #expect(left == [1, 2, 3].map { .start + .milliseconds($0) })
    }

    @Test func `the limit counts what waits and not what is being sent`() {
        var queue = make(rate(12_000_000), .packets(2))
        let taken = (0..<5).map { _ in queue.accept(data(1_448), at: .start) }
        #expect(taken == [true, true, true, false, false])
        let waiting = queue.waiting(at: .start).packets
        #expect(waiting == 2)
        // After 1 ms the next is being sent and one place is free.
        let later = (0..<2).map { _ in
            queue.accept(data(1_448), at: .start + .milliseconds(1))
        }
        #expect(later == [true, false])
    }

    @Test func `a limit in bytes takes what fits`() {
        var queue = make(rate(12_000_000), .bytes(3_000))
        let taken = [1_448, 1_448, 1_000, 448, 1].map { (size: UInt16) in
            queue.accept(data(size), at: .start)
        }
        // One in service; 1,500 + 1,052 wait; 500 does not fit into 448, 53 does.
        #expect(taken == [true, true, true, false, true])
        let waiting = queue.waiting(at: .start).bytes
        #expect(waiting == 2_605)
    }

    @Test func `what just fits into a limit in bytes is taken`() {
        var queue = make(rate(12_000_000), .bytes(3_000))
        let taken = (0..<4).map { _ in queue.accept(data(1_448), at: .start) }
        #expect(taken == [true, true, true, false])
    }

    @Test(arguments: [QueueLimit.bytes(1_000), .packets(0)])
    func `what finds the link idle is taken whatever the limit`(limit: QueueLimit) {
        var queue = make(rate(12_000_000), limit)
        let taken = [0, 0, 1].map { (milliseconds: Int64) in
            queue.accept(data(1_448), at: .start + .milliseconds(milliseconds))
        }
        #expect(taken == [true, false, true])
    }

    @Test func `without a limit nothing overtakes what waits still`() {
        var queue = make(rate(12_000_000), .packets(10))
        _ = queue.accept(data(1_448), at: .start)
        let end = Instant.start + .milliseconds(1)
        queue.apply(capacity: .unlimited, limit: .packets(10), roundTrip: .zero, at: end)
        #expect(!queue.isBypassed(at: end))
        _ = queue.depart()
        #expect(queue.isBypassed(at: end))
    }

    @Test func `a new rate holds for the next packet, which may be as long as the last`() {
        var queue = make(rate(12_000_000), .packets(10))
        _ = queue.accept(data(1_448), at: .start)
        queue.apply(
            capacity: rate(6_000_000),
            limit: .packets(10),
            roundTrip: .zero,
            at: .start
        )
        _ = queue.accept(data(1_448), at: .start)
        let left = (0..<2).map { _ in queue.depart().due }
        #expect(left == [1, 3].map { .start + .milliseconds($0) })
    }

    @Test func `automatic is fifty packets or one bandwidth-delay product`() {
        func limit(_ bits: UInt64, _ trip: Duration) -> QueueLimit {
            Bottleneck.resolve(.automatic, capacity: rate(bits), roundTrip: trip)
        }
        #expect(limit(1_000_000, .milliseconds(100)) == .packets(50))
        #expect(limit(120_000_000, .milliseconds(100)) == .packets(1_000))
        #expect(limit(1_000_000_000_000, .seconds(1_000_000)) == .packets(83_333_333_333_333))
    }

    @Test func `a packet leaves with the opportunity that takes its last byte`() throws {
        let trace = try #require(
            DeliveryTrace(opportunitiesMilliseconds: [2, 2, 5, 10])
        )
        var queue = make(.trace(trace), .packets(100))
        for payload in [700, 748, 1_448, 1_448, 1_448] as [UInt16] {
            _ = queue.accept(data(payload), at: .start)
        }
        // 752 and 748 share the first; 52 more bytes of the second pass into the next, and so on.
        let left = (0..<5).map { _ in queue.depart().due.nanoseconds / 1_000_000 }
        #expect(left == [2, 2, 5, 10, 12])
    }

    @Test func `packets that arrive just at an opportunity share its bytes`() throws {
        let trace = try #require(DeliveryTrace(opportunitiesMilliseconds: [5, 10]))
        var queue = make(.trace(trace), .packets(100))
        for _ in 0..<3 { _ = queue.accept(data(700), at: .start + .milliseconds(5)) }
        // 752 bytes each: the second needs four more than the first has left of 1,500.
        let left = (0..<3).map { _ in queue.depart().due }
        #expect(left == [5, 10, 10].map { .start + .milliseconds($0) })
    }

    @Test func `an unused opportunity is lost, and the trace repeats with its last time`() throws {
        let trace = try #require(DeliveryTrace(opportunitiesMilliseconds: [3, 7]))
        var queue = make(.trace(trace), .packets(100))
        var left: [Int64] = []
        for arrival in [0, 4, 8, 9, 1_000_003, 1_000_008] as [Int64] {
            _ = queue.accept(data(1_448), at: .start + .milliseconds(arrival))
            left.append(queue.depart().due.nanoseconds / 1_000_000)
        }
        // Opportunities at 3, 7, 10, 14, 17, 21, …: 7k + 3 and 7k + 7.
        #expect(left == [3, 7, 10, 14, 1_000_006, 1_000_009])
    }

    @Test func `a delivery opportunity that has passed takes nothing from the next`() throws {
        let trace = try #require(DeliveryTrace(opportunitiesMilliseconds: [5, 10]))
        var queue = make(.trace(trace), .packets(100))
        _ = queue.accept(data(700), at: .start)
        #expect(queue.depart().due == .start + .milliseconds(5))
        _ = queue.accept(data(1_448), at: .start + .milliseconds(6))
        #expect(queue.depart().due == .start + .milliseconds(10))
    }

    @Test func `a constant rate and its trace of slots agree within a slot`() throws {
        let slots = (1...1_000 as ClosedRange<UInt32>).map { $0 }
        let trace = try #require(DeliveryTrace(opportunitiesMilliseconds: slots))
        #expect(trace.meanBitsPerSecond == 12_000_000)
        var traced = make(.trace(trace), .packets(10_000))
        var rated = make(rate(12_000_000), .packets(10_000))
        var random = SeededRandom(seed: 8)
        var now = Instant.start
        for _ in 0..<5_000 {
            now = now + .microseconds(Int64(random.below(2_000)))
            let packet = data(UInt16(random.below(1_448) + 1))
            _ = traced.accept(packet, at: now)
            _ = rated.accept(packet, at: now)
            let difference = traced.depart().due - rated.depart().due
            // A slot comes at once where the rate takes its time: at most one slot earlier.
            #expect(difference >= .zero - .milliseconds(1))
        }
    }
}

@Suite struct OutageClockTests {
    private func clock(_ schedule: Outages.Schedule) -> OutageClock {
        OutageClock(
            outages: Outages(schedule: schedule),
            random: AddressedRandom(seed: 2),
            direction: .up,
            origin: .start
        )
    }

    @Test func `windows begin and end at their instants and repeat with the period`() {
        var clock = clock(
            .windows(
                [
                    .init(at: .milliseconds(10), length: .milliseconds(5)),
                    .init(at: .milliseconds(30), length: .milliseconds(1)),
                ],
                period: .milliseconds(100)
            )
        )
        var inside: [Int64] = []
        for time in 0..<250 as Range<Int64>
        where clock.outageEnd(at: .start + .milliseconds(time)) != nil {
            inside.append(time)
        }
        let once = [10, 11, 12, 13, 14, 30] as [Int64]
        #expect(inside == once + once.map { $0 + 100 } + once.map { $0 + 200 })
    }

    @Test func `random outages cover the share that their means say`() {
        var clock = clock(.random(meanUp: .milliseconds(300), meanDown: .milliseconds(100)))
        let covered = (0..<2_000_000 as Range<Int64>).count {
            clock.outageEnd(at: .start + .milliseconds($0)) != nil
        }
        // 5,000 cycles; standard error of the share about 0.0037; the bound is four of them.
        #expect(abs(Double(covered) / 2_000_000 - 0.25) < 0.015)
    }

    @Test func `no outage is ever reported without one`() {
        for schedule in [.never, .windows([], period: .seconds(1))] as [Outages.Schedule] {
            var clock = clock(schedule)
            let end = clock.outageEnd(at: .start + .seconds(1_000_000))
            #expect(end == nil)
        }
    }
}
