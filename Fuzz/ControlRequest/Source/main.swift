// Invariant: whatever a request to change something holds, it is answered by a document, and one that
// is refused has changed nothing.

import ControlAPI
import FuzzSupport
import HTTPWire
import LinkProfile
import Proxy
import SystemIO

fuzz { bytes in
    let resources = [
        ("POST", "/v1/actions"), ("POST", "/v1/faults"), ("PATCH", "/v1/proxies/default"),
        ("PUT", "/v1/proxies/default"), ("PUT", "/v1/path"), ("POST", "/v1/schedule"),
        ("PUT", "/v1/profiles/x"), ("POST", "/v1/proxies"), ("PUT", "/v1/proxies/x"),
    ]
    guard let first = bytes.first, let rig = Rig() else { return }
    let (method, path) = resources[Int(first) % resources.count]
    let before = rig.state
    let status = rig.send(method, path, Array(bytes.dropFirst()))
    require((200..<300).contains(status) || (400..<500).contains(status), "an answer to anything")
    if status >= 400 { require(rig.state == before, "a refusal changes nothing") }
    rig.close()
}

/// A proxy that listens nowhere, and its API.
private final class Rig {
    private let server: ProxyServer
    private let api: NativeAPI

    init?() {
        let library = ProfileLibrary.builtinOnly()
        guard let loop = try? EventLoop(),
            let server = try? ProxyServer(
                loop: loop,
                configuration: ProxyConfiguration(routes: [])
            )
        else {
            return nil
        }
        self.server = server
        api = NativeAPI(
            fleet: ProxyFleet(
                own: SteeredProxy(
                    name: NativeAPI.proxyName,
                    server: server,
                    profileReference: "none",
                    settings: []
                )
            ),
            program: .init(
                version: "",
                seed: 1,
                command: { _ in "" },
                profileNames: { [] },
                profileCards: { [] },
                loadProfile: { name, settings throws(ProfileError) in
                    try library.load(name, settings: settings)
                },
                readProfile: { text throws(ProfileError) in try library.load(text) },
                onProfile: { _ in },
                makeServer: { configuration throws(ProxyError) in
                    try ProxyServer(loop: loop, configuration: configuration)
                },
                commandLine: { $0.joined(separator: " ") }
            ),
            startedAt: loop.now
        )
    }

    /// All that a change could change.
    var state: [String] {
        ["/v1/proxies", "/v1/faults", "/v1/path", "/v1/schedule", "/v1/profiles"].map { path in
            guard let request = try? ControlRequest(RequestHead("GET", path)),
                case .complete(let head, let body) = api.answer(request)
            else { return "" }
            return (head.fields["ETag"] ?? "") + String(decoding: body, as: UTF8.self)
        }
    }

    func send(_ method: String, _ path: String, _ body: [UInt8]) -> Int {
        guard let request = try? ControlRequest(RequestHead(method, path), body: body),
            case .complete(let head, _) = api.answer(request)
        else { return 0 }
        return head.status
    }

    func close() {
        api.stop()
        server.stop()
    }
}
