import Dispatch
import Glibc
import ResumableUploads

/// Just enough of HTTP/1.1 for an example: one request a connection, no chunks.
///
/// One task uses it; blocking calls run on threads of Dispatch.
final class Connection: @unchecked Sendable {
    private let socket: Int32
    private var unread: [UInt8] = []
    private var left = 0

    struct Cut: Error {}

    init(_ socket: Int32) { self.socket = socket }

    func close() {
        shutdown(socket, Int32(SHUT_WR))
        // What was not read would destroy the response.
        var rest = [UInt8](repeating: 0, count: 65_536)
        while recv(socket, &rest, rest.count, 0) > 0 {}
        Glibc.close(socket)
    }

    func readHead() async -> ServerRequest? {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            guard head.count < 16_384, let byte = await nextByte() else { return nil }
            head.append(byte)
        }
        var lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        let words = lines.removeFirst().split(separator: " ")
        guard words.count == 3 else { return nil }
        let fields = lines.compactMap { line -> MessageField? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            return MessageField(String(line[..<colon]), String(value))
        }
        let request = ServerRequest(String(words[0]), String(words[1]), fields: fields)
        left = request["Content-Length"].flatMap { Int($0) } ?? 0
        return request
    }

    private func nextByte() async -> UInt8? {
        if unread.isEmpty { unread = await receive() }
        return unread.isEmpty ? nil : unread.removeFirst()
    }

    /// The next piece; nil at the end of the content.
    func readBody() async throws -> [UInt8]? {
        guard left > 0 else { return nil }
        if unread.isEmpty { unread = await receive() }
        guard !unread.isEmpty else { throw Cut() }
        let piece = Array(unread.prefix(left))
        unread.removeFirst(piece.count)
        left -= piece.count
        return piece
    }

    func write(_ response: ServerResponse) async {
        var text = "HTTP/1.1 \(response.status) \r\n"
        for field in response.fields { text += "\(field.name): \(field.value)\r\n" }
        if response.status >= 200 {
            text += "Connection: close\r\n"
            if response["Content-Length"] == nil, response.status != 204 {
                text += "Content-Length: \(response.body.count)\r\n"
            }
        }
        let bytes = Array("\(text)\r\n".utf8) + response.body
        await blocking { [socket] in
            var sent = 0
            while sent < bytes.count {
                let rest = Array(bytes[sent...])
                let count = send(socket, rest, rest.count, Int32(MSG_NOSIGNAL))
                guard count > 0 else { return }
                sent += count
            }
        }
    }

    private func receive() async -> [UInt8] {
        await blocking { [socket] in
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = recv(socket, &bytes, bytes.count, 0)
            return Array(bytes.prefix(max(0, count)))
        }
    }
}

struct Listener {
    private let socket: Int32
    let port: UInt16

    struct Failure: Error {}

    init() throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 && listen(socket, 16) == 0
                    && getsockname(socket, $0, &size) == 0
            }
        }
        guard isBound else { throw Failure() }
        port = UInt16(bigEndian: address.sin_port)
    }

    func accept() async -> Connection? {
        let accepted = await blocking { [socket] in Glibc.accept(socket, nil, nil) }
        return accepted < 0 ? nil : Connection(accepted)
    }
}

private func blocking<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(returning: work()) }
    }
}
