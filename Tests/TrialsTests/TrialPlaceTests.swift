import Proxy
import Testing

@testable import Trials

@Suite struct TrialPlaceTests {
    private let place = TrialPlace(
        listen: .tcp(host: "127.0.0.1", port: 4_711),
        origin: "http://127.0.0.1:4712",
        folder: "/tmp/x",
        ordinal: 3,
        seed: 7,
        schedule: "lc1;seed=7",
        journalPath: "run.jsonl"
    )

    @Test(arguments: [
        ("{url}/bytes/10", "http://127.0.0.1:4711/bytes/10"),
        ("--proxy={host}:{port}", "--proxy=127.0.0.1:4711"),
        ("{out}", "/tmp/x/out"), ("{dir}/a{run}b{seed}", "/tmp/x/a3b7"),
        ("{control}/state", "http://127.0.0.1:4712/.linkcond/state"),
        // Everything else belongs to the command.
        ("{}", "{}"), ("{ url}", "{ url}"), ("{url", "{url"), ("a{b{port}c}", "a{b4711c}"),
        ("${out}", "$/tmp/x/out"), ("{{seed}}", "{7}"), ("", ""),
        ("awk '{print $1}'", "awk '{print $1}'"),
    ])
    func `placeholders are replaced and nothing else`(text: String, expanded: String) {
        #expect(place.expand(text) == expanded)
    }

    @Test func `what a placeholder stands for is not looked at again`() {
        var odd = place
        odd.folder = "/tmp/{seed}"
        #expect(odd.expand("{out}") == "/tmp/{seed}/out")
    }

    @Test func `the environment says the same, and replaces what was there`() {
        let environment = place.environment(over: ["PATH=/bin", "LINKCOND_SEED=9", "LINKCOND_X=1"])
        #expect(environment.prefix(2) == ["PATH=/bin", "LINKCOND_X=1"])
        #expect(
            environment.dropFirst(2) == [
                "LINKCOND_URL=http://127.0.0.1:4711", "LINKCOND_HOST=127.0.0.1",
                "LINKCOND_PORT=4711", "LINKCOND_CONTROL=http://127.0.0.1:4712/.linkcond",
                "LINKCOND_DIR=/tmp/x", "LINKCOND_OUT=/tmp/x/out", "LINKCOND_CA=", "LINKCOND_RUN=3",
                "LINKCOND_SEED=7", "LINKCOND_PROXY=", "LINKCOND_SOCKS=", "LINKCOND_DNS=",
                "LINKCOND_SCHEDULE=lc1;seed=7", "LINKCOND_JOURNAL=run.jsonl",
            ]
        )
    }

    @Test func `a client of a forward proxy is told of it and of the server`() {
        var forward = place
        forward.server = "http://127.0.0.1:4713"
        #expect(
            forward.expand("{url} {proxy} {socks}")
                == "http://127.0.0.1:4713 http://127.0.0.1:4711 socks5h://127.0.0.1:4711"
        )
        let environment = forward.environment(over: [
            "NO_PROXY=localhost", "https_proxy=http://other",
        ])
        for name in ["http_proxy", "https_proxy", "ALL_PROXY"] {
            #expect(environment.contains("\(name)=http://127.0.0.1:4711"))
        }
        #expect(environment.contains("NO_PROXY=") && !environment.contains("NO_PROXY=localhost"))
        #expect(
            environment.contains { $0.hasPrefix("JAVA_TOOL_OPTIONS=-Dhttp.proxyHost=127.0.0.1 ") }
        )
        let java = forward.environment(over: ["JAVA_TOOL_OPTIONS=-Xmx1g"])
            .filter { $0.hasPrefix("JAVA_TOOL_OPTIONS=") }
        #expect(java.count == 1)
        #expect(java[0].hasPrefix("JAVA_TOOL_OPTIONS=-Xmx1g -Dhttp.proxyHost=127.0.0.1 "))
    }

    @Test(arguments: [
        ("GET http://127.0.0.1:4711/a: reset", "GET {url}/a: reset"),
        ("127.0.0.1:4711 refused", "{host}:{port} refused"),
        ("no /tmp/x/out", "no {dir}/out"),
        ("http://127.0.0.1:4712/a", "http://127.0.0.1:4712/a"),
    ])
    func `what differs from trial to trial can be told by placeholders`(text: String, short: String)
    {
        #expect(place.abbreviate(text) == short)
    }

    @Test func `a Unix socket has a path for a host, and no port`() {
        var local = place
        local.listen = .unix(path: "/run/x")
        local.origin = nil
        #expect(local.expand("{url}|{host}|{port}|{control}") == "unix:/run/x|/run/x||")
        #expect(local.abbreviate("cannot connect to /run/x") == "cannot connect to {host}")
    }
}
