package import FaultInjection

/// The origin that a proxy's faults can act on: the one that is embedded in the program.
package protocol OriginFaults: AnyObject {
    /// Kills the origin and starts it again at the same place.
    ///
    /// - Parameter loss: what is gone afterwards.
    func crash(losing loss: Effect.CrashLoss)
}
