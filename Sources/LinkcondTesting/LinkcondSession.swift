/// A network outside of Swift Testing: for XCTest, a sample app, or several networks in one test.
///
/// ```swift
/// let session = try await LinkcondSession.start("lte", faults: ["c1:down+1000=rst"])
/// try await client.download(from: session.network.url + "/bytes/100000")
/// let report = await session.stop()
/// ```
public final class LinkcondSession: Sendable {
    /// What happened on a network.
    public struct Report: Hashable, Sendable {
        /// Why the run proves nothing, such as a fault that never fired; empty if it proves something.
        public let doubts: [String]
        /// What may have disturbed it, such as a busy machine.
        public let warnings: [String]
        /// Everything that happened, as JSON Lines in UTF-8.
        public let journal: [UInt8]

        init(_ report: TestReport) {
            doubts = report.doubts
            warnings = report.warnings
            journal = report.journal
        }
    }

    /// Where the client connects.
    public let network: Linkcond
    private let running: TestNetwork
    private let mustFire: Bool

    private init(_ running: TestNetwork, mustFire: Bool) {
        self.running = running
        self.mustFire = mustFire
        network = running.place
    }

    /// Starts a network; `stop` it, also after a failure.
    ///
    /// - Parameters:
    ///   - profile: the name of a built-in profile, or a path of a file (with a slash, or ending in
    ///     `.yaml`).
    ///   - settings: changes of the profile, such as `"delay=80ms"`.
    ///   - faults: what goes wrong, such as `"c1:down+1000=rst"`.
    ///   - seed: of all that is random.
    ///   - upstream: `host:port` of the server; nil for a test server of this network alone.
    ///   - folder: what the test server serves.
    ///   - misbehaviour: what the test server does wrong, such as `"object:503@1"`.
    ///   - mustFire: whether a fault that did not fire is a doubt.
    /// - Returns: the running network.
    /// - Throws: why there cannot be such a network.
    public static func start(
        _ profile: String = "none",
        set settings: [String] = [],
        faults: [String] = [],
        seed: UInt64 = 1,
        upstream: String? = nil,
        serving folder: String? = nil,
        misbehaving misbehaviour: String = "",
        mustFire: Bool = true
    ) async throws(LinkcondError) -> LinkcondSession {
        let options = LinkcondOptions(
            profile: profile,
            settings: settings,
            faults: faults,
            seed: seed,
            upstream: upstream,
            folder: folder,
            misbehaviour: misbehaviour,
            mustFire: mustFire
        )
        return LinkcondSession(try await TestNetwork.open(options), mustFire: mustFire)
    }

    /// Ends the network once the client is done; call it once.
    ///
    /// - Parameter isSuccess: whether the client succeeded.
    /// - Returns: what happened.
    @discardableResult
    public func stop(isSuccess: Bool = true) async -> Report? {
        await running.close(isSuccess: isSuccess)
            .map { Report(TestReport($0, mustFire: mustFire)) }
    }
}
