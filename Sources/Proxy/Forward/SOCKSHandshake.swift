internal import SystemIO

/// SOCKS version 5 (RFC 1928), with user and password (RFC 1929) if they are wanted.
struct SOCKSHandshake {
    private enum State {
        case greeting
        case credentials
        case request
    }

    private let credentials: ForwardSettings.Credentials?
    private var state = State.greeting

    static let version: UInt8 = 5

    init(_ credentials: ForwardSettings.Credentials?) { self.credentials = credentials }

    /// Looks at the bytes that have come and were not consumed.
    mutating func read(_ bytes: [UInt8]) -> ForwardStep {
        switch state {
        case .greeting: readGreeting(bytes)
        case .credentials: readCredentials(bytes)
        case .request: readRequest(bytes)
        }
    }

    /// The answer to the request.
    func reply(_ outcome: ForwardOutcome) -> [UInt8] {
        let code: UInt8 =
            switch outcome {
            case .connected: 0
            case .notAllowed, .unclearHost: 2
            case .unreachable, .unknownHost: 4
            case .refusedByServer: 5
            case .timedOut: 6
            case .noTunnel(let failure, _): failure.socksCode
            }
        return Self.reply(code)
    }

    // What the client knows of our side is of no use to it.
    private static func reply(_ code: UInt8) -> [UInt8] {
        [version, code, 0, 1, 0, 0, 0, 0, 0, 0]
    }

    /// The answer to a client that wants a relay for datagrams: where that is, nil if there is none.
    static func reply(relayAt address: SocketAddress?) -> [UInt8] {
        guard let address else { return reply(unsupported) }
        return [version, 0, 0] + SOCKSAddress.bytes(of: address)
    }

    private static let connect: UInt8 = 1
    private static let associate: UInt8 = 3
    /// "Command not supported".
    private static let unsupported: UInt8 = 7

    private mutating func readGreeting(_ bytes: [UInt8]) -> ForwardStep {
        guard bytes.count >= 2, bytes.count >= 2 + Int(bytes[1]) else { return .needsMore }
        let methods = bytes[2..<2 + Int(bytes[1])]
        let wanted: UInt8 = credentials == nil ? 0 : 2
        guard methods.contains(wanted) else { return .refused([Self.version, 0xFF]) }
        state = credentials == nil ? .request : .credentials
        return .answer([Self.version, wanted], consumed: 2 + methods.count)
    }

    private mutating func readCredentials(_ bytes: [UInt8]) -> ForwardStep {
        guard bytes.count >= 2 else { return .needsMore }
        let userEnd = 2 + Int(bytes[1])
        guard bytes.count > userEnd else { return .needsMore }
        let end = userEnd + 1 + Int(bytes[userEnd])
        guard bytes.count >= end else { return .needsMore }
        let user = bytes[2..<userEnd]
        let password = bytes[(userEnd + 1)..<end]
        guard let credentials, bytes[0] == 1, user.elementsEqual(credentials.user.utf8),
            password.elementsEqual(credentials.password.utf8)
        else { return .refused([1, 1]) }
        state = .request
        return .answer([1, 0], consumed: end)
    }

    private func readRequest(_ bytes: [UInt8]) -> ForwardStep {
        guard bytes.count >= 5 else { return .needsMore }
        guard bytes[0] == Self.version, bytes[2] == 0 else { return .refused(Self.reply(1)) }
        let command = bytes[1]
        guard command == Self.connect || command == Self.associate else {
            return .refused(Self.reply(Self.unsupported))
        }
        do throws(SOCKSAddress.Problem) {
            let address = try SOCKSAddress(bytes, at: 3)
            // Where the client says that its datagrams will come from is often not so.
            guard command == Self.connect else { return .association(consumed: address.end) }
            guard let destination = address.destination else { return .refused(Self.reply(1)) }
            return .destination(destination, consumed: address.end)
        } catch {
            return error == .incomplete ? .needsMore : .refused(Self.reply(8))
        }
    }
}
