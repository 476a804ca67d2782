import HTTPWire
import Testing

@Suite struct ContentRangeTests {
    @Test(arguments: [
        ("bytes 0-4/10", ContentRange.part(0..<5, of: 10)), ("bytes 9-9/10", .part(9..<10, of: 10)),
        ("bytes 0-4/*", .part(0..<5, of: nil)), ("bytes */10", .unsatisfied(length: 10)),
        ("bytes */0", .unsatisfied(length: 0)),
    ])
    func `each form reads back`(text: String, range: ContentRange) {
        #expect(ContentRange(text) == range)
        #expect(range.text == text)
    }

    @Test(arguments: [
        "", "bytes", "bytes 0-4", "bytes 0-4/", "bytes */*", "bytes 5-4/10", "bytes 0-10/10",
        "bytes 0-0/0", "bytes=0-4/10", "bytes  0-4/10", "bytes 0-4 /10", "bytes 0-4/ 10",
        "bytes -4/10", "bytes 4-/10", "bytes */", "bytes 0-4/10 ", "items 0-4/10", "bytes +0-4/10",
        "bytes 0-4/10x", "bytes 0-9223372036854775807/*", "bytes 0-9223372036854775808/*",
        "bytes 0-4/9223372036854775808", "bytes */99999999999999999999", "bytes 0-4/-1",
        "bytes 0-4/10, bytes 5-6/10",
    ])
    func `what cannot be relied on is none`(text: String) {
        #expect(ContentRange(text) == nil)
    }
}
