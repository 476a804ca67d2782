/// Asks the kernel what the other end of a connection has not read: POSIX has nothing of the kind.
package final class SocketDiagnosis {
    package init() {}

    /// A socket that the kernel may know: none.
    package struct Question {
        package init?(about socket: SocketAddress, connectedTo peer: SocketAddress) { return nil }
    }

    /// Not known.
    package func unreadBytes(_ question: Question) -> Int? { nil }
}
