/// How far a transfer is, as of one report.
package struct TransferProgress: Hashable, Sendable {
    /// Bytes that moved since the report before.
    package var step: UInt64
    /// The position reached: for an upload what was given to the network of it, which goes back
    /// when a cut request is continued; for a download what is stored.
    package var position: UInt64
    /// Uploads: what the server confirmed; never falls.
    package var acknowledged: UInt64
    /// The size of the whole object, also after a resume; nil if unknown.
    package var expected: UInt64?

    package init(
        step: UInt64 = 0,
        position: UInt64 = 0,
        acknowledged: UInt64 = 0,
        expected: UInt64? = nil
    ) {
        self.step = step
        self.position = position
        self.acknowledged = acknowledged
        self.expected = expected
    }
}
