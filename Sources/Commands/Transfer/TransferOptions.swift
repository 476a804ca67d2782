internal import Arguments
internal import Basics
internal import HTTPWire
internal import Journal
internal import LinkEngine
internal import ResumableClient
internal import SystemIO
internal import Transfers

/// What `download` and `upload` were asked for, understood and checked.
struct TransferOptions {
    /// How progress is shown.
    enum ProgressForm: String, CaseIterable { case auto, bar, lines, jsonl, none }

    /// One transfer, and where it goes on from.
    struct Job {
        var description: TransferDescription
        /// Where resume data are kept; nil for nowhere.
        var store: ResumeStore?
        /// What there is to go on from.
        var resume: ResumeFile?
        /// Why what is there cannot be used.
        var notice: String?
        /// A partial file without resume data may be thrown away.
        var overwritesPartial = false
    }

    var jobs: [Job] = []
    var parallel = 1
    var progress = ProgressForm.auto
    var explains = false
    var showsInterim = false
    var isQuiet = false
    var isJSON = false
    /// In a process of its own.
    var isBackground = false
    var identifier: String?
    /// The digest of an upload's source is computed and sent.
    var wantsDigest = false
    /// Where the body of an upload's final answer goes.
    var responseFile: String?
    private let invocation: Invocation

    init(_ invocation: Invocation) throws(Failure) {
        self.invocation = invocation
        explains = invocation.has("explain")
        showsInterim = invocation.has("interim")
        isQuiet = invocation.has("quiet")
        isJSON = invocation.has("json")
        isBackground = invocation.has("background")
        identifier = invocation.value("id")
        if identifier != nil, !isBackground {
            throw Failure(.usage, "--id names a background transfer; give --background, too")
        }
        wantsDigest = invocation.has("digest")
        responseFile = invocation.value("response")
        if let text = invocation.value("progress") {
            guard let form = ProgressForm(rawValue: text) else {
                let known = ProgressForm.allCases.map(\.rawValue)
                throw Failure(
                    .usage,
                    "--progress '\(text)' is not one of \(known.joined(separator: ", "))"
                )
            }
            progress = form
        }
    }

    // MARK: Values

    static func address(_ text: String) throws(Failure) -> HTTPURL {
        do throws(HTTPURLError) {
            return try HTTPURL(text)
        } catch {
            let hint =
                switch error {
                case .notURL, .scheme: "a URL begins with http:// or https://"
                case .userInformation: "put credentials into a file and give --header @FILE"
                case .host: "a URL is like http://host:port/path"
                }
            throw Failure(.usage, "'\(text)': \(error); \(hint)")
        }
    }

    /// What the policies are before options change them.
    func basis(_ description: inout TransferDescription) {
        description.seed = Self.seed()
        guard isBackground else { return }
        description.retry = .background
        description.path = .background
    }

    /// Sets in a description what the options say; what they do not say stays.
    func apply(to description: inout TransferDescription) throws(Failure) {
        let fields = try RequestFieldOptions.fields(invocation.values("header"))
        if !fields.isEmpty { description.fields = fields }
        if let text = invocation.value("sha256") {
            guard let digest = HexadecimalText.decode(text), digest.count == 32 else {
                throw Failure(.usage, "--sha256 '\(text)' has to be 64 hexadecimal digits")
            }
            description.sha256 = digest
        }
        if invocation.has("keep-coding") { description.keepsCoding = true }
        try applyConnection(to: &description.connection)
        try applyRetry(to: &description.retry)
        try applyPath(to: &description)
        if let seed = try invocation.seed() { description.seed = seed }
    }

    private func applyConnection(to settings: inout ConnectionSettings) throws(Failure) {
        if let file = invocation.value("cacert") {
            guard FileSystem.isFile(file) else {
                throw Failure(.inputMissing, "--cacert: there is no file '\(file)'")
            }
            settings.authorities = FileNames.absolute(file)
        }
        if invocation.has("insecure") { settings.isUnverified = true }
        if invocation.has("http1") { settings.isHTTP1Only = true }
        if let path = invocation.value("unix-socket") {
            guard path.utf8.count <= SocketAddress.maximumPathBytes else {
                throw Failure(
                    .usage,
                    "--unix-socket: a path has at most \(SocketAddress.maximumPathBytes) bytes"
                )
            }
            settings.unixSocket = FileNames.absolute(path)
        }
    }

    private func applyRetry(to policy: inout RetryPolicy) throws(Failure) {
        if let count = try invocation.count("max-attempts", in: 1...1_000_000) {
            policy.attempts = count
        }
        if let count = try invocation.count("max-failures", in: 1...1_000_000) {
            policy.failuresWithoutProgress = count
        }
        if let time = try time("deadline") { policy.deadline = time }
        if let time = try time("retry-after-max") { policy.longestRetryAfter = time }
        if let time = try time("connect-timeout") { policy.connectTimeout = time }
        if let time = try time("idle-timeout") { policy.idleTimeout = time }
        if invocation.has("no-auto-resume") { policy.resumesByItself = false }
        if invocation.has("strict-4xx") { policy.strictClientErrors = true }
        if invocation.has("restart-from-zero") { policy.restartsFromZero = true }
    }

    private func time(_ option: String) throws(Failure) -> Duration? {
        try invocation.duration(option).map { min($0, .century) }
    }

    private func applyPath(to description: inout TransferDescription) throws(Failure) {
        if let source = invocation.value("path") {
            description.pathSource = source == "none" ? nil : FileNames.absolute(source)
        }
        if invocation.has("no-constrained") { description.path.allowsConstrained = false }
        if invocation.has("no-expensive") { description.path.allowsExpensive = false }
        if invocation.has("move-to-better-path") { description.path.movesToBetterPath = true }
        if invocation.has("wait-for-connectivity") { description.path.waitsForConnectivity = true }
        if invocation.has("user-initiated") { description.path.isUserInitiated = true }
        if invocation.has("discretionary") { description.path.isDiscretionary = true }
        if let text = invocation.value("not-before") {
            guard let time = PointInTime.parse(text, now: WallClock.secondsSince1970) else {
                throw Failure(
                    .usage,
                    "--not-before '\(text)' is neither a time from now, such as 10min, nor a date,"
                        + " such as 2026-12-31T22:00:00Z"
                )
            }
            description.notBefore = time
        }
        if let size = try invocation.byteCount("expect-send") {
            description.path.expectedBytesToSend = size
        }
        let sizes = try invocation.byteCounts("expect-receive")
        let urls = description.isUpload ? 1 : invocation.operands.count
        guard sizes.count <= 1 || sizes.count == urls else {
            throw Failure(
                .usage,
                "--expect-receive is given \(sizes.count) times; give it once, or once for each URL"
            )
        }
        if let size = sizes.last { description.path.expectedBytesToReceive = size }
        let needsStatus =
            !description.path.allowsConstrained || !description.path.allowsExpensive
            || description.path.isDiscretionary || description.path.movesToBetterPath
        if needsStatus, description.pathSource == nil, !description.path.isUserInitiated {
            throw Failure(
                .usage,
                "--no-constrained, --no-expensive, --discretionary and --move-to-better-path need to"
                    + " know the path: give --path FILE"
            )
        }
    }

    // MARK: Resume data

    /// The job of `--resume FILE`; nil if it is not given.
    func resumedJob(isUpload: Bool) throws(Failure) -> Job? {
        guard let path = invocation.value("resume") else { return nil }
        guard let place = FilePlace(path), FileSystem.isFile(path) else {
            throw Failure(.inputMissing, "--resume: there is no file '\(path)'")
        }
        let store = ResumeStore(place)
        let resume: ResumeFile
        do throws(RecordError) {
            guard let found = try store.load() else {
                throw RecordError("is gone")
            }
            resume = found
        } catch {
            throw Failure(.configuration, diagnostics: ["\(path): error: \(error)"])
        }
        guard resume.description.isUpload == isUpload else {
            let command = isUpload ? "download" : "upload"
            throw Failure(.usage, "\(path) is of an \(command); use linkcond \(command) --resume")
        }
        var description = resume.description
        try apply(to: &description)
        return Job(description: description, store: store, resume: resume)
    }

    /// Looks whether an earlier run has left something to go on from.
    func job(
        _ description: TransferDescription,
        keepingBeside file: String?
    ) throws(Failure) -> Job {
        var job = Job(description: description)
        guard let path = invocation.value("resume-data") ?? file.map({ $0 + ResumeStore.suffix })
        else { return job }
        guard let place = FilePlace(path) else {
            throw Failure(.usage, "'\(path)' is not a name for a file of resume data")
        }
        let store = ResumeStore(place)
        job.store = store
        if invocation.has("fresh") {
            store.remove()
            job.overwritesPartial = true
            return job
        }
        do throws(RecordError) {
            job.resume = try store.load()
        } catch {
            job.notice = "\(path) \(error): beginning at zero"
            job.overwritesPartial = true
        }
        guard let resume = job.resume else { return job }
        let other = resume.description
        guard other.isUpload == description.isUpload, other.address == description.address else {
            throw Failure(
                .usage,
                "\(path) holds resume data of another transfer (\(other.address.text));"
                    + " remove it, or keep these elsewhere with --resume-data FILE"
            )
        }
        return job
    }

    private static func seed() -> UInt64 { UInt64.random(in: 1...999_999) }
}

/// Names of files from arguments.
enum FileNames {
    /// The same file, whatever the working folder becomes.
    static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : "\(FileSystem.currentDirectory)/\(path)"
    }
}
