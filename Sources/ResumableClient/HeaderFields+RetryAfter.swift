internal import Basics
internal import HTTPWire

extension HeaderFields {
    /// What `Retry-After` asks for, from the receipt of the answer; nil without a valid field.
    ///
    /// No clock is read: a date counts only beside the answer's own `Date`.
    var retryAfter: Duration? {
        let epoch = HTTPDate(secondsSince1970: 0)
        let hasDate = self["Date"].flatMap { HTTPDate($0, now: epoch) } != nil
        let isNumber = self["Retry-After"]?.utf8.allSatisfy { (0x30...0x39).contains($0) } == true
        guard hasDate || isNumber, let seconds = RetryAfter.seconds(self, now: epoch) else {
            return nil
        }
        return .seconds(Int64(min(seconds, Self.longestRetryAfter)))
    }

    /// A hundred years; more makes no difference.
    private static var longestRetryAfter: Int { 3_153_600_000 }
}
