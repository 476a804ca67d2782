/// Why a proxy cannot start or continue, in one line that says what to do.
package struct ProxyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of trouble it is; the command line turns this into its exit code.
    package enum Kind: Hashable, Sendable {
        /// An endpoint that cannot be read (usage).
        case badEndpoint
        /// Settings that do not go together, or that we refuse to run.
        case refused
        /// The address to listen on is taken, not ours or not allowed, or no connection could be
        /// accepted there.
        case addressUnavailable
        /// The upstream's name is unknown.
        case upstreamUnavailable
        /// Our own trouble.
        case `internal`
    }

    package let kind: Kind
    package let description: String

    package init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
