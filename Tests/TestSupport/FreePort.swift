import SystemIO

private let ports = Locked(ServerPorts())

/// A port of the loopback for a server that binds it later; no other test, and no client on this
/// machine, gets it meanwhile.
package func freePort() throws -> UInt16 {
    let port = ports.withLock { ports in Result { try ports.take() } }
    return UInt16(clamping: try port.get())
}
