internal import CLibuv
internal import CLibrary

/// Why a system call or a libuv call failed.
package struct SystemError: Error, Hashable, Sendable {
    /// A positive errno, or a negative libuv code where errno has none (name lookup).
    package let code: CInt

    package init(code: CInt) { self.code = code }

    /// What the last failed system call of this thread said.
    static var last: SystemError { SystemError(code: errno) }

    /// From a negative libuv status.
    static func libuv(_ status: CInt) -> SystemError {
        // On Linux libuv's codes are negated errno values, but for its own above 3,000.
        SystemError(code: status > -3_000 ? -status : status)
    }

    /// Throws if a libuv call answered below zero.
    static func check(_ status: CInt) throws(SystemError) {
        guard status >= 0 else { throw libuv(status) }
    }

    package static let addressInUse = SystemError(code: EADDRINUSE)
    package static let brokenPipe = SystemError(code: EPIPE)
    package static let connectionRefused = SystemError(code: ECONNREFUSED)
    package static let connectionReset = SystemError(code: ECONNRESET)
    package static let invalidArgument = SystemError(code: EINVAL)
    package static let noSuchFile = SystemError(code: ENOENT)
    package static let permissionDenied = SystemError(code: EACCES)
    package static let timedOut = SystemError(code: ETIMEDOUT)
    package static let hostUnreachable = SystemError(code: EHOSTUNREACH)
    package static let networkUnreachable = SystemError(code: ENETUNREACH)
    package static let messageTooLong = SystemError(code: EMSGSIZE)

    /// Whether the machine has no address of this family, such as IPv6.
    package var lacksAddressFamily: Bool { code == EAFNOSUPPORT || code == EADDRNOTAVAIL }

    /// Whether a name has no address.
    package var isUnknownName: Bool {
        [UV_EAI_NONAME, UV_EAI_NODATA, UV_EAI_ADDRFAMILY].contains { $0.rawValue == code }
    }

    /// Whether a name could not be looked up, known or not.
    package var isLookup: Bool { code <= -3_000 }

    /// Whether the process or the system has no descriptor or socket memory left.
    package var isExhaustion: Bool {
        code == EMFILE || code == ENFILE || code == ENOBUFS || code == ENOMEM
    }

    /// Whether the system has no local port left for a UDP socket.
    package var isLackOfPorts: Bool { code == EAGAIN || code == EADDRINUSE }
}

extension SystemError: CustomStringConvertible {
    /// The usual words, such as "address already in use".
    package var description: String {
        unsafe String(cString: uv_strerror(code > 0 ? -code : code))
    }
}
