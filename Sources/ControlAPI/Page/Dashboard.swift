package import HTTPWire
package import SystemIO

/// The dashboard: one page with its style and script, and the session of a browser that shows it.
///
/// Everything is part of the program; the page asks no other server for anything. What it shows and does
/// goes through the control API.
package final class Dashboard {
    private let token: AccessToken?
    private var sessions = LoginSessions()
    private var table = RouteTable()

    /// What is served without a token, since it tells nothing.
    package static let openPaths = Set(["/", "/page.css", "/v1/login"] + scripts.map(\.path))

    /// The page's own, and the parts that it imports.
    private static let scripts: [(path: String, bytes: [UInt8])] = [
        ("/page.js", PackageResources.page_js), ("/base.js", PackageResources.base_js),
        ("/chart.js", PackageResources.chart_js), ("/ladder.js", PackageResources.ladder_js),
        ("/network.js", PackageResources.network_js), ("/faults.js", PackageResources.faults_js),
    ]

    /// - Parameter token: what a browser shows once, to get its session.
    package init(token: AccessToken?) {
        self.token = token
        addFile("/", "text/html; charset=utf-8", PackageResources.page_html)
        addFile("/page.css", "text/css; charset=utf-8", PackageResources.page_css)
        for (path, bytes) in Self.scripts {
            addFile(path, "text/javascript; charset=utf-8", bytes)
        }
        table.add("POST", "/v1/login") { [weak self] request, _ throws(Problem) in
            guard let self else { throw Problem(503, "ended", "The run is over.") }
            return try login(request)
        }
        table.add("DELETE", "/v1/login") { [weak self] request, _ in
            self?.sessions.end(of: request.head)
            return .empty()
        }
    }

    /// Where a browser finds it: the token is in the fragment, which is never sent and is in no log.
    package static func address(of server: SocketAddress, token: AccessToken?) -> String {
        "http://\(server)/" + (token.map { "#t=\($0.text)" } ?? "")
    }

    /// Answers a request for the page or its session; nil if it is for something else.
    package func answer(_ request: ControlRequest) -> ControlAnswer? {
        Self.openPaths.contains(request.path) ? table.answer(request) : nil
    }

    /// Whether a request comes from a browser that has shown the token.
    package func hasSession(_ head: RequestHead) -> Bool { sessions.isOpen(of: head) }

    // MARK: The page

    /// Only what comes from us, in no frame of another page.
    private static let fields: HeaderFields = [
        "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; base-uri 'none';"
            + " form-action 'none'; frame-ancestors 'none'",
        "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
    ]

    private func addFile(_ path: String, _ type: String, _ bytes: [UInt8]) {
        table.add("GET", path) { _, _ in
            .complete(ControlAnswer.head(200, type, Self.fields), bytes)
        }
    }

    // MARK: The session

    /// Takes `{"token": TEXT}`.
    private func login(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        var body = try RequestObject(try request.json())
        let shown = body.text("token")
        let text = body.require("token", shown, "the token that linkcond printed")
        try body.finish()
        guard let text, token?.matches(text) ?? true else {
            throw Problem(401, "token", "This is not the token that linkcond printed.")
        }
        return .empty(fields: ["Set-Cookie": sessions.begin()])
    }
}
