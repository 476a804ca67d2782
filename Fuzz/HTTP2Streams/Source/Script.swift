import Basics
import Faults
import HTTP2

/// What the two sides send, in its order.
struct Script {
    private(set) var steps: [(direction: Direction, bytes: [UInt8])] = [(.up, StreamGates.preface)]
    /// Whether some of it is no frame.
    private(set) var isRaw = false

    init(_ input: [UInt8]) {
        let encoders: [Direction: FieldEncoder] = [.up: FieldEncoder(), .down: FieldEncoder()]
        steps.append((.up, FrameWriter.frame(.settings, [], stream: 0, [])))
        steps.append((.down, FrameWriter.frame(.settings, [], stream: 0, [])))
        var rest = input[...]
        while let first = rest.popFirst(), let second = rest.popFirst() {
            let direction: Direction = first & 1 == 0 ? .up : .down
            let stream = UInt32(second & 3) * 2 + 1
            let ends = second & 4 != 0
            let size = Int(second >> 3)
            let bytes: [UInt8]
            switch first >> 1 & 7 {
            case 0, 1:
                let fields = Self.fields(direction, size)
                let block = FrameReader.Block(
                    stream: stream,
                    endsStream: ends,
                    fragment: encoders[direction]?.encode(fields) ?? []
                )
                bytes = FrameWriter.block(block)
            case 2, 3:
                let content =
                    first >> 1 & 7 == 2
                    ? [UInt8](repeating: first, count: size)
                    : Self.messages(direction, size, of: Int(first >> 4) % 3)
                bytes = FrameWriter.data(content, endsStream: ends, stream: stream)
            case 4:
                let content = [UInt8(min(size, 3))] + [UInt8](repeating: 7, count: size + 3)
                bytes = FrameWriter.frame(.data, .padded, stream: stream, content)
            case 5: bytes = FrameWriter.resetStream(.cancel, stream: stream)
            case 6: bytes = FrameWriter.windowUpdate(UInt32(size + 1), stream: stream)
            default:
                isRaw = true
                bytes = Array(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            steps.append((direction, bytes))
        }
    }

    /// The beginning of messages of gRPC, of events, or of a WebSocket.
    private static func messages(_ direction: Direction, _ size: Int, of kind: Int) -> [UInt8] {
        let mask: [UInt8] = direction == .up ? [0, 0, 0, 0] : []
        let frame = [0x81, direction == .up ? 0x82 : 2] + mask + [7, 7]
        let message: [UInt8] =
            switch kind {
            case 0: [UInt8(size & 1), 0, 0, 0, 3, 7, 7, 7]
            case 1: Array("id: 1\ndata: a\n\n: b\n\n".utf8)
            default: frame + [0x8A, direction == .up ? 0x80 : 0] + mask
            }
        return Array((0..<4).flatMap { _ in message }.prefix(size))
    }

    private static func fields(_ direction: Direction, _ size: Int) -> [BlockField] {
        if size == 31 { return [BlockField("trailer", "x")] }
        if direction == .down {
            let status = size % 4 == 3 ? "103" : "200"
            let length = size % 4 == 1 ? [BlockField("content-length", "\(size)")] : []
            let types = ["application/grpc", "text/event-stream", "application/grpc+proto"]
            let type = size % 4 == 1 ? [] : [BlockField("content-type", types[size % 3])]
            return [BlockField(":status", status)] + length + type
        }
        if size == 29 {
            return [
                BlockField(":method", "CONNECT"), BlockField(":protocol", "websocket"),
                BlockField(":path", "/"), BlockField(":scheme", "http"),
                BlockField(":authority", "x"),
            ]
        }
        let type = size % 2 == 0 ? [BlockField("content-type", "application/grpc")] : []
        return [
            BlockField(":method", size % 3 == 0 ? "POST" : "GET"), BlockField(":path", "/\(size)"),
            BlockField(":scheme", "http"), BlockField(":authority", "x"),
        ] + type
    }

    var sent: [Direction: [UInt8]] {
        steps.reduce(into: [.up: [], .down: []]) { $0[$1.direction, default: []] += $1.bytes }
    }
}
