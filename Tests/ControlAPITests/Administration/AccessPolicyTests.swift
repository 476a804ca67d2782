import HTTPWire
import Testing

import ControlAPI

@Suite struct AccessPolicyTests {
    private static let token = AccessToken()
    private static let policy: AccessPolicy = {
        var policy = AccessPolicy(token: token)
        policy.openPaths = ["/healthz"]
        return policy
    }()

    /// What comes of a request with our token and host unless the fields say otherwise.
    private func status(
        _ method: String,
        _ target: String,
        _ fields: [(String, String?)] = [],
        port: UInt16? = 8_474,
        policy: AccessPolicy = policy,
        hasSession: Bool = false
    ) -> Int? {
        var all: HeaderFields = [
            "Host": "127.0.0.1:8474", "Authorization": "Bearer \(Self.token.text)",
            "Content-Type": "application/json",
        ]
        for (name, value) in fields { all[name] = value }
        let head = RequestHead(method, target, fields: all)
        return policy.objection(to: head, port: port, hasSession: hasSession)?.status
    }

    @Test(arguments: ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"])
    func `a program with the token may do everything`(method: String) {
        #expect(status(method, "/v1", []) == nil)
    }

    @Test(arguments: [
        "127.0.0.1:8474", "localhost:8474", "LOCALHOST:8474", "[::1]:8474", "127.1.2.3:8474",
    ])
    func `this machine's own names are let in`(host: String) {
        #expect(status(fields: ("Host", host)) == nil)
    }

    @Test(arguments: [
        nil, "", "127.0.0.1", "127.0.0.1:8475", "127.0.0.1:", "evil.example:8474", "evil.example",
        "localhost.evil.example:8474", "127.0.0.1.evil.example:8474", "[::2]:8474",
        "192.168.1.1:8474", "[::1:8474", "localhost:99999", "localhost:8474:1", "0.0.0.0:8474",
        "xlocalhost:8474", "localhost@evil.example:8474",
    ])
    func `a name that somebody else may give us is not`(host: String?) {
        #expect(status(fields: ("Host", host)) == 421)
        #expect(status("POST", fields: ("Host", host)) == 421)
    }

    @Test func `a Unix socket is not reached by any name`() {
        #expect(status("GET", "/v1", [("Host", "whatever")], port: nil) == nil)
        #expect(status("GET", "/v1", [("Host", nil)], port: nil) == nil)
    }

    @Test func `hosts can be allowed, with one port or with any`() {
        var policy = Self.policy
        policy.allowedHosts = ["ci.local", "runner:9000"]
        func status(_ host: String) -> Int? {
            self.status("GET", "/v1", [("Host", host)], policy: policy)
        }
        #expect(status("ci.local") == nil)
        #expect(status("CI.local:1234") == nil)
        #expect(status("runner:9000") == nil)
        #expect(status("runner:9001") == 421)
        policy.allowsNumericHosts = true
        #expect(status("10.0.0.7:8474") == nil)
        #expect(status("10.0.0.7:8475") == 421)
        #expect(status("evil.example:8474") == 421)
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE"])
    func `a page may change something only if it is ours`(method: String) {
        func status(_ fields: (String, String?)...) -> Int? { self.status(method, "/v1", fields) }
        #expect(status(("Origin", "http://127.0.0.1:8474")) == nil)
        for origin in [
            "http://localhost:8474", "https://127.0.0.1:8474", "http://127.0.0.1:8475", "null",
            "http://evil.example", "http://127.0.0.1:8474.evil.example", "", "file://",
        ] {
            #expect(status(("Origin", origin)) == 403, "\(origin)")
        }
        #expect(status(("Sec-Fetch-Site", "cross-site")) == 403)
        #expect(status(("Sec-Fetch-Site", "same-site")) == 403)
        #expect(status(("Sec-Fetch-Site", "same-origin")) == nil)
        #expect(status(("Sec-Fetch-Site", "none")) == nil)
    }

    @Test func `no page reaches a listener that serves none`() {
        var policy = Self.policy
        policy.allowsOwnPages = false
        for field in ["Origin", "Sec-Fetch-Site", "sec-fetch-site"] {
            let status = status("GET", "/v1", [(field, "http://127.0.0.1:8474")], policy: policy)
            #expect(status == 403)
        }
        #expect(status("GET", "/v1", [], policy: policy) == nil)
        // Node.js sends this with every fetch.
        let fields: [(String, String?)] = [("Sec-Fetch-Mode", "cors")]
        #expect(status("POST", "/v1", fields, policy: policy) == nil)
    }

    @Test(arguments: [
        nil, "", "Bearer", "Bearer ", "Basic \(token.text)", "Bearer \(token.text)x",
        "Bearer \(token.text.dropLast())", "Bearer \(token.text) x", token.text,
        "Bearer 00000000000000000000000000000000", "Bearer \(token.text.uppercased())",
    ])
    func `without the token nothing is told`(authorization: String?) {
        #expect(status(fields: ("Authorization", authorization)) == 401)
        #expect(status("POST", fields: ("Authorization", authorization)) == 401)
        let head = RequestHead("GET", "/v1", fields: ["Host": "127.0.0.1:8474"])
        let problem = Self.policy.objection(to: head, port: 8_474)
        #expect(problem?.fields["WWW-Authenticate"] == #"Bearer realm="linkcond""#)
    }

    @Test func `a session and open paths need no token`() {
        let without: [(String, String?)] = [("Authorization", nil)]
        #expect(status("POST", "/v1", without, hasSession: true) == nil)
        #expect(status("GET", "/healthz", without) == nil)
        #expect(status("GET", "/healthz?x", without) == nil)
        #expect(status("GET", "/healthz/x", without) == 401)
        #expect(status("GET", "//healthz", without) == 401)
        #expect(status("GET", "/v1/../healthz", without) == 401)
        #expect(status("GET", "/v1", [("authorization", "bEARER   \(Self.token.text)")]) == nil)
    }

    @Test(arguments: [
        "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x",
        "application/jsonx", "", "text/plain; application/json", "application/json/x",
    ])
    func `what a form can send changes nothing`(type: String) {
        for method in ["POST", "PUT", "PATCH", "DELETE"] {
            #expect(status(method, fields: ("Content-Type", type)) == 415)
        }
        #expect(status(fields: ("Content-Type", type)) == nil)
    }

    @Test func `content has a type, and what a page sends without asking has, too`() {
        let none: [(String, String?)] = [("Content-Type", nil)]
        #expect(status("POST", "/v1", none) == 415)
        #expect(status("DELETE", "/v1", none) == nil)
        #expect(status("PUT", "/v1", none + [("Content-Length", "2")]) == 415)
        #expect(status("PUT", "/v1", none + [("Transfer-Encoding", "chunked")]) == 415)
        #expect(status("POST", fields: ("Content-Type", "Application/JSON; charset=utf-8")) == nil)
        var policy = Self.policy
        policy.contentTypes = ["application/yaml"]
        let yaml: [(String, String?)] = [("Content-Type", "application/yaml")]
        #expect(status("PUT", "/v1", yaml, policy: policy) == nil)
        #expect(status("PUT", "/v1", yaml) == 415)
    }

    @Test(arguments: [
        ("GET", "http://127.0.0.1:8474/v1"), ("GET", "http://evil.example/"),
        ("CONNECT", "127.0.0.1:8474"), ("OPTIONS", "*"), ("GET", "v1"), ("GET", "/v1#x"),
    ])
    func `nothing is taken that is meant for a proxy`(method: String, target: String) {
        #expect(status(method, target) == 400)
    }

    private func status(_ method: String = "GET", fields: (String, String?)...) -> Int? {
        status(method, "/v1", fields)
    }
}
