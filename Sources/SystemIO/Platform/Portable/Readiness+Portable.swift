/// Bits of our own: poll(2) has others on each system.
extension Readiness {
    static var input: UInt32 { 1 }
    static var output: UInt32 { 2 }
    /// The peer has shut down its sending half.
    static var peerEnded: UInt32 { 4 }
    static var hungUp: UInt32 { 8 }
    static var failed: UInt32 { 16 }
}
