package import Basics
internal import HTTPWire

/// What all checks of a server came to.
package struct ProbeReport: Sendable {
    /// Where the server was asked.
    package let url: String
    package private(set) var results: [ProbeResult] = []
    /// How a failed check is repeated, given its name.
    let repetition: @Sendable (String) -> String

    package init(_ url: String, repetition: @escaping @Sendable (String) -> String) {
        self.url = url
        self.repetition = repetition
    }

    package mutating func add(_ result: ProbeResult) { results.append(result) }

    package func count(_ level: ServerCheck.Level) -> Int {
        results.count { $0.isFailed && $0.check.level == level }
    }

    package var passed: Int { results.count { $0.verdict == .passed } }

    /// Those that could not be checked.
    package var inapplicable: Int { results.count - passed - results.count(where: \.isFailed) }

    /// One result in lines for people.
    ///
    /// - Parameters:
    ///   - result: what came of a check.
    ///   - style: of the text.
    ///   - isThere: whether the server can be asked again, at the same address.
    /// - Returns: one line, and more for a rule that is broken.
    package func lines(
        _ result: ProbeResult,
        style: TextStyle,
        isThere: Bool = true
    ) -> [String] {
        let check = result.check
        let name = TextLayout.pad(check.name, to: 6)
        switch result.verdict {
        case .passed: return ["  \(name) \(style(.good, "ok  "))  \(check.rule)"]
        case .doesNotApply(let reason):
            return [style(.faint, "  \(name) -     \(check.rule): \(reason)")]
        case .failed(let seen):
            let isError = check.level == .error
            let word = style(isError ? .bad : .warning, isError ? "FAIL" : "warn")
            return [
                "  \(name) \(word)  \(check.rule)",
                "               \(seen)  (\(check.source))",
                "               again: \(repetition(check.name))",
            ] + (isThere ? result.curlLine.map { ["               or:    \($0)"] } ?? [] : [])
        }
    }

    /// The counts, in a sentence.
    package var summary: String {
        var parts = passed > 0 ? ["\(passed) kept"] : []
        if count(.error) > 0 { parts.append("\(count(.error)) broken") }
        if count(.warning) > 0 {
            parts.append("\(count(.warning)) warning\(count(.warning) == 1 ? "" : "s")")
        }
        if inapplicable > 0 { parts.append("\(inapplicable) not applicable") }
        return
            "\(results.count) rule\(results.count == 1 ? "" : "s"): \(parts.joined(separator: ", "))"
    }

    /// One line of the report in JSON.
    package func json(_ result: ProbeResult) -> JSONValue {
        let requests = result.course.exchanges.map { request, reply in
            JSONValue.object([
                "method": .string(request.method),
                "url": .string(request.url.text),
                "status": .integer(Int128(reply.status)),
            ])
        }
        let again = result.isFailed ? JSONValue.string(repetition(result.check.name)) : nil
        return .object([
            "t": .string("check"),
            "check": .string(result.check.name),
            "rule": .string(result.check.rule),
            "source": .string(result.check.source),
            "level": .string(result.check.level.rawValue),
            "verdict": .string(result.word),
            "reason": result.reason.map { .string($0) },
            "requests": .array(requests),
            "repeat": again,
        ])
    }

    /// The last line of the report in JSON.
    package func end(exitCode: Int32) -> JSONValue {
        .object([
            "t": .string("end"),
            "url": .string(url),
            "kept": .integer(Int128(passed)),
            "errors": .integer(Int128(count(.error))),
            "warnings": .integer(Int128(count(.warning))),
            "not_applicable": .integer(Int128(inapplicable)),
            "exit": .integer(Int128(exitCode)),
        ])
    }
}

extension ProbeResult {
    package var isFailed: Bool {
        if case .failed = verdict { true } else { false }
    }

    var word: String {
        switch verdict {
        case .passed: "kept"
        case .failed: "broken"
        case .doesNotApply: "not applicable"
        }
    }

    var reason: String? {
        switch verdict {
        case .passed: nil
        case .failed(let reason), .doesNotApply(let reason): reason
        }
    }

    /// The same as a command without linkcond, for a check of one request without content.
    var curlLine: String? {
        guard course.exchanges.count == 1, let request = course.exchanges.first?.request,
            request.body.isEmpty
        else {
            return nil
        }
        let method =
            switch request.method {
            case "HEAD": "-I"
            case "GET": "-sS -D - -o /dev/null"
            default: "-sS -D - -o /dev/null -X \(request.method)"
            }
        let fields = request.fields.fields.filter { !$0.isSecret }.map {
            " -H '\($0.name): \($0.value)'"
        }
        guard !fields.contains(where: { $0.dropFirst(5).dropLast().contains("'") }) else {
            return nil
        }
        return "curl \(method)\(fields.joined()) '\(request.url.text)'"
    }
}

extension HeaderFields.Field {
    /// Whether nobody else may see its value.
    fileprivate var isSecret: Bool {
        ["authorization", "cookie", "proxy-authorization"].contains(name.lowercased())
    }
}
