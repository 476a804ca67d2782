package import Journal

/// What was asked for while the path was expensive or constrained, and how many bytes that became.
///
/// A request counts for what the path was like when it began, also if it goes on long after: that is
/// what an app decides about.
package struct MeteredTraffic: Hashable, Sendable {
    package struct Count: Hashable, Sendable {
        package var requests = 0
        /// Content in both directions, as far as it was delivered.
        package var bytes: UInt64 = 0

        package init() {}
    }

    private struct Attributes: Hashable, Sendable {
        var isExpensive = false
        var isConstrained = false
    }

    package private(set) var expensive = Count()
    package private(set) var constrained = Count()
    /// Expensive, constrained or both.
    package private(set) var either = Count()
    private var now = Attributes()
    /// What the path of a connection is like, where there are two.
    private var own: [ConnectionID: Attributes] = [:]
    /// How the path was when requests began whose connections are open.
    private var open: [ConnectionID: [UInt32: Attributes]] = [:]

    package init() {}

    /// Takes the next record of a run.
    package mutating func take(_ record: JournalRecord) {
        switch record {
        case .path(let id?, let path): pathIs(path, of: id)
        case .path(nil, let path):
            pathIs(expensive: path.isExpensive, constrained: path.isConstrained)
        case .request(let report): begin(report.exchange)
        case .body(let report): add(report)
        case .connectionEnd(let end):
            open[end.connection] = nil
            own[end.connection] = nil
        case .flowEnd(let end): own[end.flow] = nil
        default: break
        }
    }

    /// Takes note of what the path is like from now on.
    package mutating func pathIs(expensive: Bool, constrained: Bool) {
        now = Attributes(isExpensive: expensive, isConstrained: constrained)
    }

    /// Takes note of what the path of a connection is like from now on, where there are two.
    private mutating func pathIs(_ path: PathReport, of connection: ConnectionID) {
        own[connection] = Attributes(
            isExpensive: path.isExpensive,
            isConstrained: path.isConstrained
        )
    }

    private mutating func begin(_ exchange: ExchangeID) {
        let now = own[exchange.connection] ?? now
        guard now != Attributes() else { return }
        open[exchange.connection, default: [:]][exchange.ordinal] = now
        either.requests += 1
        if now.isExpensive { expensive.requests += 1 }
        if now.isConstrained { constrained.requests += 1 }
    }

    private mutating func add(_ report: BodyReport) {
        let exchange = report.exchange
        guard let began = open[exchange.connection]?[exchange.ordinal] else { return }
        either.bytes &+= report.bytes
        if began.isExpensive { expensive.bytes &+= report.bytes }
        if began.isConstrained { constrained.bytes &+= report.bytes }
        // Nothing of the exchange follows its response, but for a connection that goes on being read.
        if report.side == .response, report.isComplete {
            open[exchange.connection]?[exchange.ordinal] = nil
        }
    }
}
