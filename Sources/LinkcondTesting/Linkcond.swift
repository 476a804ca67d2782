internal import Trials

/// The bad network of a test: where its client connects instead of to the server.
public struct Linkcond: Hashable, Sendable {
    /// The network of the running test; nil without the trait `.linkcond(...)`.
    @TaskLocal public static var current: Linkcond?

    /// The URL to use instead of the server's, such as `http://127.0.0.1:40123`.
    public let url: String
    /// The host of ``url``.
    public let host: String
    /// The port of ``url``.
    public let port: Int
    /// The URL of the test server itself, bypassing the network; nil for another server.
    public let origin: String?
    /// The absolute path of the test's own folder, removed after the test.
    public let folder: String
    /// The seed of every random decision.
    public let seed: UInt64
    /// All faults on one line, for `.linkcond(schedule:)`.
    public let schedule: String
    /// By which the network is found while it is open; nil for one that is explored.
    let number: UInt64?

    init(_ place: TrialPlace, number: UInt64? = nil) {
        self.number = number
        let values = Dictionary(uniqueKeysWithValues: place.values.map { ($0.name, $0.value) })
        url = place.url
        host = values["host"] ?? ""
        port = values["port"].flatMap { Int($0) } ?? 0
        origin = place.origin
        folder = place.folder
        seed = place.seed
        schedule = place.schedule
    }
}

/// A network that cannot be set up.
public struct LinkcondError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in one line.
    public let description: String

    init(_ description: String) { self.description = description }
}
