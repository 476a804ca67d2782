import TestSupport
import Testing

@testable import LinkEngine
@testable import Basics

@Suite struct RingTests {
    @Test func `positions stay while elements come and go`() {
        var ring = Ring<Int>()
        var model: [Int] = []
        var random = SeededRandom(seed: 1)
        for step in 0..<5_000 {
            if random.below(5) < 3 || model.isEmpty {
                ring.append(step)
                model.append(step)
            } else {
                let element = ring.removeFirst()
                #expect(element == model.removeFirst())
            }
            #expect(ring.count == model.count)
            #expect((ring.first..<ring.end).map { ring[$0] } == model)
            if model.count > 40 {
                ring.removeAll()
                model.removeAll()
            }
        }
    }

    @Test func `what lies before a position goes, and no more than there is`() {
        var ring = Ring<Int>()
        for element in 0..<20 { ring.append(element) }
        ring.removeAll(before: 5)
        #expect(ring.first == 5 && ring[5] == 5)
        ring.removeAll(before: 3)
        #expect(ring.first == 5)
        ring.removeAll(before: 99)
        #expect(ring.isEmpty && ring.end == 20)
    }
}

@Suite struct ScratchTests {
    @Test func `what is emptied fills again from the start`() {
        var scratch = Scratch<Int>()
        for round in 0..<3 {
            for element in 0..<4 - round { scratch.append(round * 10 + element) }
            let elements = (0..<scratch.count).map { scratch[$0] }
            #expect(elements == (0..<4 - round).map { round * 10 + $0 })
            scratch.removeAll()
            #expect(scratch.isEmpty)
        }
    }
}

@Suite struct ArrivalLineTests {
    private func packet(_ slot: UInt32, due: Int64) -> Packet {
        var packet = Packet(kind: .data)
        packet.slot = Int32(slot)
        packet.due = Instant(nanoseconds: due)
        return packet
    }

    @Test func `packets that would overtake are refused and the others come in order`() {
        var line = ArrivalLine()
        #expect(line.next == .never)
        let offered: [(UInt32, Int64)] = [(3, 5), (2, 5), (3, 5), (4, 5), (1, 6), (9, 5), (0, 7)]
        let taken = offered.map { line.append(packet($0.0, due: $0.1), of: $0.0) }
        #expect(taken == [true, false, true, true, true, false, true])
        var left: [Int64] = []
        while line.next != .never {
            #expect(line.nextOwner.slot == [3, 3, 4, 1, 0][left.count])
            left.append(line.next.nanoseconds)
            let packet = line.arrive()
            #expect(packet.due.nanoseconds == left.last)
        }
        #expect(left == [5, 5, 5, 6, 7])
        // An empty line takes what comes, however early.
        let again = line.append(packet(0, due: 1), of: 0)
        #expect(again && line.next.nanoseconds == 1)
    }
}

@Suite struct SegmentRangesTests {
    @Test func `ranges hold exactly what was put in, and report what was new`() {
        for seed in 0..<40 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            var ranges = SegmentRanges()
            var model: Set<Int> = []
            var floor = 0
            for _ in 0..<200 {
                let start = floor + random.below(80)
                let range = start..<start + 1 + random.below(12)
                var fresh: [Int] = []
                ranges.insert(range) { fresh += Array($0) }
                #expect(fresh == range.filter { !model.contains($0) })
                model.formUnion(range)
                if random.below(10) == 0 {
                    floor += random.below(20)
                    ranges.removeAll(below: floor)
                    model = model.filter { $0 >= floor }
                }
                #expect(ranges.ranges.flatMap { Array($0) } == model.sorted())
                #expect(
                    zip(ranges.ranges, ranges.ranges.dropFirst())
                        .allSatisfy { $0.upperBound < $1.lowerBound }
                )
            }
        }
    }
}

@Suite struct OutOfOrderQueueTests {
    @Test func `segments in any order come out in order, each once`() {
        for seed in 0..<40 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            var queue = OutOfOrderQueue()
            var order = Array(1...60)
            for place in order.indices { order.swapAt(place, random.below(order.count)) }
            var arrived: Set<Int> = []
            for number in order {
                let bytes = Int64(number) * 10..<Int64(number) * 10 + 10
                let inserted = (0..<2).map { _ in queue.insert(number, bytes: bytes) }
                #expect(inserted == [true, false])
                arrived.insert(number)
                #expect(queue.bytes == Int64(arrived.count) * 10)
                let blocks = queue.sackBlocks
                #expect(blocks.count >= 1 && blocks[0].contains(number))
                for place in 0..<blocks.count {
                    #expect(blocks[place].allSatisfy { arrived.contains($0) })
                }
            }
            let block = queue.removeBlock(startingAt: 1)
            #expect(block?.segments == 1..<61 && block?.bytes == 10..<610)
            #expect(queue.isEmpty && queue.bytes == 0 && queue.sackBlocks.count == 0)
        }
    }
}

@Suite struct EventHeapTests {
    @Test func `wake-ups come by time and then by order`() {
        var random = SeededRandom(seed: 3)
        var heap = EventHeap()
        var model: [(Int64, UInt64)] = []
        func compare(_ a: (Int64, UInt64), _ b: (Int64, UInt64)) -> Bool { a < b }
        for _ in 0..<3_000 {
            if random.below(3) > 0 || model.isEmpty {
                let entry = (Int64(random.below(50)), UInt64(random.below(1_000)))
                heap.push(
                    EventHeap.Entry(
                        time: Instant(nanoseconds: entry.0),
                        order: entry.1,
                        target: 0,
                        generation: 0
                    )
                )
                model.append(entry)
                model.sort(by: compare)
            } else {
                let expected = model.removeFirst()
                let got = heap.popFirst()
                #expect(got?.time.nanoseconds == expected.0 && got?.order == expected.1)
            }
        }
    }
}

@Suite struct ScoreboardTests {
    @Test func `counts follow the marks of the segments through any history`() {
        for seed in 0..<30 as Range<UInt64> {
            var random = SeededRandom(seed: seed)
            var board = Scoreboard()
            var now = Instant.start
            for _ in 0..<400 {
                now = now + .milliseconds(1)
                step(&board, &random, now)
                check(board)
            }
        }
    }

    private func step(_ board: inout Scoreboard, _ random: inout SeededRandom, _ now: Instant) {
        let size = board.outstanding
        switch random.below(6) {
        case 0, 1:
            board.append(Segment(offset: 0, length: 1, carriesFIN: false, sentAt: now))
        case 2 where size > 0:
            let number = board.una + random.below(size)
            if !board[number].isSacked { board.markLost(number) }
        case 3 where size > 0:
            if let number = board.nextToResend() { board.resend(number, at: now) }
        case 4 where size > 1:
            let start = board.una + 1 + random.below(size - 1)
            board.sack(start..<start + 1 + random.below(4)) { _, _ in }
        case 5 where size > 0 && random.below(3) == 0:
            _ = board.removeFirst()
            board.forgetSacks(below: board.una)
        default: break
        }
    }

    private func check(_ board: Scoreboard) {
        let segments = (board.una..<board.next).map { board[$0] }
        #expect(board.sackedCount == segments.count { $0.isSacked })
        #expect(board.lostCount == segments.count { $0.isLost })
        #expect(board.resentCount == segments.count { $0.isResent })
        #expect(segments.allSatisfy { !($0.isSacked && $0.isLost) })
        var listed: [Int] = []
        var number = board.oldestSent
        while number >= 0, listed.count <= segments.count {
            listed.append(number)
            number = board[number].later
        }
        let orders = listed.map { board[$0].order }
        #expect(orders == orders.sorted())
        let expected = (board.una..<board.next).filter {
            !board[$0].isSacked && (!board[$0].isLost || board[$0].isResent)
        }
        #expect(listed.sorted() == expected)
    }
}
