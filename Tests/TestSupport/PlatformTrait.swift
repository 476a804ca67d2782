internal import SystemIO
package import Testing

extension Trait where Self == ConditionTrait {
    /// A test of what only Linux offers, left out of the portable build.
    ///
    /// - Parameter what: what Linux offers.
    /// - Returns: the condition.
    package static func onLinux(_ what: Comment) -> Self {
        .enabled(if: !Platform.isPortable, what)
    }
}
