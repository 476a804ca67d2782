package import Faults
package import SystemIO

/// The server behind a proxy, if faults can act on it: the one that is embedded in the program, or one
/// that was started for the proxy.
package protocol OriginFaults: AnyObject {
    /// Why it cannot do what a fault wants; nil if it can.
    ///
    /// - Parameter fault: one that only a server can do.
    /// - Returns: the rest of a line that begins with the fault, and says what to do.
    func objection(to fault: Fault) -> String?

    /// Whether it has crashed and does not answer yet, so that whoever connects has to wait.
    var isComingBack: Bool { get }

    /// Whether its process has read all that its kernel has acknowledged on a connection.
    ///
    /// - Parameter peer: the other end's address.
    /// - Returns: true also if that cannot be seen.
    func hasRead(from peer: SocketAddress?) -> Bool

    /// Whether it has dealt with all that its kernel has acknowledged on a connection, so that it will
    /// say no more until further bytes come.
    ///
    /// - Parameter peer: the other end's address.
    /// - Returns: nil if that cannot be seen.
    func hasDealtWithAll(from peer: SocketAddress?) -> Bool?

    /// Kills it and starts it again at the same place.
    ///
    /// - Parameters:
    ///   - loss: what is gone afterwards.
    ///   - done: called once, on the loop, also before this returns: whether it was killed and answers
    ///     again. Not called if the run ends before.
    func crash(losing loss: Effect.CrashLoss, done: @escaping (_ isBack: Bool) -> Void)
}
