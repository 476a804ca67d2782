internal import Exploration
internal import Faults
internal import Journal
internal import LinkProfile
internal import Proxy
internal import SystemIO
internal import Trials

// What a test does to its network while it runs, and reads of it.

/// What the network path is like, as an operating system would report it.
public struct LinkcondPath: Hashable, Sendable {
    /// Whether there is a path at all.
    public var isSatisfied: Bool
    /// Whether the user wants little traffic (Low Data Mode).
    public var isConstrained: Bool
    /// Whether the path costs money.
    public var isExpensive: Bool

    /// A path; by default there is one, which is free and unconstrained.
    public init(isSatisfied: Bool = true, isConstrained: Bool = false, isExpensive: Bool = false) {
        self.isSatisfied = isSatisfied
        self.isConstrained = isConstrained
        self.isExpensive = isExpensive
    }
}

/// What has happened on a network so far.
public struct LinkcondProgress: Hashable, Sendable {
    /// Connections that the client has opened.
    public var connections = 0
    /// Those of them that are open.
    public var openConnections = 0
    /// Requests, as `GET /bytes/1000`, in the order in which their heads arrived.
    public var requests: [String] = []
    /// Statuses of final responses, in the order in which their heads arrived.
    public var statuses: [Int] = []
    /// Bytes that the server has received.
    public var bytesUp: UInt64 = 0
    /// Bytes that the client has received.
    public var bytesDown: UInt64 = 0
    /// Faults that have acted, such as `c1:down+1000=rst`, in order.
    public var faults: [String] = []

    init() {}
}

/// How a test ends connections.
public enum LinkcondCut: String, Hashable, Sendable, CaseIterable {
    /// By a reset of both sides.
    case reset
    /// By a clean end of the stream towards the client.
    case end
    /// By silence: nothing more arrives, nothing is closed.
    case silence
}

extension Linkcond {
    /// Ends connections now.
    ///
    /// - Parameters:
    ///   - how: what the client sees.
    ///   - connection: which one, counted from 1; nil for all that are open.
    /// - Returns: how many connections were ended.
    /// - Throws: if the network is over.
    @discardableResult
    public func cut(
        _ how: LinkcondCut = .reset,
        connection: Int? = nil
    ) async throws(LinkcondError) -> Int {
        try await act { network throws(LinkcondError) in
            try network.cut(how, connection)
        }
    }

    /// Holds back everything that arrives, and the first byte of connections that open meanwhile.
    ///
    /// - Throws: if the network is over.
    public func pause() async throws(LinkcondError) {
        try await act { network throws(LinkcondError) in try network.pause() }
    }

    /// Releases what ``pause()`` holds back.
    ///
    /// - Throws: if the network is over.
    public func resume() async throws(LinkcondError) {
        try await act { network throws(LinkcondError) in try network.resume() }
    }

    /// Refuses the next connections.
    ///
    /// - Parameter count: how many, at least 1.
    /// - Throws: if the network is over.
    public func refuseNext(_ count: Int = 1) async throws(LinkcondError) {
        try await act { network throws(LinkcondError) in try network.refuseNext(count) }
    }

    /// Changes the network from now on; bytes on their way keep the delay that they have.
    ///
    /// - Parameters:
    ///   - profile: the name of a built-in profile, or a path of a file.
    ///   - settings: changes of the profile, such as `"delay=80ms"`.
    /// - Throws: if there is no such profile, or the network is over.
    public func change(
        to profile: String,
        set settings: [String] = []
    ) async throws(LinkcondError) {
        let loaded = try LinkcondOptions(profile: profile, settings: settings).loadedProfile()
        try await act { network throws(LinkcondError) in try network.change(to: loaded) }
    }

    /// Changes the properties of the path; without a path nothing arrives.
    ///
    /// Nothing tells the client: pass the same on to it, as with LinkTransfer's `setPath`. What the
    /// client requests on an expensive or constrained path is noted in the journal.
    ///
    /// - Parameter path: the new path.
    /// - Throws: if the network is over.
    public func setPath(_ path: LinkcondPath) async throws(LinkcondError) {
        try await act { network throws(LinkcondError) in try network.setPath(path) }
    }

    /// The path as it is now: that of ``setPath(_:)``, else the profile's.
    ///
    /// - Throws: if the network is over.
    public func path() async throws(LinkcondError) -> LinkcondPath {
        try await act { network throws(LinkcondError) in try network.path() }
    }

    /// What has happened so far.
    ///
    /// - Throws: if the network is over.
    public func progress() async throws(LinkcondError) -> LinkcondProgress {
        try await act { network throws(LinkcondError) in try network.progress() }
    }

    /// Everything that has happened so far, as JSON Lines in UTF-8.
    ///
    /// - Throws: if the network is over.
    public func journal() async throws(LinkcondError) -> [UInt8] {
        try await act { network throws(LinkcondError) in try network.journal() }
    }

    /// Waits until something has happened.
    ///
    /// ```swift
    /// try await network.wait { $0.bytesDown >= 100_000 }
    /// try await network.cut()
    /// ```
    ///
    /// - Parameters:
    ///   - limit: how long at most.
    ///   - condition: whether it has happened; called again and again on a thread of the network, so it
    ///     must be quick.
    /// - Returns: what had happened then.
    /// - Throws: if it has not happened within the limit, the network is over, or the task is cancelled.
    @discardableResult
    public func wait(
        atMost limit: Duration = .seconds(30),
        until condition: @escaping @Sendable (LinkcondProgress) -> Bool
    ) async throws(LinkcondError) -> LinkcondProgress {
        let clock = ContinuousClock()
        let end = clock.now + limit
        while true {
            let progress = try await progress()
            if condition(progress) { return progress }
            guard clock.now < end else {
                throw LinkcondError("it did not happen within \(limit); what happened: \(progress)")
            }
            guard (try? await Task.sleep(for: Self.lookInterval)) != nil else {
                throw LinkcondError("the task was cancelled")
            }
        }
    }

    /// How often a condition is looked at.
    private static let lookInterval = Duration.milliseconds(5)

    /// Does something on the network's thread.
    private func act<Value: Sendable>(
        _ action: @escaping @Sendable (LiveNetwork) throws(LinkcondError) -> Value
    ) async throws(LinkcondError) -> Value {
        let over = LinkcondError("the network is over, or not one of a test: it cannot be changed")
        // The thread stays as long as it is used.
        guard let number, let thread = SharedThread.join() else { throw over }
        defer { SharedThread.giveBack() }
        let result: Result<Value, LinkcondError> = await withCheckedContinuation { waiting in
            thread.run { sandbox in
                waiting.resume(
                    returning: Result { () throws(LinkcondError) in
                        guard let network = sandbox.network(number) else { throw over }
                        return try action(network)
                    }
                )
            }
        }
        return try result.get()
    }
}
