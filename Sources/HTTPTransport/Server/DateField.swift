internal import HTTPWire

/// The `Date` field, written once a second.
struct DateField {
    private var seconds = Int64.min
    private var text = ""

    mutating func value(secondsSince1970 now: Int64) -> String {
        if now != seconds {
            seconds = now
            text = HTTPDate(secondsSince1970: Int(now)).text
        }
        return text
    }
}
