package import Basics

/// What the origin server did with a stored resource, as it tells itself.
package struct OriginReport: Hashable, Sendable {
    package enum Event: String, Hashable, Sendable {
        /// An upload resource was made.
        case created
        /// Bytes up to `offset` are stored for good.
        case committed
        /// The upload is whole; at most once for a resource.
        case complete
        /// The client gave it up.
        case cancelled
        /// The resource is gone or can no longer be appended to.
        case invalid
    }

    package var event: Event
    /// Path of the resource on the server.
    package var resource: String
    /// Bytes stored.
    package var offset: UInt64?
    /// Of a complete upload: SHA-256 in lower-case hexadecimal.
    package var digest: String?

    package init(_ event: Event, resource: String, offset: UInt64? = nil, digest: String? = nil) {
        self.event = event
        self.resource = resource
        self.offset = offset
        self.digest = digest
    }
}

/// What an operating system would report of a path.
package struct PathReport: Hashable, Sendable {
    /// The kind of interface: wifi, cellular, wired or other.
    package var interface: String
    package var isExpensive: Bool
    package var isConstrained: Bool
    /// False while control says that nothing passes; of an outage of the link it says nothing.
    package var isSatisfied: Bool

    package init(
        interface: String,
        isExpensive: Bool = false,
        isConstrained: Bool = false,
        isSatisfied: Bool = true
    ) {
        self.interface = interface
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
        self.isSatisfied = isSatisfied
    }

    /// As in `cellular, expensive`.
    package var words: String {
        interface + (isExpensive ? ", expensive" : "") + (isConstrained ? ", constrained" : "")
            + (isSatisfied ? "" : ", unsatisfied")
    }
}

/// The command of a run, after its end.
package struct CommandReport: Hashable, Sendable {
    /// Program and arguments as they were given; they may hold paths.
    package var arguments: [String]
    /// Nil if a signal ended it.
    package var exitCode: UInt8?
    /// Number of the signal that ended it.
    package var signal: UInt8?
    /// Whether it was ended because its deadline came.
    package var isTimedOut: Bool
    /// When it was started, on the journal's clock.
    package var startedAt: Instant

    package init(
        _ arguments: [String],
        exitCode: UInt8? = nil,
        signal: UInt8? = nil,
        isTimedOut: Bool = false,
        startedAt: Instant = .start
    ) {
        self.arguments = arguments
        self.exitCode = exitCode
        self.signal = signal
        self.isTimedOut = isTimedOut
        self.startedAt = startedAt
    }
}

/// What a check found.
package struct VerdictReport: Hashable, Sendable {
    /// Name of the check, such as `R2`.
    package var check: String
    package var verdict: Verdict
    /// What was seen, for people; may hold times.
    package var observed: String
    /// What is allowed.
    package var limit: String
    /// Lines of this journal that show it, from 1.
    package var lines: [Int]
    /// A word or two that are the same in equal runs, such as `hammer`; empty for a pass.
    package var reason: String

    package init(
        check: String,
        _ verdict: Verdict,
        observed: String,
        limit: String,
        lines: [Int] = [],
        reason: String = ""
    ) {
        self.check = check
        self.verdict = verdict
        self.observed = observed
        self.limit = limit
        self.lines = lines
        self.reason = reason
    }
}
