/// Something that tells whether a trial came out right, apart from what the client says of itself.
package enum Oracle: Hashable, Sendable {
    /// Two files have the same content: the one that is known to be right, and the client's.
    case same(reference: String, result: String)
    /// A file has this SHA-256, in lower-case hexadecimal.
    case sha256(digest: String, result: String)
    /// What the server gives for a URL, asked directly, is the content of a file.
    case fetch(url: String, reference: String)
    /// A command says so: 0 pass, 1 fail, 125 cannot tell.
    case command([String])
    /// A function of this process says so: pass, fail or cannot tell.
    case code(OracleCode)
}

/// An oracle in this process; equal only to itself.
package struct OracleCode: Hashable, Sendable {
    package let name: String
    package let judge: @Sendable (TrialPlace) -> OracleResult.Verdict

    package init(_ name: String, judge: @escaping @Sendable (TrialPlace) -> OracleResult.Verdict) {
        self.name = name
        self.judge = judge
    }

    package static func == (one: OracleCode, other: OracleCode) -> Bool { one.name == other.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// What an oracle said.
package struct OracleResult: Hashable, Sendable {
    package enum Verdict: String, Hashable, Sendable {
        case pass, fail
        /// It cannot tell.
        case inconclusive
    }

    /// What is wrong with a result, as far as that is known.
    package enum Flaw: Hashable, Sendable {
        case missing
        /// What is there is a beginning of the right content.
        case beginning
        case different
    }

    /// As the option that asks for it: `same`, `sha256`, `fetch-check`, `server-check`.
    package var name: String
    package var verdict: Verdict
    /// What it found, in words that are the same in equal runs.
    package var words: String
    /// Of a result that is wrong.
    package var flaw: Flaw?
    /// The file that was compared, as its option names it.
    package var subject: String?

    /// The name of a command that says what the server has.
    package static let serverCheck = "server-check"

    /// Whether it is about what the server has, not about what the client made.
    package var isOriginSide: Bool { name == Self.serverCheck || name == "fetch-check" }

    package init(name: String, verdict: Verdict, words: String, flaw: Flaw? = nil) {
        self.name = name
        self.verdict = verdict
        self.words = words
        self.flaw = flaw
    }
}
