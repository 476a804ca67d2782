internal import Arguments
internal import Basics
internal import Conformance
internal import HTTPTransport
internal import HTTPWire
internal import SystemIO

/// What `probe` was asked for, understood and checked.
struct ProbeOptions {
    let url: HTTPURL
    let isUpload: Bool
    let fields: HeaderFields
    let isStrict: Bool
    let isJSON: Bool
    let junit: String?
    let page: String?
    let client: HTTPClientSettings
    private let only: Set<String>?
    /// The options that a repetition needs, as they were given.
    private let words: [String]

    init(_ invocation: Invocation) throws(Failure) {
        url = try TransferOptions.address(invocation.operands.first ?? "")
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
            (isUpload ? ["--upload"] : [])
            + invocation.values("header").flatMap { ["--header", $0] }
            + (invocation.value("cacert").map { ["--cacert", $0] } ?? [])
            + (invocation.has("insecure") ? ["--insecure"] : [])
        try OutputPlace.requireDistinct(("--junit", junit), ("--html", page))
        if let junit { try OutputPlace.checkWritable(junit, "the JUnit report") }
        if let page { try OutputPlace.checkWritable(page, "the page") }
    }

    /// The command that repeats one check.
    var repetition: @Sendable (String) -> String {
        { [words, url] name in
            ShellText.line(["linkcond", "probe", "--only", name] + words + [url.text])
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
