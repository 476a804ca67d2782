import LinkProfile
import Testing

@testable import ControlAPI
@testable import ToxiproxyCompatibility

@Suite struct ToxiproxyFileTests {
    private func read(_ text: String) -> Result<[ProxyFields], ProfileError> {
        ToxiproxyFile.read(Array(text.utf8), name: "f")
    }

    @Test func `JSON and YAML say the same`() throws {
        let json = """
            [{"name": "a", "listen": "127.0.0.1:1", "upstream": "u:1", "enabled": false,
              "toxics": [{"type": "latency", "stream": "upstream", "toxicity": 0.5,
                          "attributes": {"latency": 5, "jitter": null}}]},
             {"name": "b", "upstream": "u:2", "listen": null}]
            """
        let yaml = """
            - name: a
              listen: 127.0.0.1:1
              upstream: u:1
              enabled: false
              toxics:
                - {type: latency, stream: upstream, toxicity: 0.5, attributes: {latency: 5}}
            - {name: b, upstream: "u:2"}
            """
        var proxies = try read(json).get()
        #expect(proxies.map(\.name) == ["a", "b"])
        #expect(proxies.map(\.listen) == ["127.0.0.1:1", nil])
        #expect(proxies.map(\.isEnabled) == [false, nil])
        #expect(try read(yaml).get().map(\.upstream) == ["u:1", "u:2"])
        var toxic = try #require(proxies[0].toxics?.first)
        #expect(toxic.stream == "upstream" && toxic.toxicity == 0.5)
        #expect(try toxic.values(of: .latency) == [5, 0])
        proxies[0].toxics = nil
        #expect(try read("[]").get().isEmpty)
    }

    @Test(arguments: [
        ("", "f:1:1: error: "), ("{}", "f:1:1: error: expected a list of proxies in brackets"),
        ("[5]", "f:1:2: error: expected a proxy"),
        ("[{\"name\": [], \"upstream\": \"u\"}]", "f:1:11: error: name must be a text"),
        ("[{\"upstream\": \"u\"}]", "f:1:2: error: missing required field: name at proxy 1"),
        (
            "[{\"name\": \"a\", \"name\": \"b\", \"upstream\": \"u\"}]",
            "f:1:16: error: duplicate key 'name'"
        ),
        (
            "[{\"name\": \"a\", \"upstream\": \"u\", \"toxics\": {}}]",
            "f:1:43: error: toxics must be a list"
        ),
        (
            "[{\"name\": \"a\", \"upstream\": \"u\", \"toxics\": [{\"attributes\": {\"x\": 1.5}}]}]",
            "f:1:65: error: x must be a whole number; found '1.5'"
        ),
        (
            "[{\"name\": \"a\", \"upstream\": \"u\", \"toxics\": [{\"toxicity\": much}]}]",
            "f:1:57: error: toxicity must be a number; found 'much'"
        ),
        (
            "[{\"name\": \"a\", \"upstream\": \"u\", \"toxics\": [7]}]",
            "f:1:44: error: expected an object; found '7'"
        ),
    ])
    func `a mistake has its place`(text: String, message: String) {
        guard case .failure(let error) = read(text) else {
            Issue.record("\(text) is refused")
            return
        }
        #expect(error.lines.first?.hasPrefix(message) == true, "\(error.lines)")
    }

    @Test func `what means nothing is a warning`() throws {
        let proxies = try read(#"[{"name": "a", "upstream": "u:1", "lisen": "x"}]"#).get()
        #expect(proxies[0].warnings == ["unknown key 'lisen'; did you mean 'listen'?"])
    }
}
