internal import Arguments
internal import Basics
internal import HTTPTransport
internal import HTTPWire
internal import Journal
internal import SystemIO

/// Sends requests to a Toxiproxy server, one after the other, and waits for each answer.
///
/// Call `close` at the end.
final class ToxiproxyClient {
    private let address: String
    private let loop: EventLoop
    private let client: HTTPClient
    private let endpoint: ClientEndpoint

    private static let answerLimit = 8 << 20

    /// - Parameter address: a URL, or a host with its port.
    /// - Throws: usage for what is neither.
    init(_ address: String) throws(Failure) {
        self.address = address
        do throws(HTTPURLError) {
            endpoint = ClientEndpoint(
                try HTTPURL(address.contains("://") ? address : "http://\(address)")
            )
        } catch {
            throw Failure(.usage, "--host '\(address)' is \(error); write http://localhost:8474")
        }
        do throws(SystemError) {
            loop = try EventLoop()
            var settings = HTTPClientSettings()
            settings.connectTime = .seconds(5)
            client = try HTTPClient(loop: loop, settings: settings)
        } catch {
            throw Failure(.internalError, "cannot start the event loop: \(error)")
        }
    }

    func close() {
        client.close()
        loop.finishPendingWork()
        // A loop that is stopped does not wait for anything.
        loop.stop()
        for _ in 0..<4 { loop.runOnce() }
    }

    /// Sends a request and waits for its answer.
    ///
    /// - Parameters:
    ///   - method: of the request.
    ///   - path: its segments, not encoded.
    ///   - body: sent as JSON; nil for none.
    /// - Returns: the object that answers it; an empty one for no content.
    /// - Throws: `unavailable` if no server answers, `findings` if it refuses.
    func send(
        _ method: String,
        _ path: [String],
        _ body: JSONObject? = nil
    ) throws(Failure) -> JSONObject {
        var bytes: [UInt8] = []
        body?.write(to: &bytes)
        let request = ClientRequest(
            method,
            endpoint,
            target: "/" + path.map(PercentEncoding.encode).joined(separator: "/"),
            fields: body == nil ? [:] : ["Content-Type": "application/json"],
            body: body == nil ? .none : .bytes(bytes)
        )
        switch wait(for: client.start(request)) {
        case .failed(let failure):
            throw Failure(
                .unavailable,
                "no Toxiproxy answers at \(address): \(failure);"
                    + " start `linkcond toxiproxy`, or name another with --host"
            )
        case .answered(let status, let content): return try read(status, content)
        }
    }

    private enum Outcome {
        case failed(ClientFailure)
        case answered(status: Int, content: [UInt8])
    }

    private func wait(for exchange: ClientExchange) -> Outcome {
        var outcome: Outcome?
        exchange.onFailure = { outcome = .failed($0) }
        exchange.onResponse = { [unowned exchange] head in
            exchange.collect(limit: Self.answerLimit) { body in
                guard case .complete(let bytes, _) = body else {
                    outcome = .answered(status: head.status, content: [])
                    return
                }
                outcome = .answered(status: head.status, content: bytes)
            }
        }
        while true {
            if let outcome { return outcome }
            loop.runOnce()
        }
    }

    private func read(_ status: Int, _ content: [UInt8]) throws(Failure) -> JSONObject {
        var object: JSONObject?
        if case .object(let found)? = try? JSONParser.parse(content[...], Self.dialect) {
            object = found
        }
        if (200...299).contains(status), let object = object ?? (content.isEmpty ? [:] : nil) {
            return object
        }
        guard case .string(let text)? = object?["error"] else {
            throw Failure(.unavailable, "what answers at \(address) is not Toxiproxy (\(status))")
        }
        throw Failure(.findings, "\(text) (\(status))")
    }

    private static let dialect: JSONDialect = {
        var dialect = JSONDialect.document
        dialect.duplicates = .lastCounts
        return dialect
    }()
}
