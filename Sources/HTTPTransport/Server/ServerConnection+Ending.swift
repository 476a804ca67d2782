internal import HTTPWire
internal import SystemIO

// How exchanges and the connection end.
extension ServerConnection {
    /// Ends the exchange under way, if there is one, and the connection.
    func abort(_ reason: AbortReason) {
        if case .closed = phase { return }
        if let streams {
            stream.reset()
            streams.abort(reason)
            return close()
        }
        let exchange = exchange
        let mayAnswer = exchange.map { !$0.hasResponded } ?? false
        switch reason {
        case .requestTimeout where mayAnswer:
            exchange?.report.status = 408
            sendRefusal(408)
            endWriting()
        case .malformed(let error) where mayAnswer:
            exchange?.report.status = error.status
            sendRefusal(error.status)
            endWriting()
        case .truncatedRequest: close()
        default:
            stream.reset()
            close()
        }
        if let exchange { end(exchange, .aborted(reason)) }
    }

    /// Sends a FIN and reads on for a while.
    func endWriting() {
        stream.shutdownWriting()
        phase = .draining(left: server.limits.drainBytes)
        limit?.set(after: server.limits.drainTime)
    }

    func drain(_ left: Int) -> Bool {
        let buffer = server.buffers.plain
        switch stream.receive(into: buffer, from: 0, limit: min(left, buffer.capacity)) {
        case .moved(let count) where count < left:
            phase = .draining(left: left - count)
            return true
        case .wouldBlock: return false
        case .moved, .ended, .failed:
            close()
            return false
        }
    }

    func timeIsOver() {
        switch phase {
        case .handshake, .draining, .opening: close()
        case .frames: if streams?.isWithinHead == true || !isServing { close() }
        case .head:
            guard idleSince == nil else { return close() }
            refuse(408)
            proceed()
        case .exchange: exchangeTimeIsOver()
        case .closed: break
        }
    }

    private func exchangeTimeIsOver() {
        guard let exchange else { return }
        if exchange.pull != nil, !exchange.isUpgraded {
            abort(.requestTimeout)
            proceed()
            return
        }
        // A slow client acknowledges bytes long before the kernel has room for more.
        let unacknowledged = stream.unacknowledgedBytes
        guard unacknowledged >= self.unacknowledged else {
            self.unacknowledged = unacknowledged
            limit?.set(after: server.limits.sendProgressTime)
            return
        }
        abort(.responseTimeout)
    }

    func close() {
        if case .closed = phase { return }
        if case .frames = phase, !isServing, stream.isOpen { streams?.sayGoodbye() }
        phase = .closed
        limit = nil
        streams?.abort(.serverStopped)
        sender.stop()
        stream.close()
        server.ended(self)
    }
}
