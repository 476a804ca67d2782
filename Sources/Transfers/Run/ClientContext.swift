internal import Basics
internal import HTTPTransport
internal import ResumableClient
package import SystemIO

/// What all transfers of one program share: the loop, connections, retry tokens.
///
/// Call `close` before the loop ends.
package final class ClientContext {
    package let loop: EventLoop
    /// Where a download to `-` goes.
    let standardOutput: OutputFile
    let tokens = RetryTokens()
    /// Names this start of the machine; nil where nobody knows.
    package let boot = ProcessIdentity.current?.boot
    private var clients: [ClientKey: HTTPClient] = [:]
    private var order: [ClientKey] = []

    /// What tells the connections of transfers apart.
    private struct ClientKey: Hashable {
        var connection: ConnectionSettings
        var connectTimeout: Duration
        var idleTimeout: Duration
    }

    package init(loop: EventLoop, standardOutput: OutputFile) {
        self.loop = loop
        self.standardOutput = standardOutput
    }

    /// Ends all connections.
    package func close() {
        for key in order { clients[key]?.close() }
        clients.removeAll()
        order.removeAll()
    }

    /// Ends connections that no request uses: they belong to a path that is left.
    func leavePath() {
        for key in order { clients[key]?.closeIdle() }
    }

    /// The random numbers of one transfer.
    func draws(seed: UInt64, transfer: UInt64) -> RandomDraws {
        ClientRandom.draws(seed: seed, transfer: transfer)
    }

    /// Runs `action` after the events of the present turn.
    package func later(_ action: @escaping () -> Void) { loop.runLater(Later(action)) }

    private final class Later: ReadinessHandler {
        private let action: () -> Void

        init(_ action: @escaping () -> Void) { self.action = action }

        func ready(_ readiness: Readiness, tag: UInt32) { action() }
    }

    /// The connections for these settings.
    func client(
        _ connection: ConnectionSettings,
        _ policy: RetryPolicy
    ) throws(TransportSettingsError) -> HTTPClient {
        let key = ClientKey(
            connection: connection,
            connectTimeout: policy.connectTimeout,
            idleTimeout: policy.idleTimeout
        )
        if let client = clients[key] { return client }
        let made = try make(key)
        clients[key] = made
        order.append(key)
        return made
    }

    private func make(_ key: ClientKey) throws(TransportSettingsError) -> HTTPClient {
        var settings = HTTPClientSettings()
        settings.connectTime = key.connectTimeout
        settings.progressTime = key.idleTimeout
        settings.offersHTTP2 = !key.connection.isHTTP1Only
        if key.connection.authorities != nil || key.connection.isUnverified {
            do throws(TLSError) {
                settings.tls = try TLSContext.client(
                    authorities: key.connection.authorities,
                    verifiesPeer: !key.connection.isUnverified
                )
            } catch {
                throw TransportSettingsError(.untrusted, error.description)
            }
        }
        do throws(SystemError) {
            return try HTTPClient(loop: loop, settings: settings)
        } catch {
            throw TransportSettingsError(.notConnected, error.description)
        }
    }
}

/// Why there can be no connection at all.
struct TransportSettingsError: Error, CustomStringConvertible {
    let failure: TransportFailure
    let description: String

    init(_ failure: TransportFailure, _ description: String) {
        self.failure = failure
        self.description = description
    }
}
