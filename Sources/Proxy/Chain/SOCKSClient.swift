/// The client's side of SOCKS version 5 (RFC 1928), with user and password (RFC 1929) if there are any.
///
/// Names are sent as they are.
struct SOCKSClient {
    private enum State {
        case method
        case login
        case reply
    }

    private let credentials: ForwardSettings.Credentials?
    private let destination: Destination
    private var state = State.method

    init(_ credentials: ForwardSettings.Credentials?, to destination: Destination) {
        self.credentials = credentials
        self.destination = destination
    }

    private static let noLogin: UInt8 = 0
    private static let login: UInt8 = 2

    /// Which ways to log in there are.
    ///
    /// None is one also with a password: a proxy may not ask for it.
    var greeting: [UInt8] {
        let methods = credentials == nil ? [Self.noLogin] : [Self.noLogin, Self.login]
        return [SOCKSHandshake.version, UInt8(methods.count)] + methods
    }

    /// Looks at the bytes that have come and were not consumed.
    mutating func read(_ bytes: [UInt8]) -> TunnelStep {
        // Other protocols show at their first byte; the answer to a login has a version of its own.
        if let first = bytes.first, first != (state == .login ? 1 : SOCKSHandshake.version) {
            return .failed(.noProxy)
        }
        guard bytes.count >= 2 else { return .needsMore(consumed: 0) }
        switch state {
        case .method: return take(method: bytes[1])
        case .login:
            guard bytes[1] == 0 else { return .failed(.loginRefused) }
            return ask()
        case .reply: return readReply(bytes)
        }
    }

    private mutating func take(method: UInt8) -> TunnelStep {
        guard method != Self.noLogin else { return ask() }
        guard method == Self.login, let credentials else {
            return .failed(credentials == nil ? .wantsLogin : .loginRefused)
        }
        state = .login
        return .answer(
            [1] + Self.counted(credentials.user) + Self.counted(credentials.password),
            consumed: 2
        )
    }

    private mutating func ask() -> TunnelStep {
        // A shorter name would be another one.
        guard destination.host.utf8.count <= 255 else { return .failed(.socks(8)) }
        state = .reply
        let address = SOCKSAddress.bytes(of: destination)
        return .answer([SOCKSHandshake.version, 1, 0] + address, consumed: 2)
    }

    /// Its length, which is at most 255, and then the text.
    private static func counted(_ text: String) -> [UInt8] {
        let bytes = text.utf8.prefix(255)
        return [UInt8(bytes.count)] + bytes
    }

    private func readReply(_ bytes: [UInt8]) -> TunnelStep {
        // Some proxies end with a code and no address.
        guard bytes[1] == 0 else { return .failed(.socks(bytes[1])) }
        do throws(SOCKSAddress.Problem) {
            return .open(consumed: try SOCKSAddress(bytes, at: 3).end)
        } catch {
            return error == .incomplete ? .needsMore(consumed: 0) : .failed(.noProxy)
        }
    }
}
