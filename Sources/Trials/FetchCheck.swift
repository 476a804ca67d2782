internal import HTTPTransport
internal import HTTPWire
internal import Proxy
internal import SystemIO

/// Fetches a URL from a server, around the proxy, and takes the digest of what it gives.
final class FetchCheck {
    /// What the server gave.
    enum Answer: Sendable {
        case content(ContentDigest.Content)
        case status(Int)
        case failed(String)
    }

    private let client: HTTPClient
    private var content: ContentDigest
    private let buffer = TransferBuffer(capacity: 65_536)
    private var done: ((Answer) -> Void)?
    private var exchange: ClientExchange?

    /// - Parameters:
    ///   - url: `http://...`, or a path of the server behind the proxy.
    ///   - server: where that is.
    ///   - tls: how it is reached, if it speaks TLS.
    ///   - beginning: how long a beginning is whose digest is wanted, too.
    ///   - loop: where `done` is called, not before this returns.
    ///   - done: gets the answer; never after `close`.
    /// - Throws: why there can be no answer, in words.
    init(
        _ url: String,
        server: Endpoint,
        tls: TrialTLS,
        beginning: UInt64?,
        on loop: EventLoop,
        done: @escaping (Answer) -> Void
    ) throws(FetchProblem) {
        content = ContentDigest(beginning: beginning)
        let request = try Self.request(url, server, tls)
        let settings = try Self.settings(tls)
        do throws(SystemError) {
            client = try HTTPClient(loop: loop, settings: settings)
        } catch {
            throw FetchProblem(description: "no client: \(error)")
        }
        self.done = done
        let exchange = client.start(request)
        self.exchange = exchange
        exchange.onResponse = { [weak self] in self?.take($0) }
        exchange.onFailure = { [weak self] in self?.finish(.failed($0.description)) }
    }

    private static func settings(_ tls: TrialTLS) throws(FetchProblem) -> HTTPClientSettings {
        var settings = HTTPClientSettings()
        guard tls.upstreamName != nil else { return settings }
        settings.offersHTTP2 = true
        do throws(TLSError) {
            settings.tls = try .client(
                authorities: tls.upstream.authorities,
                verifiesPeer: tls.upstream.verifies,
                certificate: tls.upstream.certificate
            )
        } catch {
            throw FetchProblem(description: error.description)
        }
        return settings
    }

    private static func request(
        _ url: String,
        _ server: Endpoint,
        _ tls: TrialTLS
    ) throws(FetchProblem) -> ClientRequest {
        var text = url
        var unixPath: String?
        if url.hasPrefix("/") {
            let scheme = tls.upstreamName == nil ? "http" : "https"
            switch server {
            case .tcp: text = "\(scheme)://\(server)\(url)"
            case .unix(let path):
                text = "\(scheme)://\(tls.upstreamName ?? "localhost")\(url)"
                unixPath = path
            }
        }
        do throws(HTTPURLError) {
            let found = try HTTPURL(text)
            return ClientRequest(
                "GET",
                ClientEndpoint(found, unixPath: unixPath),
                target: found.target
            )
        } catch {
            throw FetchProblem(description: "'\(text)': \(error)")
        }
    }

    private func take(_ head: ResponseHead) {
        guard head.status == 200 else { return finish(.status(head.status)) }
        read()
    }

    private func read() {
        exchange?.read(into: buffer, limit: buffer.capacity) { [weak self] piece in
            guard let self else { return }
            switch piece {
            case .bytes(let range):
                buffer.withBytes(range) { content.update($0) }
                read()
            case .end: finish(.content(content.content))
            }
        }
    }

    private func finish(_ answer: Answer) {
        let done = done
        self.done = nil
        done?(answer)
    }

    /// Ends it; call it also after the answer, in another turn of the loop.
    func close() {
        done = nil
        exchange = nil
        client.close()
    }
}

/// Why a URL cannot be asked for.
struct FetchProblem: Error, Hashable, Sendable, CustomStringConvertible {
    let description: String
}
