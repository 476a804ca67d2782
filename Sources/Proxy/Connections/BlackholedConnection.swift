internal import Basics
internal import Journal
internal import SystemIO

/// A client that was accepted and receives nothing: no server is connected, nothing is closed.
final class BlackholedConnection: Connection, ReadinessHandler {
    let context: ConnectionContext
    let identity: ConnectionIdentity
    private let client: Peer
    /// Whether the client has sent its last byte, which is not answered either.
    private var hasEnded = false
    private var isOver = false

    init(
        _ context: ConnectionContext,
        _ identity: ConnectionIdentity,
        client: consuming Socket
    ) {
        self.context = context
        self.identity = identity
        self.client = Peer(client)
        do throws(SystemError) {
            self.client.token = try context.loop.watch(
                self.client.socket,
                handler: self,
                tag: Side.client.rawValue
            )
        } catch {
            context.descriptorsRanOut(error)
        }
        // Finds out that a client is gone that has sent nothing.
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
        switch client.socket.discardReceived(using: context.tools.buffer) {
        case .moved: context.loop.runLater(self)
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
    func drainBegan() { reset(by: .shutdown) }

    /// A client that has sent its last byte may still wait for an answer; a Unix socket shows whether
    /// it does, on TCP a probe finds out.
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
        client.close(resetting: resetting, on: context.loop)
        let nothing = ConnectionEnd.Delivered(bytes: 0, isExact: true)
        context.owner?.ended(
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
