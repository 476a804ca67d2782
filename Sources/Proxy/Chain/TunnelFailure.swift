package import SystemIO

/// Why the next proxy gave no tunnel to a server.
package enum TunnelFailure: Error, Hashable, Sendable {
    /// No connection to the proxy itself.
    case unreachable(SystemError)
    case timedOut
    /// It ended the connection and had said nothing.
    case closed
    /// What it said is no answer of such a proxy.
    case noProxy
    /// It wants user and password, and we have none.
    case wantsLogin
    case loginRefused
    /// A final status other than 2xx that is not about a login, with its reason.
    case status(Int, String)
    /// A code of RFC 1928 §6 other than 0.
    case socks(UInt8)

    /// What happened, and what to do.
    ///
    /// - Parameters:
    ///   - proxy: which one; user and password are not told.
    ///   - server: where the tunnel was to end.
    /// - Returns: one sentence without a full stop.
    func words(_ proxy: NextProxy, to server: Endpoint) -> String {
        let name = "the proxy \(proxy)"
        let way = proxy.form == .http ? "CONNECT" : "SOCKS5"
        return switch self {
        case .unreachable(let error):
            "\(name) cannot be reached: \(error); start it, or correct --via"
        case .timedOut: "\(name) gave no answer for \(server) in time"
        case .closed: "\(name) closed without an answer; it has to take \(way)"
        case .noProxy:
            "\(name) answered what is no answer to \(way); "
                + (proxy.form == .http
                    ? "if it is a SOCKS proxy, write --via socks5://\(proxy.endpoint)"
                    : "if it is an HTTP proxy, write --via http://\(proxy.endpoint)")
        case .wantsLogin:
            "\(name) wants a login; write \(proxy.form == .http ? "http" : "socks5")"
                + "://USER:PASSWORD@\(proxy.endpoint)"
        case .loginRefused: "\(name) does not take this user and password; look at --via"
        case .status(let code, let reason):
            "\(name) gave no tunnel to \(server): \(code) \(reason)"
                + (code == 403 || code == 405
                    ? "; it has to allow CONNECT there, which many do for port 443 only" : "")
        case .socks(let code):
            "\(name) gave no connection to \(server): \(Self.meaning(code))"
                + (code == 2 ? "; it has to allow it" : "")
        }
    }

    /// The words of RFC 1928 §6.
    private static func meaning(_ code: UInt8) -> String {
        switch code {
        case 1: "general failure"
        case 2: "not allowed by its rules"
        case 3: "network unreachable"
        case 4: "host unreachable"
        case 5: "connection refused"
        case 6: "time to live expired"
        case 7: "it does not take CONNECT"
        case 8: "it does not take addresses of this kind"
        default: "error \(code)"
        }
    }

    /// What clients of SOCKS are told (RFC 1928 §6).
    var socksCode: UInt8 {
        switch self {
        case .socks(let code) where (1...6).contains(code): code
        case .status(403, _): 2
        case .timedOut, .status(504, _): 6
        case .status(502, _): 4
        default: 1
        }
    }
}
