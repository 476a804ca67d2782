import HTTPWire
import Testing

@Suite struct RetryAfterTests {
    private static let now = HTTPDate(secondsSince1970: 784_111_777)

    @Test(arguments: [
        ("0", 0), ("120", 120), ("007", 7), ("99999999999999999999", Int.max), ("", nil),
        ("-1", nil), ("+1", nil), ("1.5", nil), ("1 ", nil), ("soon", nil), ("1, 2", nil),
        ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sun, 06 Nov 1994 08:48:37 GMT", 0),
        ("Sunday, 06-Nov-94 08:49:38 GMT", 1), ("Sun, 06 Nov 1994 08:50:37", nil),
    ])
    func `seconds or a date, else nothing`(value: String, seconds: Int?) {
        let fields = HeaderFields([.init("Retry-After", value)])
        #expect(RetryAfter.seconds(fields, now: Self.now) == seconds)
    }

    @Test func `a date counts from the date of the response`() {
        var fields: HeaderFields = [
            "Retry-After": "Sun, 06 Nov 1994 08:50:37 GMT", "Date": "Sun, 06 Nov 1994 08:50:07 GMT",
        ]
        #expect(RetryAfter.seconds(fields, now: Self.now) == 30)
        fields["Date"] = "yesterday"
        #expect(RetryAfter.seconds(fields, now: Self.now) == 60)
    }

    @Test func `a field that comes twice or not at all says nothing`() {
        #expect(RetryAfter.seconds(["Retry-After": "1", "retry-after": "1"], now: Self.now) == nil)
        #expect(RetryAfter.seconds([:], now: Self.now) == nil)
    }
}
