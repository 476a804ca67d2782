import CLibrary
import Journal
import LinkProfile
import SystemIO
import TestSupport
import Testing

@testable import Proxy

@Suite struct StartTests {
    private func start(_ listen: String, _ upstream: String) throws -> ProxyError? {
        let loop = try EventLoop()
        let configuration = ProxyConfiguration(routes: [
            .init(
                listen: try Endpoint(parsing: listen),
                upstream: try Endpoint(parsing: upstream)
            )
        ])
        let proxy = try ProxyServer(loop: loop, configuration: configuration)
        defer { proxy.stop() }
        do {
            _ = try proxy.start()
            return nil
        } catch {
            return error
        }
    }

    @Test func `a port in use is told with what to do`() throws {
        let other = try ListeningSocket(on: .loopback(port: 0))
        let bound = other.address
        let address = try #require(bound)
        let error = try start(address.description, "127.0.0.1:9")
        #expect(error?.kind == .addressUnavailable)
        #expect(error?.description.contains("address already in use") == true)
        #expect(error?.description.contains("port 0") == true)
    }

    @Test func `a socket file is removed at the end unless it is another one by then`() throws {
        for isReplaced in [false, true] {
            let rig = try Rig(transport: .unix)
            defer { rig.tearDown() }
            guard case .unix(let path)? = rig.addresses.first else {
                Issue.record("no Unix socket")
                return
            }
            #expect(try SocketFile.state(at: path) == .live)
            if isReplaced {
                SocketFile.remove(path)
                try FileSystem.replace(path, with: [1])
            }
            rig.proxy.stop()
            #expect(try SocketFile.state(at: path) == (isReplaced ? .notSocket : .absent))
            FileSystem.remove(path)
        }
    }

    @Test func `only the owner of a socket file may connect to it`() throws {
        let former = umask(0)
        defer { umask(former) }
        let rig = try Rig(transport: .unix)
        defer { rig.tearDown() }
        guard case .unix(let path)? = rig.addresses.first else {
            Issue.record("no Unix socket")
            return
        }
        var status = stat()
        let answer = unsafe lstat(path, &status)
        try #require(answer == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test(arguments: ["0.0.0.0:0", "[::]:0"])
    func `other machines are not let in unasked`(listen: String) throws {
        let error = try start(listen, "127.0.0.1:9")
        #expect(error?.kind == .refused)
        #expect(error?.description.contains("--allow-remote") == true)
    }

    @Test func `an unknown host is told`() throws {
        let error = try start("127.0.0.1:0", "no-such-host.invalid:80")
        #expect(error?.kind == .upstreamUnavailable)
        #expect(error?.description.contains("no-such-host.invalid") == true)
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func `an upstream that is the listener is refused`(host: String) throws {
        let probe = try freePort()
        let error = try start("127.0.0.1:\(probe)", "\(host):\(probe)")
        #expect(error?.kind == .refused)
        #expect(error?.description.contains("own listener") == true)
    }

    @Test func `an upstream that is the listener in another spelling is refused`() throws {
        let port = try freePort()
        let error = try start("127.0.0.1:\(port)", "[::ffff:127.0.0.1]:\(port)")
        #expect(error?.kind == .refused)
        let name = "linkcond-test-\(CurrentProcess.identifier)-loop.sock"
        let again = try start("unix:/tmp/\(name)", "unix:/tmp/../tmp/./\(name)")
        #expect(again?.kind == .refused)
    }

    @Test(arguments: ["127.0.0.1", "127.3.4.5"])
    func `an upstream that a listener for all addresses would take is refused`(
        host: String
    ) throws {
        let port = try freePort()
        let loop = try EventLoop()
        var configuration = ProxyConfiguration(routes: [
            .init(
                listen: .tcp(host: "0.0.0.0", port: port),
                upstream: .tcp(host: host, port: port)
            )
        ])
        configuration.allowsRemote = true
        let proxy = try ProxyServer(loop: loop, configuration: configuration)
        defer { proxy.stop() }
        let error = #expect(throws: ProxyError.self) { try proxy.start() }
        #expect(error?.kind == .refused)
    }

    @Test func `routes that lead to one another's listeners are refused`() throws {
        let (a, b) = (try freePort(), try freePort())
        let loop = try EventLoop()
        let configuration = ProxyConfiguration(routes: [
            .init(
                listen: .tcp(host: "127.0.0.1", port: a),
                upstream: .tcp(host: "127.0.0.1", port: b)
            ),
            .init(
                listen: .tcp(host: "127.0.0.1", port: b),
                upstream: .tcp(host: "127.0.0.1", port: a)
            ),
        ])
        let proxy = try ProxyServer(loop: loop, configuration: configuration)
        defer { proxy.stop() }
        #expect(throws: ProxyError.self) { try proxy.start() }
    }

    @Test func `a stale socket file is replaced, a live one and other files are not`() throws {
        let path = "/tmp/linkcond-test-\(CurrentProcess.identifier)-start.sock"
        SocketFile.remove(path)
        defer { SocketFile.remove(path) }
        do {
            // Closing leaves the file behind.
            var socket = try ListeningSocket(on: .unix(path))
            #expect(try start("unix:\(path)", "127.0.0.1:9")?.kind == .addressUnavailable)
            socket.close()
        }
        #expect(try SocketFile.state(at: path) == .stale)
        #expect(try start("unix:\(path)", "127.0.0.1:9") == nil)
        #expect(try SocketFile.state(at: path) == .absent)
        let error = try start("unix:/tmp", "127.0.0.1:9")
        #expect(error?.description.contains("is no socket") == true)
    }

    @Test func `a name is tried at each of its addresses`() throws {
        // localhost means ::1 and 127.0.0.1 on most machines; the server has only the latter.
        let rig = try Rig { configuration in
            guard case .tcp(_, let port) = configuration.routes[0].upstream else { return }
            configuration.routes[0].upstream = .tcp(host: "localhost", port: port)
        }
        defer { rig.tearDown() }
        _ = try rig.connectThrough()
        #expect(rig.served.count == 1)
    }

    @Test func `each listener numbers its own connections`() throws {
        let rig = try Rig {
            let upstream = $0.routes[0].upstream
            $0.routes.append(.init(listen: Endpoint(.loopback(port: 0)), upstream: upstream))
            $0.firstListener = 3
        }
        defer { rig.tearDown() }
        rig.onServe = { $0.send(1, then: .finish) }
        for listener in [1, 0, 1] {
            let client = try rig.connect(toListener: listener)
            try rig.run("the client is served") { client.hasEnded }
            client.close()
        }
        try rig.runUntilIdle(3)
        // Two connections may end in another order than they began.
        #expect(rig.ends.count == 3)
        #expect(
            Set(rig.ends.map(\.connection)) == [
                ConnectionID(listener: 4, ordinal: 1), ConnectionID(listener: 3, ordinal: 1),
                ConnectionID(listener: 4, ordinal: 2),
            ]
        )
    }
}
