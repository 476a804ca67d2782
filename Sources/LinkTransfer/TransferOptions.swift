/// How a transfer is done, but for what and where.
public struct TransferOptions: Hashable, Sendable {
    /// A field of the requests.
    public struct Field: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    public var fields: [Field] = []
    /// The SHA-256 that the whole must have: 32 bytes.
    public var sha256: [UInt8]?
    public var retry = RetryOptions.foreground
    public var path = PathOptions()
    /// A PEM file of authorities to trust beside the system's.
    public var authorities: String?
    /// Takes any certificate: private from listeners, but whoever is in between may be the server.
    public var allowsAnyCertificate = false
    /// Connect to this Unix socket, whatever the URL's host.
    public var unixSocket: String?
    /// Keeps resume data in this file while the transfer runs, so that it can go on after a crash.
    public var resumeFile: String?
    /// Fixes the random delays; chosen if nil.
    public var seed: UInt64?

    public init() {}
}

/// What only uploads have.
public struct UploadOptions: Hashable, Sendable {
    public enum UploadProtocol: Hashable, Sendable {
        /// draft-ietf-httpbis-resumable-upload by its interop version: 3, 5, 6 or 8.
        ///
        /// Needs no question beforehand; without support the request is a plain upload.
        case ietf(version: Int)
        /// tus 1.0.0.
        case tus
        /// Never resumes.
        case plain
        /// Asks by `OPTIONS` first.
        case automatic
    }

    public var uploadProtocol = UploadProtocol.ietf(version: 6)
    public var method = "POST"
    /// Creates the upload by an empty request first; the server must support it.
    public var isCareful = false
    /// At most so many bytes in one append.
    public var appendSize: UInt64?

    public init() {}
}

/// How often and how long it is tried again: full jitter below a doubling bound.
public struct RetryOptions: Hashable, Sendable {
    public var base: Duration
    public var cap: Duration
    /// Failures in a row without progress.
    public var failuresWithoutProgress: Int
    /// Failures in total.
    public var attempts: Int
    /// From the start of the transfer; nil for none.
    public var deadline: Duration?
    /// A longer `Retry-After` ends the transfer.
    public var longestRetryAfter: Duration
    /// False: the first failure ends the transfer, with resume data if there are any.
    public var resumesByItself = true
    /// What cannot be resumed begins again by itself.
    public var restartsFromZero: Bool
    public var connectTimeout = Duration.seconds(10)
    public var idleTimeout: Duration

    /// For a person who waits.
    public static let foreground = RetryOptions(
        base: .milliseconds(500),
        cap: .seconds(30),
        failuresWithoutProgress: 8,
        attempts: 100,
        longestRetryAfter: .seconds(300),
        restartsFromZero: false,
        idleTimeout: .seconds(30)
    )

    /// For a transfer that nobody watches.
    public static let background = RetryOptions(
        base: .seconds(5),
        cap: .seconds(900),
        failuresWithoutProgress: 100,
        attempts: 1_000,
        longestRetryAfter: .seconds(86_400),
        restartsFromZero: true,
        idleTimeout: .seconds(60)
    )
}

/// On which paths a transfer may use the network.
public struct PathOptions: Hashable, Sendable {
    public var allowsConstrained = true
    public var allowsExpensive = true
    /// While there is no path, waits without counting attempts.
    public var waitsForConnectivity = false
    /// Somebody waits for it: lifts refusals of the path.
    public var isUserInitiated = false
    /// Begins only on an unconstrained, inexpensive path of a device with power.
    public var isDiscretionary = false

    public init() {}
}

/// The properties of the network path, as a system would report them.
public struct NetworkPath: Hashable, Sendable {
    public var isSatisfied = true
    public var isConstrained = false
    public var isExpensive = false
    public var hasPower = true

    public init() {}
}
