/// The bounds of a proxy.
package struct ProxyLimits: Hashable, Sendable {
    /// Open connections at most; nil: (descriptor limit − 64) ÷ 2.
    ///
    /// Beyond it connections wait in the kernel's backlog.
    package var connections: Int?
    /// How long one address of the upstream may take to answer a connect.
    package var connectTimeoutMilliseconds: UInt64 = 10_000
    /// How long the next proxy may take to open a tunnel: it has to look a name up, and to connect.
    package var tunnelTimeoutMilliseconds: UInt64 = 30_000
    /// How long we wait for the proof that bytes before a reset arrived, and for a peer to close
    /// after an ordered end.
    package var deliveryTimeoutMilliseconds: UInt64 = 2_000
    /// How long a client that is to be reset and has said nothing may look at its connect first: far
    /// more than one that waits for it needs.
    package var connectPatienceMilliseconds: UInt64 = 100
    /// Bytes that pass through user space in one step.
    package var copyBufferBytes = 262_144
    /// Bytes of a message that a fault keeps until it is whole; a longer one is let through.
    package var keptMessageBytes = 67_108_864
    /// Whether bytes that need no inspection may stay in the kernel.
    package var usesSplice = true

    package init() {}
}
