internal import Arguments
internal import Basics
internal import Conformance
internal import HTTPTransport
internal import HTTPWire
internal import SystemIO

/// What `probe` was asked for, understood and checked.
struct ProbeOptions {
    /// A whole URL, or what follows the address of a server that is started.
    let operand: String
    /// The server to start; nil for one that is there.
    let server: ServerCommand?
    let isUpload: Bool
    let fields: HeaderFields
    let isStrict: Bool
    let isJSON: Bool
    let junit: String?
    let page: String?
    let client: HTTPClientSettings
    private let content: String?
    private let only: Set<String>?
    /// The options that a repetition needs, as they were given.
    private let words: [String]

    init(_ invocation: Invocation) throws(Failure) {
        operand = invocation.operands.first ?? ""
        server = try ServerCommand(invocation)
        content = invocation.value("content")
        isUpload = invocation.has("upload")
        fields = try RequestFieldOptions.fields(invocation.values("header"))
        isStrict = invocation.has("strict")
        isJSON = invocation.has("json")
        junit = invocation.value("junit")
        page = invocation.value("html")
        only = invocation.value("only").map { names in
            Set(names.split(separator: ",").map { $0.uppercased() })
        }
        client = try Self.client(invocation)
        words =
            invocation.words(["origin-cmd", "origin-crash-cmd"]) + (isUpload ? ["--upload"] : [])
            + invocation.words(["content"])
            + invocation.values("header").flatMap { ["--header", $0] }
            + (invocation.value("cacert").map { ["--cacert", $0] } ?? [])
            + (invocation.has("insecure") ? ["--insecure"] : [])
        try OutputPlace.requireDistinct(("--junit", junit), ("--html", page))
        try check()
        if let junit { try OutputPlace.checkWritable(junit, "the JUnit report") }
        if let page { try OutputPlace.checkWritable(page, "the page") }
    }

    private func check() throws(Failure) {
        if content != nil, !isUpload {
            throw Failure(.usage, "--content is of uploads; give --upload, too")
        }
        guard server != nil else {
            if operand.hasPrefix("/") {
                throw Failure(
                    .usage,
                    "'\(operand)' names no server; give --origin-cmd to start one, or a whole URL"
                )
            }
            _ = try TransferOptions.address(operand)
            return
        }
        guard operand.hasPrefix("/") else {
            throw Failure(
                .usage,
                "--origin-cmd starts the server, so '\(operand)' must be a path on it, such as /files/"
            )
        }
        for option in ["cacert", "insecure"] where words.contains("--\(option)") {
            throw Failure(
                .usage,
                "--\(option) is for https; the server of --origin-cmd is asked by http"
            )
        }
    }

    /// What is checked; `server` is the address of the one that was started.
    func place(_ server: String?) throws(Failure) -> ProbePlace {
        let url = try TransferOptions.address((server ?? "") + operand)
        return ProbePlace(url, fields, content: content)
    }

    /// What is checked, in the report.
    func title(_ place: ProbePlace) -> String {
        server == nil ? place.url.text : "{url}\(operand)"
    }

    /// The command that repeats one check.
    func repetition(_ place: ProbePlace) -> @Sendable (String) -> String {
        let operand = server == nil ? place.url.text : operand
        return { [words] name in
            ShellText.line([CommandSet.program, "probe", "--only", name] + words + [operand])
        }
    }

    /// Those of the checks that were asked for.
    ///
    /// - Throws: `usage` for names that no check has.
    func chosen(_ checks: [ServerCheck]) throws(Failure) -> [ServerCheck] {
        guard let only else { return checks }
        let known = checks.map(\.name)
        if let unknown = only.subtracting(known).min() {
            let near = NearestName.of(unknown, among: known).map { "; did you mean \($0)?" } ?? ""
            throw Failure(
                .usage,
                "--only \(unknown): there is no such check of this server\(near); without --only all"
                    + " are listed"
            )
        }
        return checks.filter { only.contains($0.name) }
    }

    private static func client(_ invocation: Invocation) throws(Failure) -> HTTPClientSettings {
        var settings = HTTPClientSettings()
        // A connection that the server closes meanwhile would look like a refusal.
        settings.idleConnections = 0
        let silence = try invocation.duration("timeout") ?? .seconds(10)
        settings.connectTime = silence
        settings.progressTime = silence
        guard invocation.has("cacert") || invocation.has("insecure") else { return settings }
        do throws(TLSError) {
            settings.tls = try TLSContext.client(
                authorities: invocation.value("cacert"),
                verifiesPeer: !invocation.has("insecure")
            )
        } catch {
            throw invocation.failure("cacert", "\(error)")
        }
        return settings
    }
}
