internal import CLibuv
internal import CLibrary

/// Looks up host names without stopping the loop (libuv asks on its own threads).
@safe
package enum NameResolver {
    /// Looks up `host`; `answer` comes later, on the loop.
    ///
    /// - Parameters:
    ///   - host: a name or a numeric address.
    ///   - port: goes into each address.
    ///   - loop: where the answer comes; it must run until then (`EventLoop.finishPendingWork`).
    ///   - answer: all stream addresses in the order of the system (RFC 6724), none twice.
    package static func resolve(
        _ host: String,
        port: UInt16,
        on loop: EventLoop,
        answer: @escaping (Result<[SocketAddress], SystemError>) -> Void
    ) {
        let request = Request(port: port, answer: answer)
        request.loop = loop
        loop.pendingWork += 1
        do throws(SystemError) {
            try unsafe loop.startRequest { uv in
                unsafe ask(uv, request.memory, host) { memory, status, list in
                    unsafe Request.finish(memory, status, list)
                }
            }
        } catch {
            loop.pendingWork -= 1
            request.abandon()
            answer(.failure(error))
        }
    }

    /// Looks up `host` while the caller waits: for the start of a program.
    package static func resolveNow(
        _ host: String,
        port: UInt16,
        on loop: EventLoop
    ) throws(SystemError) -> [SocketAddress] {
        var found: [SocketAddress] = []
        let request = Request(port: port) { _ in }
        defer { request.abandon() }
        try unsafe loop.startRequest { uv in
            let status = unsafe ask(uv, request.memory, host, nil)
            if status == 0 { found = unsafe addresses(request.memory.pointee.addrinfo, port: port) }
            return status
        }
        return found
    }

    /// Without `done` libuv answers before it returns.
    private static func ask(
        _ uv: UnsafeMutablePointer<uv_loop_t>?,
        _ request: UnsafeMutablePointer<uv_getaddrinfo_t>,
        _ host: String,
        _ done: uv_getaddrinfo_cb?
    ) -> CInt {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = LINKCOND_STREAM
        return unsafe uv_getaddrinfo(uv, request, done, host, nil, &hints)
    }

    private static func addresses(
        _ list: UnsafeMutablePointer<addrinfo>?,
        port: UInt16
    ) -> [SocketAddress] {
        defer { unsafe uv_freeaddrinfo(list) }
        var found: [SocketAddress] = []
        var next = unsafe list
        while let entry = unsafe next {
            let raw = unsafe UnsafeRawBufferPointer(
                start: entry.pointee.ai_addr,
                count: Int(entry.pointee.ai_addrlen)
            )
            let length = raw.count
            if let address = unsafe SocketAddress.decode(raw, length: length)?.with(port: port),
                !found.contains(address)
            {
                found.append(address)
            }
            unsafe next = entry.pointee.ai_next
        }
        return found
    }

    /// One lookup; libuv holds a reference from start to answer.
    @safe
    private final class Request {
        let memory: UnsafeMutablePointer<uv_getaddrinfo_t>
        private let port: UInt16
        var loop: EventLoop?
        private let answer: (Result<[SocketAddress], SystemError>) -> Void

        init(port: UInt16, answer: @escaping (Result<[SocketAddress], SystemError>) -> Void) {
            unsafe memory = .allocate(capacity: 1)
            self.port = port
            self.answer = answer
            unsafe memory.pointee.data = Unmanaged.passRetained(self).toOpaque()
        }

        deinit { unsafe memory.deallocate() }

        func abandon() { unsafe Unmanaged.passUnretained(self).release() }

        static func finish(
            _ memory: UnsafeMutablePointer<uv_getaddrinfo_t>?,
            _ status: CInt,
            _ list: UnsafeMutablePointer<addrinfo>?
        ) {
            guard let data = unsafe memory?.pointee.data else { return }
            let request = unsafe Unmanaged<Request>.fromOpaque(data).takeRetainedValue()
            let found = unsafe addresses(list, port: request.port)
            request.loop?.pendingWork -= 1
            request.answer(status == 0 ? .success(found) : .failure(.libuv(status)))
        }
    }
}
