/// Why a text is no misbehaviour, and where.
package struct MisbehaviourError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Place of the mistake in the text: Unicode scalars, from 1.
    package let column: Int
    /// What is wrong and what was expected, in one line.
    package let description: String

    /// A whole diagnostic; `label` names the text.
    package func diagnostic(label: String) -> String { "\(label):\(column): error: \(description)" }
}
