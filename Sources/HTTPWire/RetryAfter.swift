/// How long a server asks to be left alone (RFC 9110 §10.2.3).
package enum RetryAfter {
    /// Seconds to wait, from 0; nil if the field is missing, comes twice or is garbage.
    ///
    /// A date counts from the response's own `Date`, so that a client's wrong clock does no harm.
    ///
    /// - Parameters:
    ///   - fields: those of the response.
    ///   - now: stands in for a `Date` that is missing or garbage.
    /// - Returns: seconds; a number that no integer can hold is the largest one.
    package static func seconds(_ fields: HeaderFields, now: HTTPDate) -> Int? {
        let values = fields.values("Retry-After")
        guard values.count == 1, let value = values.first, !value.isEmpty else { return nil }
        if value.utf8.allSatisfy(\.isDigit) { return Int(value) ?? .max }
        guard let date = HTTPDate(value, now: now) else { return nil }
        let sent = fields["Date"].flatMap { HTTPDate($0, now: now) } ?? now
        return max(date.secondsSince1970 - sent.secondsSince1970, 0)
    }
}
