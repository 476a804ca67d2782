package import Basics

// Quantities in the text of faults.
extension FaultScanner {
    package func duration(
        of text: String,
        at start: Int,
        or alternative: String? = nil
    ) throws(ScheduleError) -> Duration {
        let duration = try quantity(at: start, or: alternative) { () throws(QuantityError) in
            try Quantity.duration(text)
        }
        guard duration > .zero else {
            throw error(
                "'\(text)' is no time at all; expected more than 0",
                at: start
            )
        }
        return duration
    }

    func quantity<Amount>(
        at start: Int,
        or alternative: String? = nil,
        _ read: () throws(QuantityError) -> Amount
    ) throws(ScheduleError) -> Amount {
        do throws(QuantityError) {
            return try read()
        } catch {
            let other = alternative.map { ", or \($0)" } ?? ""
            throw self.error(error.description + other, at: start)
        }
    }

    func byteCount(of value: String, at start: Int) throws(ScheduleError) -> UInt64 {
        let count = try quantity(at: start) { () throws(QuantityError) in
            try Quantity.byteCount(value)
        }
        guard count <= ScheduleLimits.offset else {
            throw error(
                "'\(QuantityError.shown(value))' is beyond the largest offset, \(ScheduleLimits.offset)",
                at: start
            )
        }
        return count
    }
}
