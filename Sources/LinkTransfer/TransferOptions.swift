/// How a transfer is done: request fields, verification, retries, path and resume data.
public struct TransferOptions: Hashable, Sendable {
    /// A header field that each request carries.
    ///
    /// After a redirect to another host, port or scheme only harmless fields, such as `Accept`, are
    /// sent.
    public struct Field: Hashable, Sendable {
        /// The field's name, such as `Authorization`.
        public var name: String
        /// The field's value, without line breaks.
        public var value: String

        /// A field with a name and a value.
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Header fields of every request, in order.
    public var fields: [Field] = []
    /// The expected SHA-256 of the complete object, 32 bytes; nil to verify none.
    public var sha256: [UInt8]?
    /// When and how often the transfer is retried.
    public var retry = RetryOptions.foreground
    /// On which network paths the transfer may run.
    public var path = PathOptions()
    /// The path of a PEM file with authorities to trust in addition to the system's.
    public var authorities: String?
    /// Whether any server certificate is accepted, which gives up protection from an impostor.
    public var allowsAnyCertificate = false
    /// Whether HTTP/2 is offered to https servers; without it, all requests use HTTP/1.1.
    public var offersHTTP2 = true
    /// The path of a Unix socket to connect to, whatever the URL's host.
    public var unixSocket: String?
    /// A file that holds resume data while the transfer runs, so that it survives a crash; nil for none.
    public var resumeFile: String?
    /// The seed of the random retry delays; nil for a random one.
    public var seed: UInt64?

    /// The options of a foreground transfer.
    public init() {}

    /// The options of a transfer that no one waits for: patient, and waiting for connectivity.
    public static var background: TransferOptions {
        var options = TransferOptions()
        options.retry = .background
        options.path = .background
        return options
    }
}

/// Options that apply to uploads only.
public struct UploadOptions: Hashable, Sendable {
    /// How an upload is made resumable.
    public enum UploadProtocol: Hashable, Sendable {
        /// draft-ietf-httpbis-resumable-upload by its interop version: 3, 5, 6 or 8.
        ///
        /// Needs no request beforehand; a server without support gets a plain upload.
        case ietf(version: Int)
        /// tus 1.0.0.
        case tus
        /// Never resumes.
        case plain
        /// Asks the server by `OPTIONS` first.
        case automatic
    }

    /// The protocol; the IETF draft's interop version 6 by default.
    public var uploadProtocol = UploadProtocol.ietf(version: 6)
    /// The method of the first request.
    public var method = "POST"
    /// Whether an empty request creates the upload first, which the server must support.
    public var isCareful = false
    /// The largest append in bytes; nil for no limit but the server's.
    public var appendSize: UInt64?
    /// The form in which the content is sent; nil for the content alone.
    ///
    /// A form resumes like any other content. Neither tus nor `automatic` has a place for one.
    public var form: UploadForm?

    /// An upload by the IETF draft, optimistic and without a limit.
    public init() {}
}

/// A form of HTML (`multipart/form-data`, RFC 7578) in which an upload is sent.
public struct UploadForm: Hashable, Sendable {
    /// The name of the field that holds the content.
    public var fileField: String
    /// The other fields, which come before it.
    public var fields: [TransferOptions.Field]

    /// A form with a field for the content, after others.
    public init(fileField: String, fields: [TransferOptions.Field] = []) {
        self.fileField = fileField
        self.fields = fields
    }
}

/// When and how often a transfer is retried.
///
/// The delay before a retry is random, uniform from zero to a bound. The bound is ``base`` after the
/// first failure and doubles with each further failure in a row, up to ``cap``.
public struct RetryOptions: Hashable, Sendable {
    /// The largest delay before the first retry.
    public var base: Duration
    /// The largest delay before any retry; a `Retry-After` may ask for more.
    public var cap: Duration
    /// How many failures in a row without progress end the transfer.
    public var failuresWithoutProgress: Int
    /// How many failures in total end the transfer.
    public var attempts: Int
    /// How long the transfer may take from its start; nil for no limit.
    public var deadline: Duration?
    /// The longest `Retry-After` that is obeyed; a longer one ends the transfer.
    public var longestRetryAfter: Duration
    /// Whether failures are retried; if not, the first one ends the transfer, with resume data if possible.
    public var resumesByItself = true
    /// Whether a transfer that cannot be resumed starts over by itself.
    public var restartsFromZero: Bool
    /// How long opening a connection may take.
    public var connectTimeout = Duration.seconds(10)
    /// How long a connection may move no byte before it counts as failed.
    public var idleTimeout: Duration

    /// For a person who waits: 0.5 s to 30 s, 8 failures without progress, 100 in total.
    public static let foreground = RetryOptions(
        base: .milliseconds(500),
        cap: .seconds(30),
        failuresWithoutProgress: 8,
        attempts: 100,
        longestRetryAfter: .seconds(300),
        restartsFromZero: false,
        idleTimeout: .seconds(30)
    )

    /// For a transfer that no one watches: 5 s to 15 min, 100 failures without progress, 1,000 in total.
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

/// When, and on which network paths, a transfer may run.
public struct PathOptions: Hashable, Sendable {
    /// Whether the transfer may use a path that saves data (Low Data Mode).
    public var allowsConstrained = true
    /// Whether the transfer may use a path that costs money, such as a cellular one.
    public var allowsExpensive = true
    /// Whether the transfer continues over a new connection when the path's status first says that a
    /// better path is there; one that cannot be resumed stays.
    public var movesToBetterPath = false
    /// Whether the transfer waits for a path, without counting failures, while there is none.
    public var waitsForConnectivity = false
    /// Whether a person waits for the transfer, which lifts all restrictions of the path.
    public var isUserInitiated = false
    /// Whether the transfer starts only on an unconstrained, inexpensive path of a device with power.
    public var isDiscretionary = false
    /// When the transfer may start, in seconds since 1970; nil for at once.
    public var earliestBegin: Int64?
    /// About how many bytes will be sent; nil if unknown.
    ///
    /// Of transfers that wait for their turn, the smallest starts first.
    public var expectedBytesToSend: UInt64?
    /// About how many bytes will be received; nil if unknown.
    public var expectedBytesToReceive: UInt64?

    /// No restrictions.
    public init() {}

    /// The options of a transfer that no one waits for: it waits for connectivity.
    public static var background: PathOptions {
        var options = PathOptions()
        options.waitsForConnectivity = true
        return options
    }
}

/// The properties of the network path, as an operating system would report them.
public struct NetworkPath: Hashable, Sendable {
    /// Whether there is a path at all.
    public var isSatisfied = true
    /// Whether the user wants little traffic (Low Data Mode).
    public var isConstrained = false
    /// Whether the path costs money.
    public var isExpensive = false
    /// Whether the device has external power.
    public var hasPower = true
    /// Whether a better path is there than the one that open connections use, as after a return to
    /// Wi-Fi.
    public var hasBetterPath = false

    /// A free, unconstrained path of a device with power.
    public init() {}
}
