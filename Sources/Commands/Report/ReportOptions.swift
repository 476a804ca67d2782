internal import Analysis
internal import Arguments
internal import Basics

/// The options of `report`, understood.
struct ReportOptions {
    let journals: [String]
    let expectation: Expectation?
    /// Of these two files the second has to be as the first.
    let comparison: (expected: String, result: String)?
    /// All but the answer of the comparison.
    let evidence: Evidence
    let pagePath: String?
    let testPath: String?
    let archivePath: String?
    let capturePath: String?
    let isJSON: Bool
    /// Whether one of the files is standard output.
    let writesToOutput: Bool

    init(_ invocation: Invocation) throws(Failure) {
        journals = invocation.operands
        expectation = try Self.expectation(invocation)
        comparison = try Self.comparison(invocation)
        evidence = try Self.evidence(invocation)
        pagePath = invocation.value("html")
        testPath = invocation.value("junit")
        archivePath = invocation.value("har")
        capturePath = invocation.value("pcapng")
        isJSON = invocation.has("json")
        let paths = [pagePath, testPath, archivePath, capturePath]
        writesToOutput = paths.contains("-")
        let results = paths.count { $0 == "-" } + (isJSON ? 1 : 0)
        guard results <= 1 else {
            throw Failure(
                .usage,
                "only one of --json, --html -, --junit -, --har - and --pcapng - can have standard output"
            )
        }
        for (name, path) in [("har", archivePath), ("pcapng", capturePath)]
        where path != nil && journals.count > 1 {
            throw Failure(.usage, "--\(name) takes one journal, not \(journals.count)")
        }
        guard journals.count == 1 || comparison == nil else {
            throw Failure(.usage, "--same and --result apply to one journal, not \(journals.count)")
        }
    }

    private static func expectation(_ invocation: Invocation) throws(Failure) -> Expectation? {
        guard let text = invocation.value("expect") else { return nil }
        do throws(ExpectationError) {
            return try Expectation(parsing: text) { NearestName.of($0, among: $1) }
        } catch {
            throw invocation.failure(
                "expect",
                "'\(text)', column \(error.column): \(error.description)"
            )
        }
    }

    private static func comparison(
        _ invocation: Invocation
    ) throws(Failure) -> (expected: String, result: String)? {
        switch (invocation.value("same"), invocation.value("result")) {
        case (let expected?, let result?): return (expected, result)
        case (nil, nil): return nil
        case (_?, nil):
            throw Failure(.usage, "--same needs --result FILE, the file that the client created")
        case (nil, _?): throw Failure(.usage, "--result needs --same FILE, the expected content")
        }
    }

    private static func evidence(_ invocation: Invocation) throws(Failure) -> Evidence {
        var evidence = Evidence()
        evidence.exitCode = try invocation.count("exit-code", in: 0...255)
        if let limit = try invocation.byteCount("max-resent") {
            evidence.maximumResentBytes = limit
        }
        if let limit = try invocation.count("max-stalled-attempts", in: 1...1_000_000) {
            evidence.maximumTries = limit
        }
        evidence.maximumMeteredBytes = try invocation.byteCount("max-metered")
        if let cap = try invocation.duration("cap") {
            evidence.cap = min(max(.zero, cap), .century)
        }
        return evidence
    }
}
