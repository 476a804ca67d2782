internal import HTTP2
internal import HTTPWire
internal import Proxy
internal import SystemIO

/// A server of HTTP/2 for the self-test: it has one object, and takes orders and calls.
final class SmallStreamServer: ReadinessHandler {
    private var listener: ListeningSocket
    private let loop: EventLoop
    private var token = WatchToken.none
    private var sessions: [ObjectIdentifier: Session] = [:]
    let endpoint: Endpoint

    private static let prefaceSize = 24

    init(loop: EventLoop) throws(SystemError) {
        self.loop = loop
        listener = try ListeningSocket(on: .loopback(port: 0))
        endpoint = Endpoint(listener.address ?? .loopback(port: 0))
        token = try listener.watch(on: loop, handler: self)
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        while let socket = try? listener.accept(), socket.isOpen {
            guard
                let channel = try? FrameChannel(socket, loop: loop, preface: Self.prefaceSize)
            else { continue }
            let session = Session(channel)
            sessions[ObjectIdentifier(channel)] = session
            channel.onEnd = { [weak self, weak channel] in
                if let channel { self?.sessions[ObjectIdentifier(channel)] = nil }
            }
        }
    }

    func close() {
        listener.unwatch(token, on: loop)
        listener.close()
        for session in sessions.values { session.channel.close() }
        sessions.removeAll()
    }

    private final class Session {
        let channel: FrameChannel
        private let decoder = FieldDecoder()
        private let encoder = FieldEncoder()
        private var requests: [UInt32: RequestHead] = [:]
        /// The stream of the content that comes, what is left of it, and whether that is the last.
        private var data: (stream: UInt32, left: Int, isLast: Bool) = (0, 0, false)

        init(_ channel: FrameChannel) {
            self.channel = channel
            channel.onEvent = { [weak self] in self?.take($0, $1) }
            channel.send(FrameWriter.settings([]))
        }

        private func take(_ event: FrameReader.Event, _ content: [UInt8]) {
            switch event {
            case .frame(let header, let payload): _ = channel.answer(header, payload)
            case .block(let block, _):
                guard let fields = try? decoder.decode(block.fragment),
                    let head = RequestHead(fields)
                else { return channel.close() }
                requests[block.stream] = head
                if block.endsStream { answer(block.stream) }
            case .data(let stream, _, let count, _, let isLast):
                data = (stream, count, isLast)
                channel.giveBack(count, of: stream)
                if count == 0, isLast { answer(stream) }
            case .content:
                data.left -= content.count
                if data.left == 0, data.isLast { answer(data.stream) }
            case .malformed: channel.close()
            }
        }

        private func answer(_ stream: UInt32) {
            guard let request = requests.removeValue(forKey: stream) else { return }
            if request.isCall { return answerCall(stream) }
            let isOrder = request.method == "POST"
            let content = isOrder ? Array("ok".utf8) : SelfTestCase.content
            let head = ResponseHead(
                isOrder ? 201 : 200,
                fields: ["Content-Length": "\(content.count)"]
            )
            send(head.block, on: stream)
            var rest = content[...]
            while !rest.isEmpty {
                let part = rest.prefix(FrameWriter.maximumPayload)
                rest = rest.dropFirst(part.count)
                channel.send(FrameWriter.data(part, endsStream: rest.isEmpty, stream: stream))
            }
        }

        private func answerCall(_ stream: UInt32) {
            send(ResponseHead(200, fields: ["Content-Type": "application/grpc"]).block, on: stream)
            channel.send(
                FrameWriter.data(SelfTestCase.callContent, endsStream: false, stream: stream)
            )
            send([BlockField("grpc-status", "0")], on: stream, endsStream: true)
        }

        private func send(_ fields: [BlockField], on stream: UInt32, endsStream: Bool = false) {
            var block = FrameReader.Block(stream: stream, endsStream: endsStream, fragment: [])
            block.fragment = encoder.encode(fields)
            channel.send(FrameWriter.block(block))
        }
    }
}
