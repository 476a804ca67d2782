/// The TCP sockets of this machine: POSIX has no list of them.
package struct TCPSocketRow: Hashable, Sendable {
    package let remotePort: Int
    package let isListening: Bool
    /// Bytes that its kernel has acknowledged and its process has not read.
    package let unreadBytes: Int

    /// None that is known.
    package static func all(withLocalPort port: Int) -> [TCPSocketRow] { [] }
}
