internal import HTTPWire
internal import SystemIO

/// What follows from what the next proxy has sent so far.
package enum TunnelStep: Hashable {
    /// So many bytes are done with, and more have to come.
    case needsMore(consumed: Int)
    /// This is said in answer to so many bytes.
    case answer([UInt8], consumed: Int)
    /// Behind so many bytes the tunnel begins.
    case open(consumed: Int)
    case failed(TunnelFailure)
}

/// The exchange with another proxy that opens a tunnel through it; without I/O.
package struct TunnelOpening {
    private enum Form {
        case http(ResponseParser)
        case socks(SOCKSClient)
    }

    private var form: Form
    /// What is said first.
    package let greeting: [UInt8]
    private let hasLogin: Bool
    private var hasAnswered = false

    /// - Parameters:
    ///   - proxy: to which a connection was made.
    ///   - destination: where the tunnel is to end.
    package init(_ proxy: NextProxy, to destination: Destination) {
        hasLogin = proxy.credentials != nil
        switch proxy.form {
        case .http:
            var parser = ResponseParser()
            parser.expect(method: "CONNECT")
            form = .http(parser)
            greeting = Self.request(destination.endpoint.description, proxy.credentials)
        case .socks:
            let client = SOCKSClient(proxy.credentials, to: destination)
            form = .socks(client)
            greeting = client.greeting
        }
    }

    private static func request(
        _ target: String,
        _ credentials: ForwardSettings.Credentials?
    ) -> [UInt8] {
        var fields: HeaderFields = ["Host": target]
        if let credentials {
            let text = Base64.encode("\(credentials.user):\(credentials.password)".utf8)
            fields.add("Proxy-Authorization", "Basic \(text)")
        }
        // Hosts have no characters that could not be written.
        return (try? MessageWriter.bytes(of: RequestHead("CONNECT", target, fields: fields))) ?? []
    }

    /// Takes the bytes that have come and were not consumed.
    package mutating func read(_ bytes: [UInt8]) -> TunnelStep {
        if !bytes.isEmpty { hasAnswered = true }
        switch form {
        case .http(var parser):
            let step = readResponse(bytes, &parser)
            form = .http(parser)
            return step
        case .socks(var client):
            let step = client.read(bytes)
            form = .socks(client)
            return step
        }
    }

    private func readResponse(_ bytes: [UInt8], _ parser: inout ResponseParser) -> TunnelStep {
        var consumed = 0
        do throws(MessageError) {
            while true {
                let step = try parser.next(bytes.span.extracting(consumed...))
                consumed += step.consumed
                guard case .head(let head)? = step.event else {
                    return .needsMore(consumed: consumed)
                }
                if head.isInterim { continue }
                guard (200..<300).contains(head.status) else {
                    return .failed(failure(head))
                }
                return .open(consumed: consumed)
            }
        } catch {
            return .failed(.noProxy)
        }
    }

    private func failure(_ head: ResponseHead) -> TunnelFailure {
        switch head.status {
        case 407: hasLogin ? .loginRefused : .wantsLogin
        // What Tinyproxy says to a wrong password.
        case 401 where hasLogin: .loginRefused
        default: .status(head.status, head.reason)
        }
    }

    /// Why there is no tunnel if the proxy ends the connection now.
    package var failureAtEnd: TunnelFailure { hasAnswered ? .noProxy : .closed }
}
