internal import Journal
internal import LinkEngine
internal import Libuv

/// A client that was accepted and hears nothing: no server is asked, nothing is closed.
final class SilentConnection: Connection, ReadinessHandler {
    private unowned let host: ProxyServer
    let identity: ConnectionIdentity
    private let client: Peer
    /// Whether the client has sent its last byte, which is not answered either.
    private var hasEnded = false
    private var isOver = false

    init(host: ProxyServer, identity: ConnectionIdentity, client: consuming Socket) {
        self.host = host
        self.identity = identity
        self.client = Peer(client)
        do throws(SystemError) {
            self.client.token = try host.loop.watch(
                self.client.socket,
                handler: self,
                tag: Side.client.rawValue
            )
        } catch {
            host.descriptorsRanOut(error)
        }
        // A client that has gone without a word is found out.
        self.client.socket.probeWhenIdle(seconds: 5)
    }

    var clientAddress: SocketAddress? { client.socket.peerAddress }
    var state: ProxySnapshot.ConnectionState { .silent }
    func bytes(_ direction: Direction) -> UInt64 { 0 }
    func received(_ direction: Direction) -> UInt64 { 0 }

    func ready(_ readiness: Readiness, tag: UInt32) {
        guard !isOver else { return }
        client.note(readiness)
        guard !hasEnded else { return checkWhetherGone() }
        switch client.socket.discardReceived(using: host.tools.buffer) {
        case .moved: host.loop.runLater(self)
        case .wouldBlock: break
        case .ended:
            hasEnded = true
            checkWhetherGone()
        case .failed: over(by: .client, how: .rst, resetting: true)
        }
    }

    func reset(by party: ConnectionEnd.Party) {
        if hasEnded { leave() } else { over(by: party, how: .rst, resetting: true) }
    }

    func finish(by party: ConnectionEnd.Party) {
        if hasEnded { leave() } else { over(by: party, how: .fin, resetting: false) }
    }

    var onlySilenceIsLeft: Bool { true }

    /// A client that has sent its last byte may still wait for an answer; a Unix socket shows that
    /// nobody does, on TCP a probe finds out.
    private func checkWhetherGone() {
        if client.isBroken || client.isCutOff { leave() }
    }

    private func leave() { over(by: .client, how: .hole, resetting: true) }

    private func over(
        by party: ConnectionEnd.Party,
        how: ConnectionEnd.Manner,
        resetting: Bool
    ) {
        guard !isOver else { return }
        isOver = true
        client.close(resetting: resetting, on: host.loop)
        let nothing = ConnectionEnd.Delivered(bytes: 0, isExact: true)
        host.ended(
            self,
            ConnectionEnd(
                connection: identity.id,
                by: party,
                how: how,
                down: nothing,
                up: nothing
            )
        )
    }
}
