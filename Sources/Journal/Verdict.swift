/// The answer of a check, or of all checks of a run.
package enum Verdict: String, Hashable, Sendable, CaseIterable {
    case pass
    case fail
    /// What was seen decides nothing.
    case inconclusive
    /// The check does not apply to what was seen.
    case skipped
}
