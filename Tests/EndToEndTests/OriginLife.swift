import CLibrary
import HTTPWire
import Origin
import SystemIO
import Testing

/// What an uploading client sees of one life of the origin, which may end at any moment.
///
/// Its socket waits, since the origin is another process.
@safe
struct OriginLife: ~Copyable {
    private let descriptor: CInt
    private let version: Int
    private var parser = ResponseParser()
    private var received: [UInt8] = []
    /// The address of the upload, once it is known.
    private(set) var place: String?
    /// The highest offset that the origin has promised in this life.
    private(set) var acknowledged: UInt64 = 0
    private var isComplete = false
    private var isOver = false

    struct Failure: Error { var text: String }

    init(port: UInt16, version: Int, place: String?) throws {
        self.version = version
        self.place = place
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Failure(text: "cannot connect: \(errno)") }
    }

    deinit { close(descriptor) }

    // MARK: Requests

    /// The offset that the origin says.
    mutating func offset() throws -> UInt64 {
        write(head("HEAD", place ?? "", []))
        parser.expect(method: "HEAD")
        let head = try #require(response())
        let offset = head.fields["Upload-Offset"].flatMap { UInt64($0) }
        return try #require(offset, "status \(head.status)")
    }

    /// Sends content until `stop` of it have left, then calls `kill` and sends on.
    ///
    /// - Returns: whether the upload was completed.
    mutating func send(
        _ content: KnownContent,
        from offset: UInt64,
        size: UInt64,
        until stop: UInt64,
        kill: () -> Void
    ) throws -> Bool {
        let isLast = version == 3 ? ("Upload-Incomplete", "?0") : ("Upload-Complete", "?1")
        var fields = [isLast, ("Content-Length", "\(size - offset)")]
        if let place {
            fields.append(("Upload-Offset", "\(offset)"))
            if version >= 6 { fields.append(("Content-Type", "application/partial-upload")) }
            write(head("PATCH", place, fields))
            parser.expect(method: "PATCH")
        } else {
            write(head("POST", "/files/durable", fields))
            parser.expect(method: "POST")
        }
        var sent = offset
        var isKilled = false
        while !isOver, sent < size {
            let end = min(size, sent + 65_536)
            write(content.bytes(sent..<end))
            sent = end
            take(waiting: false)
            if sent >= stop, !isKilled {
                isKilled = true
                kill()
            }
        }
        if stop <= size, !isKilled { kill() }
        while !isOver, !isComplete { take(waiting: true) }
        return isComplete
    }

    private func head(_ method: String, _ target: String, _ fields: [(String, String)]) -> [UInt8] {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: localhost"]
        lines.append("Upload-Draft-Interop-Version: \(version)")
        lines += fields.map { "\($0.0): \($0.1)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private mutating func write(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count, !isOver {
            let count = unsafe bytes.withUnsafeBytes { raw in
                unsafe CLibrary.send(
                    descriptor,
                    raw.baseAddress?.advanced(by: sent),
                    raw.count - sent,
                    CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
                )
            }
            if count > 0 {
                sent += count
            } else if errno == EAGAIN {
                // What the origin says meanwhile must not fill the way back.
                take(waiting: false)
                var state = pollfd(fd: descriptor, events: Int16(POLLIN | POLLOUT), revents: 0)
                unsafe poll(&state, 1, 1_000)
            } else {
                take(waiting: false)
                isOver = true
            }
        }
    }

    // MARK: Responses

    /// The next final response.
    private mutating func response() -> ResponseHead? {
        var found: ResponseHead?
        while found == nil, !isOver { take(waiting: true) { found = $0 } }
        return found
    }

    /// Reads what has come and notes every promise in it.
    private mutating func take(waiting: Bool, _ onFinal: (ResponseHead) -> Void = { _ in }) {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let flags = waiting ? 0 : CInt(MSG_DONTWAIT)
        let count = unsafe bytes.withUnsafeMutableBytes { raw in
            unsafe recv(descriptor, raw.baseAddress, raw.count, flags)
        }
        if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { isOver = true }
        guard count > 0 else { return }
        received += bytes[..<count]
        while true {
            let unread = received
            guard let step = try? parser.next(unread.span) else {
                isOver = true
                return
            }
            received.removeFirst(step.consumed)
            guard let event = step.event else { return }
            guard case .head(let head) = event else { continue }
            note(head)
            if !head.isInterim { onFinal(head) }
        }
    }

    private mutating func note(_ head: ResponseHead) {
        if head.isInterim { place = place ?? head.fields["Location"] }
        if let offset = head.fields["Upload-Offset"].flatMap({ UInt64($0) }) {
            acknowledged = max(acknowledged, offset)
        }
        if head.status == 201 { isComplete = true }
    }
}
