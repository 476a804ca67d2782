import TestSupport
import Testing

@testable import Proxy

@Suite struct RecordsOnLinkTests {
    @Test func `content arrives with the last byte of its record`() {
        var records = RecordsOnLink()
        #expect(records.append(content: 20_000, isSealed: true) == 20_000 + 2 * 22)
        #expect(records.arrived(16_405).isEmpty)
        #expect(records.arrived(1) == [.content(16_384)])
        #expect(records.arrived(3_616 + 22) == [.content(3_616)])
        #expect(records.isEmpty)
    }

    @Test func `words of a handshake go in their order, as they are`() {
        var records = RecordsOnLink()
        #expect(records.append([1, 2, 3]) == 3)
        #expect(records.append([]) == 0)
        #expect(records.append(content: 1, isSealed: true) == 23)
        #expect(records.append(content: 5, isSealed: false) == 5)
        #expect(records.arrived(31) == [.bytes([1, 2, 3]), .content(1), .content(5)])
    }

    @Test(arguments: [1, 7, 1_460, 70_000])
    func `nothing is lost whatever pieces arrive`(piece: Int) {
        var records = RecordsOnLink()
        var total = 0
        var content = 0
        for size in [1, 16_384, 16_385, 100_000, 40] {
            total += records.append(content: size, isSealed: true)
            content += size
        }
        var arrived = 0
        while total > 0 {
            let step = min(piece, total)
            for case .content(let count) in records.arrived(step) { arrived += count }
            total -= step
        }
        #expect(arrived == content && records.isEmpty)
    }

    /// A server that speaks first has content on the link before the last words of the handshake.
    @Test func `words are on their way until the last of them has arrived`() {
        var records = RecordsOnLink()
        _ = records.append([1, 2])
        #expect(records.hasWords)
        let content = records.append(content: 10, isSealed: true)
        _ = records.append([3])
        _ = records.arrived(2 + content)
        #expect(records.hasWords)
        _ = records.arrived(1)
        #expect(!records.hasWords && records.isEmpty)
    }
}
