import HTTPWire
import SystemIO

/// A server that answers each request as a test says, truthfully or not.
final class ScriptedServer {
    /// A request that came, whole or as far as the script let it.
    struct Request {
        var head: HTTPWire.RequestHead
        var body: [UInt8] = []
        /// Counts the requests from 0.
        var index: Int
    }

    /// What the server does, in order.
    enum Step {
        case send([UInt8])
        /// Reads so many bytes of the body, or all of it.
        case readBody(Int?)
        case wait(milliseconds: UInt64)
        case close
        case reset
        /// Keeps the connection and does nothing more.
        case hang
    }

    let loop: EventLoop
    private(set) var requests: [Request] = []
    private var listener: ListeningSocket
    private var token = WatchToken.none
    private var connections: [ScriptedConnection] = []
    let script: (Request) -> [Step]
    private lazy var accepting = Accepting(server: self)

    init(on loop: EventLoop, script: @escaping (Request) -> [Step]) throws {
        self.loop = loop
        self.script = script
        listener = try ListeningSocket(on: .loopback(port: 0))
        token = try listener.watch(on: loop, handler: accepting)
    }

    var authority: String { listener.address?.description ?? "" }

    func url(_ path: String) -> String { "http://\(authority)\(path)" }

    func stop() {
        guard listener.isOpen else { return }
        listener.unwatch(token, on: loop)
        listener.close()
        for connection in connections { connection.close() }
    }

    fileprivate func accept() {
        while let socket = try? listener.accept(), socket.isOpen {
            let connection = ScriptedConnection(self, socket)
            connections.append(connection)
            connection.start()
        }
    }

    func begin(_ head: HTTPWire.RequestHead) -> Request {
        let request = Request(head: head, index: requests.count)
        requests.append(request)
        return request
    }

    func note(_ body: [UInt8], of index: Int) { requests[index].body += body }
}

private final class Accepting: ReadinessHandler {
    private weak var server: ScriptedServer?

    init(server: ScriptedServer) { self.server = server }

    func ready(_ readiness: Readiness, tag: UInt32) { server?.accept() }
}

/// One connection of the scripted server.
final class ScriptedConnection: ReadinessHandler {
    private unowned let server: ScriptedServer
    private var socket: Socket
    private var token = WatchToken.none
    private var parser = RequestParser()
    private let buffer = TransferBuffer(capacity: 65_536)
    private var input: [UInt8] = []
    private var steps: [ScriptedServer.Step] = []
    private var outgoing: [UInt8] = []
    private var index = 0
    private var wantedBody: Int?
    private var readBody = 0
    private var bodyEnded = true
    private var timer: Timer?
    private var isHanging = false

    init(_ server: ScriptedServer, _ socket: consuming Socket) {
        self.server = server
        self.socket = socket
    }

    func start() {
        token = (try? server.loop.watch(socket, handler: self)) ?? .none
        ready(.none, tag: 0)
    }

    func close() {
        timer?.close()
        guard socket.isOpen else { return }
        server.loop.unwatch(token)
        socket.close()
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        while socket.isOpen {
            if !flush() { return }
            if timer == nil, !isHanging, !steps.isEmpty, wantedBody == nil {
                take(steps.removeFirst())
                continue
            }
            if !parse(), !receive() { return }
        }
    }

    private func take(_ step: ScriptedServer.Step) {
        switch step {
        case .send(let bytes): outgoing += bytes
        case .readBody(let count): wantedBody = bodyEnded ? nil : count ?? .max
        case .wait(let milliseconds):
            timer = try? Timer(loop: server.loop) { [weak self] in
                self?.timer?.close()
                self?.timer = nil
                self?.ready(.none, tag: 0)
            }
            timer?.start(afterMilliseconds: milliseconds)
        case .close: close()
        case .reset:
            server.loop.unwatch(token)
            socket.reset()
        case .hang: isHanging = true
        }
    }

    /// False if the socket is full.
    private func flush() -> Bool {
        while !outgoing.isEmpty {
            let piece = Array(outgoing.prefix(buffer.capacity))
            buffer.fill(piece)
            guard case .moved(let count) = socket.send(buffer, from: 0, count: piece.count) else {
                return false
            }
            outgoing.removeFirst(count)
        }
        return true
    }

    private func receive() -> Bool {
        switch socket.receive(into: buffer, limit: buffer.capacity) {
        case .moved(let count):
            input += buffer.bytes(0..<count)
            return true
        case .wouldBlock: return false
        case .ended, .failed:
            close()
            return false
        }
    }

    /// Takes the next part of a request, if the script wants it; false if there is none.
    private func parse() -> Bool {
        guard wantedBody != nil || (!input.isEmpty && steps.isEmpty) else { return false }
        var given = input
        if let wantedBody { given = Array(input.prefix(max(1, wantedBody - readBody))) }
        guard let step = try? parser.next(given.span) else {
            close()
            return false
        }
        let bytes = given
        input.removeFirst(step.consumed)
        switch step.event {
        case .head(let head):
            let request = server.begin(head)
            index = request.index
            readBody = 0
            bodyEnded = false
            steps = server.script(request)
        case .body(let range):
            server.note(Array(bytes[range]), of: index)
            readBody += range.count
            if let wantedBody, readBody >= wantedBody { self.wantedBody = nil }
        case .end:
            bodyEnded = true
            wantedBody = nil
        case .opaque, nil: return step.consumed > 0
        }
        return true
    }
}

extension ScriptedServer.Step {
    /// A head, and a body that it may or may not describe.
    static func answer(
        _ status: Int,
        _ fields: HeaderFields = [:],
        _ body: [UInt8] = []
    ) -> ScriptedServer.Step {
        let head = (try? MessageWriter.bytes(of: ResponseHead(status, fields: fields))) ?? []
        return .send(head + body)
    }
}
