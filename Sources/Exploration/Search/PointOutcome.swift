package import Analysis
package import Journal

/// What came of one run, as far as it is judged.
package struct PointOutcome: Hashable, Sendable {
    /// How the command ended.
    package enum Ending: Hashable, Sendable {
        case exited(Int32)
        case signal(Int32)
        /// Not before the deadline.
        case deadline

        package var isSuccess: Bool { self == .exited(0) }
    }

    /// What the oracles say about the result; the worst of them, if there are several.
    package enum Content: String, Hashable, Sendable, CaseIterable {
        /// One whole version of the object, where it belongs.
        case right
        /// Something else, which looks like the whole.
        case wrong
        /// A beginning of it, or something that is visibly not the whole.
        case partial
        /// Nothing.
        case missing
        /// A check of the server says that it is not there; what is, nobody knows.
        case denied
        /// Nobody can tell.
        case unknown
    }

    /// What became of a scheduled fault.
    package enum FaultState: Hashable, Sendable {
        case fired
        /// Not every byte before it was acknowledged.
        case undelivered
        case unreached(reason: String)
    }

    /// A check of the analysis that failed.
    package struct FailedCheck: Hashable, Sendable {
        package var name: String
        package var kind: FindingClass
        package var reason: String
        /// Whether somebody asked for it by name.
        package var isDemanded = false

        package init(name: String, kind: FindingClass, reason: String) {
            self.name = name
            self.kind = kind
            self.reason = reason
        }
    }

    /// A check that failed, which is told.
    package struct Advice: Hashable, Sendable {
        package let check: Check
        package let words: String

        package init(check: Check, words: String) {
            self.check = check
            self.words = words
        }
    }

    /// The fault-free run in the same folder that followed a permanent fault.
    package struct Recovery: Hashable, Sendable {
        package var ending: Ending
        package var content: Content
        package var result: RunResult?
        /// Whether it asked for the rest of what the first run left.
        package var resumes = false

        package init(ending: Ending, content: Content, result: RunResult? = nil) {
            self.ending = ending
            self.content = content
            self.result = result
        }
    }

    package var ending: Ending
    package var content: Content
    /// Whether the result is the origin's, as of an upload, and not the client's.
    package var isOriginSide = false
    /// Whether it ended at the deadline while try after try brought it forward.
    package var isStillProgressing = false
    /// Whether it was ended before the deadline, because nothing had happened for long: that it hangs is
    /// a suspicion.
    package var isSilent = false
    /// Whether it was between two of a few tries when it was ended: it may have given up later.
    package var isStillRetrying = false
    /// For how long it was seen to wait for one answer when it was ended, in seconds, if that is longer
    /// than others are given and not for ever.
    package var patienceSeconds: UInt64?
    /// Whether it failed after a request that must not be repeated blindly (RFC 9110 §9.2.2) and whose
    /// answer may be lost.
    package var mayHaveActed = false
    /// In the order of the point's faults.
    package var faults: [FaultState] = []
    /// Faults that every run has and that did not act in this one, in words.
    package var missed: [String] = []
    package var requests: [RequestShape] = []
    package var failedChecks: [FailedCheck] = []
    /// Checks that failed and fail nothing.
    package var advice: [Advice] = []
    /// A problem in linkcond itself; the run then proves nothing.
    package var troubles: [String] = []
    /// How a busy machine, or a clock that was set, disturbed the link's times; nil
    /// for nothing.
    ///
    /// It may not come again.
    package var disturbance: String?
    /// Whether a failed check of times counts, or one was asked for.
    package var hasCheckOfTimes = false
    /// Required checks that could not tell, with their reason.
    package var doubts: [String] = []
    /// How the client went around the proxy, if it did.
    package var escape: String?
    /// What was made, if no oracle says whether it is right.
    package var result: RunResult?
    /// Why the server behind the proxy could not be reached, if it could not.
    package var unreachable: String?
    package var recovery: Recovery?
    /// The last line of the client's standard error, without what differs from run to run; nil if there is
    /// none.
    package var lastWords: String?
    /// What the first oracle that failed has found, after its name; nil if none failed.
    package var oracleWords: String?
    /// What passed, to find places for further faults.
    package var map: BoundaryMap?
    /// What was seen on the wire, in lines for people.
    package var evidence: [String] = []
    package var milliseconds: UInt64 = 0
    /// All that happened, without time and place; nil unless it was asked for.
    package var journal: CanonicalJournal?
    /// The records of its first trial as lines; empty unless folders of failed runs are kept.
    package var records: [UInt8] = []
    /// The folder that holds the run's traces, if they were kept.
    package var trace: String?

    package init(ending: Ending, content: Content) {
        self.ending = ending
        self.content = content
    }

    /// Why its times prove nothing; nil if they do prove something, or if nothing depends on them.
    package var spoiltTimes: String? {
        let isOfTimes =
            ending == .deadline || recovery?.ending == .deadline || hasCheckOfTimes
        return isOfTimes ? disturbance : nil
    }

    /// Whether the client asked for the rest of something, in this run or the one after.
    var resumes: Bool {
        requests.contains { $0.isResumption } || recovery?.resumes ?? false
    }

    /// Whether the client left something, here or at the server, that the same command, started again, may
    /// go on with.
    var leavesPart: Bool {
        guard let result else { return content == .partial }
        return result.file.map { $0.bytes > 0 } ?? false || result.pendingBytes > 0
    }
}

/// A request as far as it shows what the client had in mind.
package struct RequestShape: Hashable, Sendable {
    package var method: String
    /// Where it continues, in a word: `first`, `resumed`, `restarted`, and so on.
    package var kind: String
    /// The final answer's status; 0 if none came.
    package var status: UInt16
    /// Whether it holds only under a condition (RFC 9110 §13.1), other than a range's own.
    package var isConditional = false

    package init(method: String, kind: String, status: UInt16) {
        self.method = method
        self.kind = kind
        self.status = status
    }

    package var text: String { "\(method) \(kind) \(status)" }

    /// Whether it asks for the rest of something; one that writes in blocks may have less than it got.
    var isResumption: Bool {
        [Attempt.Kind.resumed, .overlap, .gap].contains { $0.rawValue == kind }
    }
}
