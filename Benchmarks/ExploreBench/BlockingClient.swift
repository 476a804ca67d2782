import Dispatch
import Glibc
import SystemIO

/// A client as plain as it gets: it fetches an object over blocking sockets, and goes on where it was
/// cut, three times at most.
struct BlockingClient: Sendable {
    let host: String
    let port: UInt16
    let target: String
    let file: String

    private static let tries = 3

    struct Failure: Error {}

    private struct Answer {
        var status = 0
        var tag: String?
        var length: Int?
        var content: [UInt8] = []
    }

    /// Works on a thread of its own, so that many can wait at once.
    func fetch() async throws {
        let isDone = await withCheckedContinuation { waiting in
            DispatchQueue.global().async { waiting.resume(returning: fetchAndWait()) }
        }
        if !isDone { throw Failure() }
    }

    private func fetchAndWait() -> Bool {
        var content: [UInt8] = []
        var tag: String?
        for _ in 0..<Self.tries {
            if tag == nil { content = [] }
            guard let answer = exchange(from: content.count, tag) else { continue }
            guard answer.status == 200 || answer.status == 206 else { continue }
            if answer.status == 200 { content = [] }
            content += answer.content
            tag = answer.tag
            guard let length = answer.length, answer.content.count == length else { continue }
            return (try? FileSystem.replace(file, with: content)) != nil
        }
        return false
    }

    /// One request; nil if no head came back.
    private func exchange(from offset: Int, _ tag: String?) -> Answer? {
        guard let descriptor = connected() else { return nil }
        defer { close(descriptor) }
        var request = "GET \(target) HTTP/1.1\r\nHost: \(host):\(port)\r\nConnection: close\r\n"
        if offset > 0, let tag { request += "Range: bytes=\(offset)-\r\nIf-Range: \(tag)\r\n" }
        guard send(request + "\r\n", descriptor) else { return nil }
        return parse(receive(descriptor))
    }

    private func connected() -> Int32? {
        let descriptor = socket(
            AF_INET,
            Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue),
            0
        )
        guard descriptor >= 0 else { return nil }
        var limit = timeval(tv_sec: 1, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = unsafe inet_addr(host)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result == 0 { return descriptor }
        close(descriptor)
        return nil
    }

    private func send(_ text: String, _ descriptor: Int32) -> Bool {
        let bytes = Array(text.utf8)
        return unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        } == bytes.count
    }

    /// All that comes before the end, a failure, or a second of silence.
    private func receive(_ descriptor: Int32) -> [UInt8] {
        var received: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes {
                unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
            }
            guard count > 0 else { return received }
            received += chunk[..<count]
        }
    }

    private func parse(_ bytes: [UInt8]) -> Answer? {
        let end = Array("\r\n\r\n".utf8)
        guard let mark = bytes.firstRange(of: end) else { return nil }
        let lines = String(decoding: bytes[..<mark.lowerBound], as: UTF8.self).split(
            separator: "\r\n"
        )
        var answer = Answer(content: Array(bytes[mark.upperBound...]))
        let status = lines.first?.split(separator: " ").dropFirst().first
        answer.status = status.flatMap { Int($0) } ?? 0
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = String(parts[1].drop { $0 == " " })
            switch parts[0].lowercased() {
            case "etag": answer.tag = value
            case "content-length": answer.length = Int(value)
            default: break
            }
        }
        return answer
    }
}
