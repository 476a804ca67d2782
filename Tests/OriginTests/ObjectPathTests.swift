import HTTPWire
import Testing

@testable import Origin

@Suite struct ObjectPathTests {
    private func read(_ target: String) -> ObjectPath? { ObjectPath(RequestHead("GET", target)) }

    @Test(
        arguments: [
            ("/", [], true), ("/a", ["a"], false), ("/a/b%20c", ["a", "b c"], false),
            ("/a/", ["a"], true), ("/a?b/../c", ["a"], false), ("http://h/a", ["a"], false),
            ("/%41", ["A"], false), ("/a%5Cb", ["a\\b"], false), ("http://h", [], true),
        ] as [(String, [String], Bool)]
    )
    func `a path is its names`(target: String, names: [String], isFolder: Bool) throws {
        let path = try #require(read(target))
        #expect(path.names == names && path.isFolder == isFolder)
    }

    @Test(arguments: [
        "/..", "/a/../b", "/%2e%2e/x", "/.%2E/x", "/a/%2E", "/a%2Fb", "/a%00", "/a%", "/a%2",
        "/a%zz",
        "//a", "/a//b", "/%FF", "*", "a", "",
    ])
    func `a path that could lead elsewhere is none`(target: String) {
        #expect(read(target) == nil)
    }
}
