/// One random decision about a fault.
package struct FaultDraw: Hashable, Sendable {
    package enum Stage: String, Hashable, Sendable {
        /// 1 if the fault applies to the connection, else 0.
        case chance
        /// The offset, in bytes.
        case offset
        /// The flipped bit, 0 for the lowest.
        case bit
    }

    package let fault: String
    package let stage: Stage
    /// Which connection or request it is for, from 1.
    package let index: UInt64
    package let value: UInt64

    /// The name of the random stream in the journal.
    package var label: String { "\(stage.rawValue) \(fault)" }
}
