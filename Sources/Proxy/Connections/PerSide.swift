internal import Journal

/// An object for each side of a connection.
struct PerSide<Value: AnyObject> {
    let client: Value
    let upstream: Value

    subscript(side: Side) -> Value {
        switch side {
        case .client: client
        case .upstream: upstream
        }
    }
}

extension PerSide<Peer> {
    /// Who speaks TLS, if nobody here opens it.
    var passedTLS: ConnectionEnd.PassedTLS {
        guard client.speaksTLS == true else { return .none }
        return upstream.speaksTLS == true ? .fromBoth : .fromClient
    }
}
