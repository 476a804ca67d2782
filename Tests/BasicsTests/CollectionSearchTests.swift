import Basics
import Testing

struct CollectionSearchTests {
    @Test func `the first place is found, also at either end`() {
        let text = "abcabd"
        #expect(text.firstRange(of: "abd").map { text[$0.lowerBound...] } == "abd")
        #expect(text.firstRange(of: "abc")?.lowerBound == text.startIndex)
        #expect(text.firstRange(of: "abx") == nil)
        #expect(text.firstRange(of: "abcabda") == nil)
        #expect("".firstRange(of: "a") == nil)
    }

    @Test func `a place that overlaps a beginning of another one is found`() {
        #expect([0, 0, 1].firstRange(of: [0, 1]) == 1..<3)
    }

    @Test func `a text contains what stands in it`() {
        #expect("http://host".contains("://"))
        #expect(!"host:80".contains("://"))
    }

    @Test func `pieces are what stands between separators, empty ones too`() {
        #expect("--a--b--".pieces(between: "--").map(String.init) == ["", "a", "b", ""])
        #expect("a".pieces(between: "--") == ["a"])
        #expect([1, 2, 3].pieces(between: [2]).map(Array.init) == [[1], [3]])
    }

    @Test func `each place is replaced once, from the start`() {
        #expect("aaa".replacing("aa", with: "b") == "ba")
        #expect("a|b".replacing("|", with: "\\|") == "a\\|b")
        #expect("abc".replacing("", with: "x") == "abc")
    }
}
