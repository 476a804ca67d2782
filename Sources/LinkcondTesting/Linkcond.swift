internal import Exploration

/// The bad network that a test runs behind: where its client connects instead of to the server.
public struct Linkcond: Hashable, Sendable {
    /// The network of the test that runs now; nil outside of `.linkcond(...)`.
    @TaskLocal public static var current: Linkcond?

    /// `http://127.0.0.1:40123`, to be used instead of the server's address.
    public let url: String
    public let host: String
    public let port: Int
    /// Where the test server can be asked directly, around the network; nil for another server.
    public let origin: String?
    /// Absolute path of a folder of this test alone, which goes with it.
    public let folder: String
    /// Of all that is random.
    public let seed: UInt64
    /// All faults, as one line that repeats them.
    public let schedule: String

    init(_ place: TrialPlace) {
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

/// A network that there cannot be.
public struct LinkcondError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in one line.
    public let description: String

    init(_ description: String) { self.description = description }
}
