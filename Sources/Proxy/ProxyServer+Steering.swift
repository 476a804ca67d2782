internal import Journal
package import LinkEngine
package import Libuv

// What changes a proxy as a whole while it runs.
extension ProxyServer {
    /// Ends all connections in order (FIN); what has not been written by now is lost.
    package func finishConnections() {
        for connection in inOrder { connection.finish(by: .shutdown) }
    }

    /// Stops listening, so that connecting is refused; open connections stay.
    package func suspendListening() {
        for listener in listeners { listener.suspend() }
    }

    /// Listens again where it did before.
    ///
    /// - Throws: `addressUnavailable` if somebody else listens there by now.
    package func resumeListening() throws(ProxyError) {
        for listener in listeners {
            do throws(SystemError) {
                try listener.reopen()
            } catch {
                throw ProxyError(
                    .addressUnavailable,
                    "cannot listen again on \(listener.address): \(error)"
                )
            }
        }
    }

    /// Listens on another socket in place of a route's listener.
    ///
    /// Connections that came through the old one stay.
    package func listen(on bound: BoundListener, insteadOf route: Int = 0) throws(SystemError) {
        let new = try Listener(host: self, route: route, bound: bound)
        listeners[route].close()
        listeners[route] = new
        if isAccepting { try new.resume() }
    }

    /// Accepts connections on one more socket.
    package func listen(on bound: BoundListener, to upstream: Endpoint) throws(SystemError) {
        let new = try Listener(host: self, route: listeners.count, bound: bound)
        listeners.append(new)
        accepted.append(0)
        upstreams.append(Upstream(upstream))
        if isAccepting { try new.resume() }
    }

    /// Lets new connections of a route go elsewhere.
    package func connect(to endpoint: Endpoint, insteadOf route: Int = 0) {
        upstreams[route] = Upstream(endpoint)
    }

    /// Payload bytes that were read from the senders of a direction since the start.
    package func receivedBytes(_ direction: Direction) -> UInt64 {
        let ended = direction == .up ? endedReceived.up : endedReceived.down
        return connections.values.reduce(ended) { $0 + $1.received(direction) }
    }

    /// Payload bytes that were handed to the receivers' kernels since the start.
    package func deliveredBytes(_ direction: Direction) -> UInt64 {
        let ended = direction == .up ? endedBytes.up : endedBytes.down
        return connections.values.reduce(ended) { $0 + $1.bytes(direction) }
    }
}

/// A socket that is bound and listens, and that no proxy accepts from yet.
///
/// So several can be had before the first one is used.
package final class BoundListener {
    /// With the port that was found.
    package let address: SocketAddress
    private var socket: ListeningSocket?

    /// - Throws: what the system says, such as "address already in use".
    package init(on address: SocketAddress) throws(SystemError) {
        let socket = try ListeningSocket(on: address)
        self.address = socket.address ?? address
        self.socket = consume socket
    }

    /// Gives the address back, if no proxy has taken the socket.
    package func close() {
        var left = socket.take()
        left?.close()
    }

    func take() -> ListeningSocket? { socket.take() }
}
