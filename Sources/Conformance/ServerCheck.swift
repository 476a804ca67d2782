package import HTTPWire

/// One rule that a server has to keep, and the requests that show whether it does.
///
/// A check does no I/O: it is told the answers so far and says what to send next, or its verdict.
package struct ServerCheck: Sendable {
    /// How much it means if the rule is broken.
    package enum Level: String, CaseIterable, Hashable, Sendable {
        /// A client loses content, joins what does not belong together, or cannot go on.
        case error
        /// What a specification recommends, or demands where clients rarely depend on it.
        case warning
    }

    package enum Step: Sendable {
        case send(ProbeRequest)
        /// Lets time pass; an empty reply stands for it.
        case wait(milliseconds: UInt64)
        /// Kills the server and starts it again; an empty reply stands for it.
        case restart
        case ended(Verdict)
    }

    package enum Verdict: Hashable, Sendable {
        case passed
        /// The rule is broken: what was seen, in words.
        case failed(String)
        /// It cannot be checked here, for this reason.
        case doesNotApply(String)
    }

    /// As in `D7`: a letter for the kind of transfer, and a number.
    package let name: String
    package let level: Level
    /// The document and section that has the rule.
    package let source: String
    /// The rule, as a sentence without a full stop.
    package let rule: String
    /// What it shares its requests with; nil if it is alone.
    ///
    /// The next check with the same one begins with the answers that are there.
    private(set) var scenario: String?
    /// Whether it makes the server crash.
    private(set) var needsRestart = false
    /// What follows after these answers; a request that got none answers with its failure.
    private(set) var next: @Sendable (_ replies: [ProbeReply]) -> Step

    init(
        _ name: String,
        _ level: Level,
        _ source: String,
        _ rule: String,
        next: @escaping @Sendable ([ProbeReply]) -> Step
    ) {
        self.name = name
        self.level = level
        self.source = source
        self.rule = rule
        self.next = next
    }

    /// A check of one request.
    init(
        _ name: String,
        _ level: Level,
        _ source: String,
        _ rule: String,
        _ request: ProbeRequest,
        judge: @escaping @Sendable (ProbeReply) -> Verdict
    ) {
        self.init(name, level, source, rule) { replies in
            guard let reply = replies.first else { return .send(request) }
            return .ended(judge(reply))
        }
    }

    /// The same with the requests of all checks of this scenario.
    func sharing(_ scenario: String) -> ServerCheck {
        var check = self
        check.scenario = scenario
        return check
    }

    /// The same with a crash of the server in it.
    func overCrash(sharing scenario: String) -> ServerCheck {
        var check = sharing(scenario)
        check.needsRestart = true
        return check
    }

    /// The same, but it does not apply where it fails for this reason.
    func unless(
        _ reason: @escaping @Sendable (_ replies: [ProbeReply]) -> String?
    ) -> ServerCheck {
        var check = self
        check.next = { [next] replies in
            guard case .ended(.failed) = next(replies), let reason = reason(replies) else {
                return next(replies)
            }
            return .ended(.doesNotApply(reason))
        }
        return check
    }

    /// A check that needs no request, or that none can show.
    init(
        _ name: String,
        _ level: Level,
        _ source: String,
        _ rule: String,
        verdict: Verdict
    ) {
        self.init(name, level, source, rule) { _ in .ended(verdict) }
    }
}

extension ServerCheck.Verdict {
    /// Passed, or failed with what was seen.
    static func require(_ holds: Bool, _ seen: @autoclosure () -> String) -> Self {
        holds ? .passed : .failed(seen())
    }
}

/// A request of a check.
package struct ProbeRequest: Hashable, Sendable {
    /// What becomes of the connection before the request is complete.
    package enum Interruption: Hashable, Sendable {
        /// It is reset once the server has acknowledged so many bytes of the content.
        case cut(after: Int)
        /// It stays open after so many bytes, and silent, until the check has ended.
        case hang(after: Int)

        var bytes: Int {
            switch self {
            case .cut(let bytes), .hang(let bytes): bytes
            }
        }
    }

    package var method: String
    /// Absolute.
    package var url: HTTPURL
    package var fields: HeaderFields
    package var body: [UInt8]
    package var interruption: Interruption?

    init(
        _ method: String,
        _ url: HTTPURL,
        _ fields: HeaderFields = [:],
        body: [UInt8] = [],
        interruption: Interruption? = nil
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        self.body = body
        self.interruption = interruption
    }
}

/// What came of a request of a check.
package struct ProbeReply: Hashable, Sendable {
    /// Of the final response; 0 if there is none.
    package var status = 0
    package var fields = HeaderFields()
    package var body: [UInt8] = []
    package var interims: [ResponseHead] = []
    /// Why there is no whole response, in words; nil if there is one, or if the request was interrupted.
    package var failure: String?
    /// When it came, in seconds since 1970 by this side's clock.
    package var atSeconds = 0

    package init() {}

    var isSuccess: Bool { (200..<300).contains(status) }

    /// The status or what there is instead, as it stands in a sentence.
    var seen: String {
        failure.map { "no answer (\($0))" } ?? (status == 0 ? "no answer" : "\(status)")
    }

    func entityTag() -> EntityTag? { fields["ETag"].flatMap { EntityTag(parsing: $0) } }
}
