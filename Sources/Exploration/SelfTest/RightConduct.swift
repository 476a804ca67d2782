/// What a client without mistakes may do when the network fails.
package enum RightConduct: String, Hashable, Sendable, CaseIterable {
    /// Tries again until it is done.
    case persistent
    /// Fails after the first attempt, leaves nothing and says so.
    case singleAttempt
    /// Does not create an upload again that the server may have (RFC 9110 §9.2.2).
    case singleCreation

    /// For people, in a few words.
    package var meaning: String {
        switch self {
        case .persistent: "makes no mistake"
        case .singleAttempt: "fails after one attempt, and says so"
        case .singleCreation: "does not repeat a creation whose answer is lost"
        }
    }
}
