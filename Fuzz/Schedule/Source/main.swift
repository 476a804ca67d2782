// Invariant: any text is refused in one line at a column of its own, or is a schedule whose
// canonical text reads back as itself; and on every connection the gates of that schedule pass the
// same bytes and faults however the bytes are cut, no byte after a fault; and so does the gate for
// messages.

import Basics
import Faults
import FuzzSupport

fuzz { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    do throws(ScheduleError) {
        let schedule = try FaultSchedule(parsing: text)
        let canonical = schedule.canonicalText
        let again = try? FaultSchedule(parsing: canonical)
        require(again?.canonicalText == canonical, "canonical text reads back as itself")
        let plan = FaultPlan(faults: schedule.faults, seed: schedule.seed ?? 0)
        for connection in [1, 2, 3, 7, .max] as [UInt32] {
            drive(plan.faults(onConnection: connection))
        }
        let whole = MessageDrive.account(of: plan, slice: 4_096)
        for slice in [1, 7] {
            let account = MessageDrive.account(of: plan, slice: slice)
            require(account == whole, "slices of \(slice) bytes change nothing for messages")
        }
    } catch {
        let columns = 1...text.unicodeScalars.count + 1
        require(columns.contains(error.column), "a mistake has a column in the text")
        require(!error.description.utf8.contains { $0 < 0x20 }, "a message is one plain line")
    }
}

private func drive(_ faults: ConnectionFaults) {
    for direction in Direction.allCases {
        let whole = log(of: FaultGate(faults: faults), direction, slice: TestStream.length)
        require(
            log(of: FaultGate(faults: faults), direction, slice: 4_099) == whole,
            "slices of 4,099 bytes change nothing"
        )
    }
}

/// The stream that every gate is driven with.
private enum TestStream {
    static let length = 1 << 20
}

/// What a gate does with a stream, one line for each fault and for the end.
private func log(of start: consuming FaultGate, _ direction: Direction, slice: Int) -> [String] {
    var gate = start
    var rest = TestStream.length
    var log: [String] = []
    while true {
        let offer = min(rest, slice)
        switch gate.next(direction, available: offer, ended: offer == rest) {
        case .pass(let count, _):
            require((1...max(offer, 1)).contains(count), "only waiting bytes pass")
            rest -= count
        case .act(let fault):
            require(UInt64(TestStream.length - rest) == fault.offset, "a fault acts at its offset")
            log.append(fault.id)
        case .finish: return log + ["end"] + gate.unfired(direction).map { "\($0)" }
        case .drop, .insert, .endPace:
            require(false, "a gate that reads nothing changes nothing")
        case .wait:
            require(!gate.isOpen(direction), "an open gate has an answer for waiting bytes")
            gate.resume(direction)
            if !gate.isOpen(direction) { return log + gate.unfired(direction).map { "\($0)" } }
        }
    }
}
