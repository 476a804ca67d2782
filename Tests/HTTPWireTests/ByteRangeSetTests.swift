import HTTPWire
import Testing

@Suite struct ByteRangeSetTests {
    @Test(arguments: [
        ("bytes=0-0", [0..<1]), ("bytes=0-", [0..<10]), ("bytes=9-", [9..<10]),
        ("bytes=5-99", [5..<10]), ("bytes=-3", [7..<10]), ("bytes=-99", [0..<10]),
        ("Bytes=1-2", [1..<3]), ("bytes= 1-2 , ,\t4-5,", [1..<3, 4..<6]),
        ("bytes=0-99999999999999999999", [0..<10]), ("bytes=-99999999999999999999", [0..<10]),
        ("bytes=0-4,5-9", [0..<10]), ("bytes=0-3,2-5", [0..<6]), ("bytes=0-9,2-5", [0..<10]),
        ("bytes=7-8,0-1", [7..<9, 0..<2]), ("bytes=7-8,0-1,1-2", [7..<9, 0..<3]),
        ("bytes=4-5,0-1,6-7", [4..<8, 0..<2]),
        ("bytes=4-5,9-9,3-4", [3..<6, 9..<10]), ("bytes=0-0,0-0,-1", [0..<1, 9..<10]),
        ("bytes=20-30,1-1", [1..<2]), ("bytes=-0,1-1", [1..<2]), ("bytes=1-1,3-3", [1..<2, 3..<4]),
    ])
    func `satisfiable ranges do not overlap and keep their order`(
        text: String,
        ranges: [Range<Int>]
    ) throws {
        let set = try #require(ByteRangeSet(text))
        #expect(set.selection(length: 10) == .ranges(ranges))
    }

    @Test(arguments: [
        "bytes=10-", "bytes=10-20", "bytes=-0", "bytes=99999999999999999999-", "bytes=10-,-0",
    ])
    func `nothing within the length is unsatisfiable`(text: String) throws {
        let set = try #require(ByteRangeSet(text))
        #expect(set.selection(length: 10) == .unsatisfiable)
        #expect(set.selection(length: 0) == .whole)
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "bytes=,", "bytes=-", "bytes=a-b", "bytes=1", "bytes=2-1",
        "bytes=1-2-3", "bytes=1-2;3-4", "bytes=1 -2", "bytes=1- 2", "bytes=--1", "bytes=+1-2",
        "bytes =1-2", "bytes:1-2", "items=1-2", "=1-2", "bytes=1-2 3-4", "bytes=0x1-2",
        "bytes=1-2,x",
        "bytes=0-0,2-1",
    ])
    func `what is no set of bytes is to be ignored`(text: String) {
        #expect(ByteRangeSet(text) == nil)
    }

    @Test func `too many ranges are ignored`() {
        let one = "0-0,"
        #expect(ByteRangeSet("bytes=" + String(repeating: one, count: 100)) != nil)
        #expect(ByteRangeSet("bytes=" + String(repeating: one, count: 101)) == nil)
        #expect(ByteRangeSet("bytes=" + String(repeating: one, count: 100_000)) == nil)
    }

    @Test func `near ranges may become one`() throws {
        let set = try #require(ByteRangeSet("bytes=0-9,90-99,200-"))
        #expect(set.selection(length: 300, gap: 79) == .ranges([0..<10, 90..<100, 200..<300]))
        #expect(set.selection(length: 300, gap: 80) == .ranges([0..<100, 200..<300]))
    }

    @Test func `the text reads back`() {
        let set = ByteRangeSet([.from(0, through: 5), .from(7, through: nil), .suffix(3)])
        #expect(set.text == "bytes=0-5,7-,-3")
        #expect(ByteRangeSet(set.text) == set)
    }

    /// Against the definition, byte by byte.
    @Test func `selections hold exactly the bytes that were asked for`() {
        let parts = ["0-0", "0-", "1-3", "2-2", "3-9", "-1", "-4", "4-", "5-6", "-0"]
        var wrong: [String] = []
        for length in 0...6 {
            for one in parts {
                for two in parts {
                    for three in parts {
                        let text = "bytes=\(one),\(two),\(three)"
                        if !isRight(text, length) { wrong.append(text) }
                    }
                }
            }
        }
        #expect(wrong.isEmpty)
    }

    private func isRight(_ text: String, _ length: Int) -> Bool {
        guard let set = ByteRangeSet(text) else { return false }
        let asked = Set(
            set.specifiers.flatMap { specifier in
                switch specifier {
                case .from(let first, let last):
                    (0..<length).filter { $0 >= first && $0 <= last ?? length }
                case .suffix(let count): (0..<length).filter { $0 >= length - count }
                }
            }
        )
        switch set.selection(length: length) {
        case .whole: return length == 0
        case .unsatisfiable: return asked.isEmpty
        case .ranges(let ranges):
            let found = ranges.flatMap { Array($0) }
            return Set(found) == asked && found.count == asked.count
                && ranges.allSatisfy { !$0.isEmpty }
        }
    }
}
