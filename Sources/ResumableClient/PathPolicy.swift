package import Basics

/// On which paths and when a transfer may use the network.
package struct PathPolicy: Hashable, Sendable {
    package var allowsConstrained = true
    package var allowsExpensive = true
    /// While there is no path, wait without using the retry budget.
    package var waitsForConnectivity = false
    /// A user asked for this transfer now: lifts refusals of the path for it, but not the earliest
    /// begin.
    package var isUserInitiated = false
    /// Begins only on an unconstrained, inexpensive path of a device connected to power.
    package var isDiscretionary = false
    /// Continues over a new connection as soon as a better path than that of the open one is there.
    package var movesToBetterPath = false
    /// On the clock that the machine's calls use.
    package var earliestBegin: Duration?
    /// Hints for the order of transfers.
    package var expectedBytesToSend: UInt64?
    package var expectedBytesToReceive: UInt64?

    package init() {}

    /// As for a transfer in the background: it waits for connectivity.
    package static var background: PathPolicy {
        var policy = PathPolicy()
        policy.waitsForConnectivity = true
        return policy
    }

    /// Whether an attempt may begin.
    ///
    /// The first attempt is made even without a path, because the status can be wrong: the attempt
    /// itself waits. Without a status (nil) only the earliest begin counts.
    package func start(_ path: PathStatus?, at now: Duration, isFirst: Bool) -> PathVerdict {
        if let earliestBegin, now < earliestBegin {
            return .mustWait(.earliestBegin, until: earliestBegin)
        }
        guard let path else { return .mayStart }
        if let refusal = refusal(of: path) { return .mustWait(refusal, until: nil) }
        if takesTurns, !path.isGood {
            return .mustWait(.discretionary, until: nil)
        }
        let lacksTurn = takesTurns && !path.hasTurn
        // No turn is taken for an attempt that is likely to wait.
        if waitsForConnectivity, !isFirst || lacksTurn, !path.isSatisfied {
            return .mustWait(.unsatisfied, until: nil)
        }
        return lacksTurn ? .mustWait(.turn, until: nil) : .mayStart
    }

    /// Whether it lets other discretionary transfers go first.
    package var takesTurns: Bool { isDiscretionary && !isUserInitiated }

    /// Why a running transfer must leave this path at once; nil if it may go on.
    ///
    /// Lost connectivity is no reason: the connection finds out itself, and may survive.
    package func refusal(of path: PathStatus) -> PathWait? {
        if isUserInitiated { return nil }
        if path.isConstrained, !allowsConstrained { return .constrained }
        if path.isExpensive, !allowsExpensive { return .expensive }
        return nil
    }

    /// The expected bytes of both directions; nil if no hint was given.
    var expectedBytes: UInt64? {
        guard expectedBytesToSend != nil || expectedBytesToReceive != nil else { return nil }
        let (sum, overflow) = (expectedBytesToSend ?? 0)
            .addingReportingOverflow(expectedBytesToReceive ?? 0)
        return overflow ? .max : sum
    }
}

/// Whether a transfer may begin an attempt.
package enum PathVerdict: Hashable, Sendable {
    case mayStart
    /// Until the path changes, or until this time.
    case mustWait(PathWait, until: Duration?)
}

extension PathStatus {
    /// Good enough for what nobody waits for.
    fileprivate var isGood: Bool { !isConstrained && !isExpensive && hasPower }
}
