/// How a client is made to fail: effects of one family do it for the same reason.
package enum FaultFamily: String, Hashable, Sendable {
    /// A connection or an answer ends early.
    case end
    case silence
    /// Another answer than the server's.
    case answer
    /// Interim responses more or less.
    case interim
    case damage
    /// The server has something else than before.
    case change
    /// The server answers ranges wrongly.
    case range
    case datagrams
    /// Names lead nowhere, or elsewhere.
    case lookups

    /// Whether an exchange fails by it.
    package var isFailure: Bool {
        self == .end || self == .silence || self == .answer || self == .lookups
    }

    /// Whether it is the server that does something.
    package var isOfServer: Bool { self == .change || self == .range }
}
