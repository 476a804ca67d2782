internal import Basics
internal import HTTPWire
internal import SystemIO
internal import ToxiproxyCompatibility

/// The log on standard output: a JSON object a line, as Toxiproxy's.
struct ToxiproxyLog {
    let console: Console
    /// The least level that is written; nil for nothing.
    let threshold: ToxiproxyEvent.Level?

    func write(_ event: ToxiproxyEvent) {
        var members: JSONObject = [:]
        if let proxy = event.proxy { members.append("name", .string(proxy)) }
        write(event.level, event.message, members)
    }

    /// Writes a line.
    ///
    /// - Parameters:
    ///   - level: how much it matters.
    ///   - message: in words.
    ///   - members: further ones.
    ///   - isNeeded: whether it is written whatever the threshold.
    func write(
        _ level: ToxiproxyEvent.Level,
        _ message: String,
        _ members: JSONObject = [:],
        isNeeded: Bool = false
    ) {
        guard isNeeded || threshold.map({ level >= $0 }) ?? false else { return }
        var line: JSONObject = [
            "level": .string(level.rawValue), "time": .string(Self.time),
            "message": .string(message),
        ]
        for member in members.members { line.append(member.key, member.value) }
        console.offer(JSONValue.object(line).text)
    }

    /// UTC by the wall clock, to the second (RFC 3339).
    private static var time: String {
        RFC3339.text(secondsSince1970: WallClock.secondsSince1970)
    }
}

/// Dates as logs have them (RFC 3339 §5.6).
enum RFC3339 {
    /// Such as `2026-11-22T03:05:09Z`.
    static func text(secondsSince1970 seconds: Int64) -> String {
        let (days, rest) = floored(seconds, 86_400)
        let (year, month, day) = civil(days)
        let fields = [rest / 3_600, rest % 3_600 / 60, rest % 60].map(two)
        return "\(year)-\(two(month))-\(two(day))T\(fields.joined(separator: ":"))Z"
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private static func floored(_ value: Int64, _ divisor: Int64) -> (Int64, Int64) {
        let rest = ((value % divisor) + divisor) % divisor
        return ((value - rest) / divisor, rest)
    }

    /// Year, month and day of a number of days since 1970, in eras of 400 years that begin in March.
    private static func civil(_ days: Int64) -> (Int64, Int64, Int64) {
        let (era, day) = floored(days + 719_468, 146_097)
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (
            year + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1
        )
    }
}
