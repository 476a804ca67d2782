import ControlAPI
import HTTPWire
import SystemIO
import Testing

@Suite struct DashboardTests {
    private let token = AccessToken()

    private func request(
        _ method: String,
        _ path: String,
        _ fields: HeaderFields = [:],
        body: String = ""
    ) throws -> ControlRequest {
        try ControlRequest(RequestHead(method, path, fields: fields), body: Array(body.utf8))
    }

    /// Status, fields and content of a whole answer.
    private func answer(
        _ dashboard: Dashboard,
        _ request: ControlRequest
    ) throws -> (ResponseHead, String) {
        guard case .complete(let head, let body)? = dashboard.answer(request) else {
            throw NoAnswer()
        }
        return (head, String(decoding: body, as: UTF8.self))
    }

    private struct NoAnswer: Error {}

    @Test func `the page is whole, and nothing of it comes from elsewhere`() throws {
        let dashboard = Dashboard(token: token)
        var bytes = 0
        for (path, type) in [
            ("/", "text/html"), ("/page.css", "text/css"), ("/page.js", "text/javascript"),
            ("/base.js", "text/javascript"), ("/chart.js", "text/javascript"),
            ("/ladder.js", "text/javascript"), ("/network.js", "text/javascript"),
            ("/faults.js", "text/javascript"),
        ] {
            let (head, text) = try answer(dashboard, try request("GET", path))
            #expect(head.status == 200)
            #expect(head.fields["Content-Type"]?.hasPrefix(type) == true)
            #expect(
                head.fields["Content-Security-Policy"]?.hasPrefix("default-src 'self';") == true
            )
            #expect(head.fields["X-Frame-Options"] == "DENY")
            #expect(head.fields["X-Content-Type-Options"] == "nosniff")
            #expect(head.fields["Cache-Control"] == "no-store")
            let links = text.matches(
                of: #/(?:src|href)="([^"#]+)"|url\(([^)#]+)\)|https?:\/\/[^"]*/#
            )
            .map { String($0.0) }
            .filter { !$0.contains("data:,") && !$0.contains("http://www.w3.org/2000/svg") }
            #expect(links.allSatisfy { $0.contains("\"page.") }, "\(links)")
            bytes += text.utf8.count
        }
        #expect(bytes <= 112_000)
    }

    @Test func `a browser gets its session by the token, and by nothing else`() throws {
        let dashboard = Dashboard(token: token)
        func login(_ body: String) throws -> ResponseHead {
            try answer(dashboard, try request("POST", "/v1/login", body: body)).0
        }
        for body in ["{\"token\":\"\(AccessToken().text)\"}", "{\"token\":\"\"}"] {
            let head = try login(body)
            #expect(head.status == 401 && !head.fields.contains("Set-Cookie"))
        }
        for body in ["{}", "{\"token\":7}", "{\"token\":\"\(token.text)\",\"x\":1}", "[]"] {
            #expect(try (400...422).contains(login(body).status), "\(body)")
        }
        let cookie = try #require(
            login("{\"token\":\"\(token.text)\"}").fields["Set-Cookie"]
        )
        #expect(cookie.hasSuffix("; HttpOnly; SameSite=Strict; Path=/"))
        let pair = String(cookie.prefix { $0 != ";" })
        func isKnown(_ cookie: String) -> Bool {
            dashboard.hasSession(RequestHead("GET", "/v1", fields: ["Cookie": cookie]))
        }
        #expect(isKnown(pair) && isKnown("a=b; \(pair); c=d"))
        #expect(!isKnown("x\(pair)") && !isKnown("\(pair)0") && !isKnown("a=\(token.text)"))
        #expect(
            !Dashboard(token: token).hasSession(RequestHead("GET", "/", fields: ["Cookie": pair]))
        )
        let logout = try answer(dashboard, try request("DELETE", "/v1/login", ["Cookie": pair])).0
        #expect(logout.status == 204)
        #expect(!isKnown(pair))
    }

    @Test func `sessions are limited, the oldest goes first`() throws {
        let dashboard = Dashboard(token: token)
        let cookies = try (0..<65).map { _ in
            let body = "{\"token\":\"\(token.text)\"}"
            let (head, _) = try answer(dashboard, try request("POST", "/v1/login", body: body))
            return String((head.fields["Set-Cookie"] ?? "").prefix { $0 != ";" })
        }
        let known = cookies.map {
            dashboard.hasSession(RequestHead("GET", "/v1", fields: ["Cookie": $0]))
        }
        #expect(known == [false] + Array(repeating: true, count: 64))
    }

    @Test func `everything else is left to others`() throws {
        let dashboard = Dashboard(token: token)
        for path in ["/v1", "/v1/proxies", "/page", "/page.html", "//"] {
            #expect(try dashboard.answer(request("GET", path)) == nil)
        }
        #expect(try answer(dashboard, try request("POST", "/")).0.status == 405)
        let address = SocketAddress.loopback(port: 8475)
        #expect(
            Dashboard.address(of: address, token: token)
                == "http://127.0.0.1:8475/#t=\(token.text)"
        )
    }
}
