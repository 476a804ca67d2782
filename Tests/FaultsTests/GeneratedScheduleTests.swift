import Basics
import Faults
import Testing
import TestSupport

@Suite struct GeneratedScheduleTests {
    @Test func `a generated schedule reads back as itself, however its faults are ordered`() throws
    {
        var numbers = SeededRandom(seed: 31)
        for _ in 0..<1_500 {
            let schedule = FaultSchedule(
                seed: Bool.random(using: &numbers) ? numbers.next() : nil,
                faults: (0..<Int.random(in: 0...6, using: &numbers)).map { _ in
                    Fault.random(using: &numbers)
                }
            )
            let text = schedule.canonicalText
            let read = try FaultSchedule(parsing: text)
            #expect(read.seed == schedule.seed)
            #expect(Set(read.faults) == Set(schedule.faults))
            #expect(read.canonicalText == text)
            let shuffled = FaultSchedule(
                seed: schedule.seed,
                faults: schedule.faults.shuffled(using: &numbers)
            )
            #expect(shuffled.canonicalText == text)
            for fault in schedule.faults {
                #expect(try Fault(parsing: fault.canonicalText) == fault)
            }
        }
    }

    @Test func `a mutated schedule is read or refused at a column of its own`() throws {
        var numbers = SeededRandom(seed: 32)
        for _ in 0..<6_000 {
            var bytes = Array(
                FaultSchedule(
                    seed: numbers.next(),
                    faults: [.random(using: &numbers), .random(using: &numbers)]
                ).canonicalText.utf8
            )
            for _ in 0..<Int.random(in: 1...3, using: &numbers) {
                bytes.mutate(using: &numbers)
            }
            let text = String(decoding: bytes, as: UTF8.self)
            do throws(ScheduleError) {
                let schedule = try FaultSchedule(parsing: text)
                let canonical = schedule.canonicalText
                #expect(try FaultSchedule(parsing: canonical).canonicalText == canonical)
            } catch {
                #expect((1...text.unicodeScalars.count + 1).contains(error.column))
                #expect(!error.description.isEmpty)
                #expect(!error.description.contains("\n"))
            }
        }
    }

    @Test func `the order of a schedule changes nothing on any connection`() throws {
        var numbers = SeededRandom(seed: 33)
        for _ in 0..<200 {
            let faults = Set((0..<8).map { _ in Fault.random(using: &numbers) }).sorted {
                $0.canonicalText < $1.canonicalText
            }
            let plan = FaultPlan(faults: faults, seed: 5)
            let shuffled = FaultPlan(faults: faults.shuffled(using: &numbers), seed: 5)
            for connection in 1...12 as ClosedRange<UInt32> {
                let one = plan.faults(onConnection: connection)
                let other = shuffled.faults(onConnection: connection)
                #expect(one.down == other.down)
                #expect(one.up == other.up)
                #expect((one.refusedBy == nil) == (other.refusedBy == nil))
                #expect(Set(one.draws) == Set(other.draws))
            }
        }
    }
}

extension Fault {
    static func random(using numbers: inout SeededRandom) -> Fault {
        let connections = OrdinalSelector.random(using: &numbers)
        if Bool.random(using: &numbers) { return .randomInRequest(using: &numbers) }
        if Int.random(in: 0..<6, using: &numbers) == 0 {
            return Fault(
                connections: connections,
                anchor: .connect,
                effect: .refuse(.random(in: 1...5, using: &numbers))
            )
        }
        return Fault(
            connections: connections,
            anchor: .byte(
                Bool.random(using: &numbers) ? .up : .down,
                Anchor.Offset.random(using: &numbers)
            ),
            effect: .random(using: &numbers),
            far: FarEnding.allCases.randomElement(using: &numbers) ?? .same
        )
    }
}

extension OrdinalSelector {
    fileprivate static func random(using numbers: inout SeededRandom) -> OrdinalSelector {
        let period = UInt32.random(in: 1...9, using: &numbers)
        let ordinals: Ordinals =
            Bool.random(using: &numbers)
            ? .one(.random(in: 1...12, using: &numbers))
            : .periodic(first: .random(in: 1...period, using: &numbers), period: period)
        let chance = Probability(.random(in: 0...1_000, using: &numbers), outOf: 1_000)
        return OrdinalSelector(ordinals, chance: Bool.random(using: &numbers) ? chance : nil)
    }
}

extension Anchor.Offset {
    fileprivate static func random(using numbers: inout SeededRandom) -> Self {
        let shift = UInt64.random(in: 1...63, using: &numbers)
        let low = numbers.next() >> shift
        let high = low + min(numbers.next() >> shift, ScheduleLimits.offset - low)
        return low == high || Bool.random(using: &numbers) ? .at(low) : .drawn(low...high)
    }
}

extension Effect {
    fileprivate static func random(using numbers: inout SeededRandom) -> Effect {
        let shift = UInt64.random(in: 24...63, using: &numbers)
        let duration = Duration(nanoseconds: Int64(numbers.next() >> shift) + 1)
        switch Int.random(in: 0..<7, using: &numbers) {
        case 0: return .reset
        case 1: return .finish
        case 2: return .hole(both: Bool.random(using: &numbers), for: nil)
        case 3: return .hole(both: Bool.random(using: &numbers), for: duration)
        case 4: return .stall(.time(duration))
        case 5: return .corrupt(within: nil)
        default:
            return BitRate(bitsPerSecond: numbers.next() >> shift + 1).map { .slow($0) } ?? .reset
        }
    }
}

extension [UInt8] {
    /// Replaces, drops, doubles or inserts one byte.
    fileprivate mutating func mutate(using numbers: inout SeededRandom) {
        let byte = UInt8.random(in: 0...255, using: &numbers)
        guard !isEmpty else { return append(byte) }
        let place = Int.random(in: 0..<count, using: &numbers)
        switch Int.random(in: 0..<4, using: &numbers) {
        case 0: self[place] = byte
        case 1: remove(at: place)
        case 2: insert(self[place], at: place)
        default: insert(byte, at: place)
        }
    }
}
