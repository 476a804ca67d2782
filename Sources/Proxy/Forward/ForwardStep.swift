/// What follows from what a client of a forward proxy has sent so far.
package enum ForwardStep: Hashable {
    /// More has to come.
    case needsMore
    /// So many bytes are done with; this is the answer to them.
    case answer([UInt8], consumed: Int)
    /// It is known where the connection goes, once so many bytes are taken away.
    case destination(Destination, consumed: Int)
    /// The connection is for a relay of datagrams, once so many bytes are taken away.
    case association(consumed: Int)
    /// It goes nowhere; this is the answer.
    case refused([UInt8])
}

/// How a connection went that a client of a forward proxy asked for.
enum ForwardOutcome: Hashable {
    case connected
    case refusedByServer
    case unreachable
    case unknownHost
    case timedOut
    case notAllowed
    case unclearHost
    /// The next proxy gave no connection to it.
    case noTunnel(TunnelFailure, through: NextProxy)
}
