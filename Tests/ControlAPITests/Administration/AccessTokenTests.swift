import ControlAPI
import Testing

@Suite struct AccessTokenTests {
    @Test func `a new token has 128 bits that nobody had before`() {
        let tokens = Set((0..<64).map { _ in AccessToken().text })
        #expect(tokens.count == 64)
        for token in tokens {
            #expect(token.utf8.count == 32)
            #expect(token.allSatisfy { "0123456789abcdef".contains($0) })
        }
    }

    @Test func `a token matches itself alone`() {
        let token = AccessToken()
        #expect(token.matches(token.text))
        for other in ["", "x", token.text + token.text, String(token.text.dropLast())] {
            #expect(!token.matches(other))
        }
        for place in token.text.indices {
            var other = token.text
            other.replaceSubrange(place...place, with: other[place] == "0" ? "1" : "0")
            #expect(!token.matches(other))
        }
    }

    @Test func `a chosen token is long enough and can stand in a field`() {
        #expect(AccessToken(chosen: "0123456789abcdef")?.text == "0123456789abcdef")
        #expect(AccessToken(chosen: "0123456789abcde") == nil)
        #expect(AccessToken(chosen: "0123456789 abcdef") == nil)
        #expect(AccessToken(chosen: String(repeating: "x", count: 257)) == nil)
        #expect(AccessToken(chosen: "0123456789abcdé§") == nil)
    }
}
