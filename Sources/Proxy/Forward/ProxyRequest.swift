internal import HTTPWire

/// The first request of a client of an HTTP proxy: CONNECT (RFC 9110 §9.3.6), or one in absolute form
/// (RFC 9112 §3.2.2), which stays where it is, to be passed on.
struct ProxyRequest {
    /// What clients have to say; nil for nothing.
    let credentials: ForwardSettings.Credentials?
    /// Whether the connection is a tunnel, and not requests for a server.
    private(set) var isTunnel = false

    init(_ credentials: ForwardSettings.Credentials?) { self.credentials = credentials }

    /// Where browsers ask which proxy to use.
    private static let configurationPath = "/proxy.pac"
    /// The longest head that is waited for.
    static let limit = 32_768

    /// Looks at the bytes that have come, all of which are still to be read.
    ///
    /// - Parameters:
    ///   - bytes: from the first one on.
    ///   - address: of the proxy, for the automatic configuration.
    /// - Returns: what follows.
    mutating func read(_ bytes: [UInt8], address: String) -> ForwardStep {
        var parser = RequestParser()
        do throws(MessageError) {
            let step = try parser.next(bytes.span)
            guard case .head(let head)? = step.event else {
                return bytes.count < Self.limit
                    ? .needsMore : .refused(Self.reply(431, "The head is too long."))
            }
            return answer(head, consumed: step.consumed, address)
        } catch {
            return .refused(Self.reply(400, "This is no HTTP/1.x request: \(error)."))
        }
    }

    private mutating func answer(_ head: RequestHead, consumed: Int, _ address: String)
        -> ForwardStep
    {
        guard isKnown(head) else {
            return .refused(
                Self.reply(
                    407,
                    "Say user and password, as in http://USER:PASSWORD@\(address).",
                    ["Proxy-Authenticate": "Basic realm=\"linkcond\""]
                )
            )
        }
        switch RequestTarget(head) {
        case .authority(let host, let port):
            guard let port = UInt16(exactly: port), port > 0 else { break }
            // Content of a CONNECT has no meaning (RFC 9110 §9.3.6), and would be taken for the tunnel's.
            guard !head.fields.contains("Content-Length"),
                !head.fields.contains("Transfer-Encoding")
            else { return .refused(Self.reply(400, "CONNECT has no content.")) }
            isTunnel = true
            return .destination(Destination(host: host, port: port), consumed: consumed)
        case .absolute(let url):
            guard !url.isSecure else {
                return .refused(Self.reply(400, "For an https URL, open a tunnel with CONNECT."))
            }
            guard let port = UInt16(exactly: url.port) else { break }
            return .destination(Destination(host: url.host, port: port), consumed: 0)
        case .origin where head.target == Self.configurationPath:
            return .refused(Self.configuration(address))
        case .origin, .asterisk:
            return .refused(
                Self.reply(400, "This is a forward proxy: set it as the proxy of your client.")
            )
        case nil: break
        }
        return .refused(Self.reply(400, "The target '\(head.target)' names no server."))
    }

    /// The target of a request in absolute form that its client may make of this server; nil for any
    /// other request.
    func url(of head: RequestHead, on server: Destination) -> HTTPURL? {
        guard isKnown(head), case .absolute(let url) = RequestTarget(head), !url.isSecure,
            url.port == server.port, url.host == server.host
        else { return nil }
        return url
    }

    private func isKnown(_ head: RequestHead) -> Bool {
        guard let credentials else { return true }
        let text = Base64.encode("\(credentials.user):\(credentials.password)".utf8)
        return head.fields["Proxy-Authorization"] == "Basic \(text)"
    }

    /// The answer to a CONNECT, or to a request that reaches no server; nil for none.
    func reply(_ outcome: ForwardOutcome, _ destination: Destination) -> [UInt8]? {
        let name = destination.endpoint.description
        switch outcome {
        case .connected:
            return isTunnel ? Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8) : nil
        case .notAllowed:
            return Self.reply(
                403,
                "\(name) is not allowed. Start linkcond with --allow \(name) to allow it."
            )
        case .unclearHost:
            return Self.reply(
                403,
                "Write the address in '\(name)' as four decimal numbers, as in 127.0.0.1."
            )
        case .unknownHost: return Self.reply(502, "The host of \(name) was not found.")
        case .refusedByServer: return Self.reply(502, "\(name) refused the connection.")
        case .unreachable: return Self.reply(502, "\(name) cannot be reached.")
        case .timedOut: return Self.reply(504, "\(name) did not answer in time.")
        case .noTunnel(let failure, let proxy):
            let words = failure.words(proxy, to: destination.endpoint)
            return Self.reply(failure == .timedOut ? 504 : 502, "\(words).")
        }
    }

    private static func reply(
        _ status: Int,
        _ text: String,
        _ fields: HeaderFields = [:]
    ) -> [UInt8] {
        message(status, "text/plain", "linkcond: \(text)\n", fields)
    }

    private static func configuration(_ address: String) -> [UInt8] {
        message(
            200,
            "application/x-ns-proxy-autoconfig",
            "function FindProxyForURL(url, host) { return \"PROXY \(address)\"; }\n"
        )
    }

    private static func message(
        _ status: Int,
        _ type: String,
        _ text: String,
        _ more: HeaderFields = [:]
    ) -> [UInt8] {
        let body = Array(text.utf8)
        var fields = more
        fields.add("Content-Type", type)
        fields.add("Content-Length", "\(body.count)")
        fields.add("Connection", "close")
        let head = ResponseHead(status, fields: fields)
        return ((try? MessageWriter.bytes(of: head)) ?? []) + body
    }
}
