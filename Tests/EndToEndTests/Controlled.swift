import Foundation
import Testing

/// A proxy with control, and what is needed to send it requests.
struct Controlled {
    /// Nil if somebody else started it.
    private let running: RunningProxy?
    /// Where clients connect.
    let address: String
    let url: String
    let token: String

    init(_ arguments: [String] = [], in workspace: Workspace = Workspace()) throws {
        let proxy = try RunningProxy(["--control", "127.0.0.1:0"] + arguments, in: workspace)
        try proxy.program.waitFor("control http")
        let lines = proxy.program.output.split(separator: "\n")
        let words = lines[1].split(separator: " ").map(String.init)
        #expect(words.count == 4)
        #expect(words[0] == "control" && words[2] == "token")
        url = words[1]
        token = words[3]
        address = proxy.address
        running = proxy
    }

    /// A proxy that somebody else started with `--ready-file`.
    init(reading name: String, in workspace: Workspace) throws {
        #expect(Program.poll(seconds: 10) { workspace.text(name).hasSuffix("}\n") })
        let object = try JSONSerialization.jsonObject(with: Data(workspace.text(name).utf8))
        let ready = try #require(object as? [String: Any])
        let (host, port) = (ready["host"] as? String ?? "", ready["port"] as? Int ?? 0)
        address = "\(host):\(port)"
        url = try #require(ready["control"] as? String)
        token = try #require(ready["token"] as? String)
        running = nil
    }

    var proxy: RunningProxy {
        get throws { try #require(running) }
    }

    func curl(_ arguments: [String]) throws -> String {
        let outcome = try Program.curl(["-H", "Authorization: Bearer \(token)"] + arguments)
        return outcome.output
    }

    func get(_ path: String) throws -> String { try curl([url + path]) }

    func send(_ method: String, _ path: String, _ body: String) throws -> String {
        try curl([
            "-X", method, "-H", "Content-Type: application/json", "-d", body, url + path,
        ])
    }

    /// Waits until so many bytes have reached clients, all connections taken together.
    func waitForBytes(_ count: Int) throws {
        let answer = try get("/v1/wait?for=bytesDown&count=\(count)&limit=20s")
        #expect(answer.contains(#""reached":true"#), "\(answer)")
    }

    /// Waits until nothing is open, as far as the proxy knows.
    func waitForIdle() throws {
        #expect(try get("/v1/wait?for=idle&limit=20s").contains(#""reached":true"#))
    }

    /// A member of an answer that is an object.
    func member<Value>(_ key: String, of path: String, as type: Value.Type) throws -> Value {
        let object = try JSONSerialization.jsonObject(with: Data(try get(path).utf8))
        return try #require((object as? [String: Any])?[key] as? Value)
    }

    func act(_ body: String) throws -> String { try send("POST", "/v1/actions", body) }

    /// Where a proxy listens, or leads to.
    func route(of proxy: String, _ key: String) throws -> String {
        let path = "/v1/proxies/\(proxy)"
        let routes = try member("listeners", of: path, as: [[String: Any]].self)
        return try #require(routes.first?[key] as? String)
    }

    /// Waits until the record that an answer names is in the journal.
    func waitForRecord(in answer: String) throws {
        let object = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
        let number = try #require(object?["record"] as? Int)
        #expect(
            Program.poll(seconds: 10) {
                (try? get("/v1/events?after=\(number - 1)"))?.contains(#""t":"change""#) == true
            }
        )
    }
}
