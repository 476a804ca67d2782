internal import Basics
internal import Faults
internal import Journal
internal import SystemIO

// What is said to the next proxy before the first byte of the connection.
extension PendingConnection {
    /// Asks the proxy that has accepted for a tunnel to the server.
    func openTunnel(through chain: ProxyChain) {
        guard case .tcp(let host, let port) = target.endpoint else { return reached() }
        let opening = TunnelOpening(chain.proxy, to: Destination(host: host, port: port))
        tunnel = opening
        deadline =
            context.loop.now + .milliseconds(clamping: context.limits.tunnelTimeoutMilliseconds)
        say(opening.greeting, to: upstream)
        readTunnel()
    }

    /// Looks at what the proxy has sent.
    ///
    /// Only what is for us is taken away: bytes behind its answer belong to the tunnel.
    func readTunnel() {
        // What it said before it reset the connection tells more than the reset.
        while upstream.isReadable || upstream.isBroken, !hasEnded, tunnel != nil {
            switch upstream.socket.peek(into: context.tools.buffer, limit: ForwardEntry.limit) {
            case .wouldBlock:
                upstream.isReadable = false
                return
            case .moved(let count): read(context.tools.buffer.bytes(0..<count))
            case .ended, .failed: tunnelFailed(tunnel?.failureAtEnd ?? .closed)
            }
        }
    }

    private func read(_ bytes: [UInt8]) {
        switch tunnel?.read(bytes) {
        case .needsMore(let consumed):
            take(consumed, from: upstream)
            // More is reported when it comes; an end is there to be read.
            if consumed < bytes.count {
                upstream.isReadable = false
                if upstream.hasHungUp || upstream.isBroken { tunnelFailed(.noProxy) }
            }
        case .answer(let answer, let consumed):
            take(consumed, from: upstream)
            say(answer, to: upstream)
        case .open(let consumed):
            take(consumed, from: upstream)
            tunnel = nil
            reached()
        case .failed(let failure): tunnelFailed(failure)
        case nil: break
        }
    }

    /// Tells the client and the journal why the proxy gave no tunnel.
    func tunnelFailed(_ failure: TunnelFailure) {
        guard let chain else { return }
        tunnel = nil
        deadline = .never
        chain.upstream.lookUpAgain(on: context.loop)
        context.reporter.noTunnel(identity.id, failure.words(chain.proxy, to: target.endpoint))
        giveUp(.noTunnel(failure, through: chain.proxy))
    }
}
