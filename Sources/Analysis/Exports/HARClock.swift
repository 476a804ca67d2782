internal import Basics
internal import HTTPWire

/// Times of a run as HTTP Archives have them.
struct HARClock {
    /// When the run began, since 1970-01-01T00:00:00Z.
    let beganMilliseconds: UInt64

    /// A moment of the run in ISO 8601, to the millisecond.
    func date(_ time: Instant) -> String {
        // The year 9999 is far enough.
        let milliseconds =
            min(beganMilliseconds, 1 << 47) + UInt64(max(0, time.nanoseconds)) / 1_000_000
        let date = CivilDate(secondsSince1970: Int(milliseconds / 1_000))
        let second = date.secondOfDay
        return
            "\(Self.pad(date.year, 4))-\(Self.pad(date.month, 2))-\(Self.pad(date.day, 2))"
            + "T\(Self.pad(second / 3_600, 2)):\(Self.pad(second / 60 % 60, 2))"
            + ":\(Self.pad(second % 60, 2)).\(Self.pad(Int(milliseconds % 1_000), 3))Z"
    }

    /// A span in milliseconds, to the microsecond.
    static func milliseconds(_ microseconds: UInt64) -> JSONValue {
        let (whole, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000)
        return rest == 0 ? .number(whole) : .decimal("\(whole).\(pad(Int(rest), 3))")
    }

    private static func pad(_ number: Int, _ digits: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
