import Faults
import Testing

@Suite struct PathGlobTests {
    @Test(
        arguments: [
            ("/u/*", "/u/7", true), ("/u/*", "/u/7/8", true), ("/u/*", "/u", false),
            ("*", "/anything", true), ("/a?c", "/abc", true), ("/a?c", "/ac", false),
            ("/a%20b", "/a%20b?x=1", true), ("/a*c*e", "/abcde", true), ("/a*c*e", "/abcd", false),
            ("/%2A", "/x", false), ("/%2A", "/*", true), ("/%3F", "/%3f", true),
            ("/x", "http://host:80/x?y", true), ("/", "http://host", true), ("/", "", false),
            ("/*aab", "/aaaaab", true), ("/x%", "/x%", false),
        ])
    func `a pattern fits the paths that it stands for`(glob: String, target: String, fits: Bool) {
        #expect(PathGlob(glob)?.matches(target: target) ?? false == fits)
    }

    @Test func `no pattern takes long over a hostile path`() {
        let glob = PathGlob(String(repeating: "*a", count: 400) + "b")
        let target = "/" + String(repeating: "a", count: 4_000)
        #expect(glob?.matches(target: target) == false)
    }

    /// Against the definition, written down as a recursion, over all short patterns and paths.
    @Test func `matching agrees with its definition`() throws {
        let letters = ["a", "b", "*", "?"]
        var patterns = [""]
        for _ in 0..<4 { patterns += patterns.flatMap { p in letters.map { p + $0 } } }
        let paths = ["", "a", "b", "aa", "ab", "ba", "aab", "abb", "bab"]
        for pattern in Set(patterns) where !pattern.isEmpty {
            let glob = try #require(PathGlob(pattern))
            for path in paths {
                #expect(
                    glob.matches(target: path) == fits(Array(pattern)[...], Array(path)[...]),
                    "\(pattern) \(path)"
                )
            }
        }
    }

    private func fits(_ pattern: ArraySlice<Character>, _ path: ArraySlice<Character>) -> Bool {
        guard let first = pattern.first else { return path.isEmpty }
        let rest = pattern.dropFirst()
        if first == "*" {
            return fits(rest, path) || !path.isEmpty && fits(pattern, path.dropFirst())
        }
        guard let byte = path.first, first == "?" || first == byte else { return false }
        return fits(rest, path.dropFirst())
    }
}
