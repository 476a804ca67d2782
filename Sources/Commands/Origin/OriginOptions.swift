internal import Arguments
internal import Basics
internal import HTTPTransport
internal import HTTPWire
internal import LinkEngine
internal import Origin
internal import Proxy
internal import ResumableServer
internal import SystemIO

/// The options of `origin`, understood and checked as far as that goes without a socket.
struct OriginOptions {
    var configuration: OriginConfiguration
    var durationMilliseconds: UInt64?
    var readyFile: String?
    var readyDescriptor: Int32?
    var accessLog: String?
    var statePath: String?
    /// Whether clients speak TLS.
    let speaksTLS: Bool
    var isJSON: Bool
    var isQuiet: Bool
    var isVerbose: Bool

    static let onOff = ["on", "off"]

    init(_ invocation: Invocation, temporaryFolder: String) throws(Failure) {
        configuration = OriginConfiguration()
        configuration.folder = invocation.operands.first
        configuration.temporaryFolder = temporaryFolder
        configuration.takesHTTP2 = !invocation.has("http1")
        configuration.allowsRemote = invocation.has("allow-remote")
        configuration.tls = try TLSOptions.files(invocation).map { TLSServerSettings(identity: $0) }
        speaksTLS = invocation.has("https") || configuration.tls != nil
        durationMilliseconds = try invocation.milliseconds("duration")
        readyFile = invocation.value("ready-file")
        readyDescriptor = try invocation.readyDescriptor()
        accessLog = invocation.value("access-log")
        statePath = invocation.value("state")
        isJSON = invocation.has("json")
        isQuiet = invocation.has("quiet")
        isVerbose = invocation.has("verbose")
        try readListens(invocation)
        try readObjects(invocation)
        try readUploads(invocation)
        try readVersions(invocation)
        try readLimits(invocation)
        try readTarget(invocation)
        configuration.misbehaviour = try Self.rules(invocation)
        if accessLog == "-" && statePath == "-" {
            throw Failure(
                .usage,
                "--access-log and --state cannot both be on standard output; name a file for one"
            )
        }
    }

    private mutating func readListens(_ invocation: Invocation) throws(Failure) {
        var addresses: [SocketAddress] = []
        for text in invocation.values("listen") {
            guard let address = Self.address(try Self.endpoint(text)) else {
                throw Failure(
                    .usage,
                    "--listen '\(text)': give an address of this machine, as 127.0.0.1:8080,"
                        + " [::1]:8080 or unix:/path"
                )
            }
            addresses.append(address)
        }
        if !addresses.isEmpty { configuration.listens = addresses }
    }

    /// Lets clients be shown a certificate of this user's authority if they are to be shown one, and no
    /// file is given.
    mutating func makeIdentity(_ console: Console) throws(Failure) {
        guard speaksTLS, configuration.tls == nil else { return }
        configuration.tls = try TLSOptions.made(
            for: configuration.listens.filter { !$0.isUnix }.map(\.host),
            creating: true,
            console
        ).map { TLSServerSettings(identity: $0) }
    }

    private static func endpoint(_ text: String) throws(Failure) -> Endpoint {
        do throws(ProxyError) {
            return try Endpoint(parsing: text)
        } catch {
            throw Failure(.usage, "--listen: \(error.description)")
        }
    }

    private static func address(_ endpoint: Endpoint) -> SocketAddress? {
        if case .tcp("localhost", let port) = endpoint { return .loopback(port: port) }
        return endpoint.numericAddress
    }

    private mutating func readObjects(_ invocation: Invocation) throws(Failure) {
        configuration.objects.takesRanges = try invocation.isOn("ranges")
        configuration.objects.takesSeveralRanges = try invocation.isOn("multirange")
        if let tags = try invocation.choice("etag", of: ObjectPolicy.Tags.self) {
            configuration.objects.tags = tags
        }
        if let dates = try invocation.choice("last-modified", of: ObjectPolicy.Dates.self) {
            configuration.objects.dates = dates
        }
        configuration.objects.framing = try Self.framing(invocation)
    }

    /// Of the objects of any test server.
    static func framing(_ invocation: Invocation) throws(Failure) -> ContentFraming {
        try invocation.choice("framing", of: ContentFraming.self) ?? .length
    }

    private mutating func readUploads(_ invocation: Invocation) throws(Failure) {
        var uploads = configuration.uploads
        uploads.offersTus = try invocation.isOn("tus")
        configuration.takesPlainUploads = try invocation.isOn("plain")
        if try invocation.word("location", of: ["relative", "absolute"]) == "absolute" {
            uploads.location = .absolute(scheme: speaksTLS ? "https" : "http")
        }
        if let completed = try invocation.choice(
            "completed",
            of: UploadSettings.CompletedPolicy.self
        ) {
            uploads.completed = completed
        }
        configuration.commit = try invocation.choice("commit", of: CommitMode.self)
        uploads.progressBytes = try invocation.byteCount("progress-bytes")
        if let time = try invocation.duration("expire"), time.nanoseconds == 0 {
            throw Failure(.usage, "--expire has to be more than 0s; without it nothing expires")
        }
        uploads.lifetime = try invocation.seconds("expire")
        if let seconds = try invocation.seconds("keep-complete") { uploads.keepComplete = seconds }
        uploads.limits.maxSize = try invocation.byteCount("max-size")
        uploads.limits.minSize = try invocation.byteCount("min-size")
        uploads.limits.maxAppendSize = try invocation.byteCount("max-append")
        uploads.limits.minAppendSize = try invocation.byteCount("min-append")
        configuration.uploads = uploads
        configuration.interims = try Self.numbers(invocation, "interim", of: [102, 103])
        let seed = try invocation.seed() ?? 0
        if try invocation.word("ids", of: ["random", "seeded"]) == "seeded" {
            guard configuration.listens.allSatisfy(\.isLoopback) else {
                throw Failure(.usage, "--ids seeded can be guessed: it goes with loopback only")
            }
            configuration.naming = .seeded(seed)
        }
    }

    private mutating func readTarget(_ invocation: Invocation) throws(Failure) {
        configuration.onComplete = invocation.value("on-complete").map { command in
            CompletionCommand(command, environment: CurrentProcess.wholeEnvironment)
        }
        guard let text = invocation.value("upload-to") else { return }
        guard configuration.onComplete == nil else {
            throw Failure(
                .usage,
                "--on-complete is for uploads that are kept here; with --upload-to the server behind"
                    + " gets them: leave one of the two out"
            )
        }
        let url: HTTPURL
        do throws(HTTPURLError) {
            url = try HTTPURL(text)
        } catch {
            throw Failure(
                .usage,
                "--upload-to '\(text)' is \(error); give the server's, such as"
                    + " http://127.0.0.1:9000 or https://example.com"
            )
        }
        guard url.target == "/" else {
            throw Failure(
                .usage,
                "--upload-to '\(text)': each request keeps the path that the client gives it; leave"
                    + " '\(url.target)' out"
            )
        }
        configuration.forward(to: url)
    }

    private mutating func readVersions(_ invocation: Invocation) throws(Failure) {
        guard let text = invocation.value("ietf-versions") else { return }
        var words = text.split(separator: ",").map(String.init)
        configuration.uploads.acceptsVersionless = words.contains("final")
        words.removeAll { $0 == "final" }
        if words == ["off"] {
            configuration.uploads.versions = []
            return
        }
        if words.isEmpty { return }
        var versions: Set<InteropVersion> = []
        for word in words {
            guard let number = Int(word), let version = InteropVersion(rawValue: number) else {
                throw Failure(
                    .usage,
                    "--ietf-versions '\(text)': '\(word)' is not one of 3, 5, 6, 8, final, off"
                )
            }
            versions.insert(version)
        }
        configuration.uploads.versions = versions
    }

    private mutating func readLimits(_ invocation: Invocation) throws(Failure) {
        configuration.limits.storedBytes = try invocation.byteCount("quota")
        if let count = try invocation.count("max-open", in: 0...1_000_000) {
            configuration.limits.openUploads = count
        }
        if let seconds = try invocation.seconds("idle") {
            configuration.limits.idleSeconds = max(1, seconds)
        }
    }

    /// Column by column what is wrong, in the option's own text.
    static func rules(_ invocation: Invocation) throws(Failure) -> String {
        let texts = invocation.values("misbehave")
        for text in texts {
            do throws(MisbehaviourError) {
                _ = try Misbehaviour(parsing: text)
            } catch {
                throw Failure(
                    .usage,
                    "--misbehave '\(text)', column \(error.column): \(error.description)"
                )
            }
        }
        return texts.joined(separator: "; ")
    }

    private static func numbers(
        _ invocation: Invocation,
        _ option: String,
        of allowed: [Int]
    ) throws(Failure) -> [Int] {
        guard let text = invocation.value(option) else { return [] }
        var numbers: [Int] = []
        for word in text.split(separator: ",") {
            guard let number = Int(word), allowed.contains(number) else {
                let list = allowed.map(String.init).joined(separator: ", ")
                throw Failure(.usage, "--\(option) '\(text)': '\(word)' is not one of \(list)")
            }
            numbers.append(number)
        }
        return numbers
    }
}
