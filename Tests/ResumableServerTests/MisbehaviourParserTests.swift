import ResumableServer
import Testing

@Suite struct MisbehaviourParserTests {
    private static let always = 1...Misbehaviour.maximumNumber

    @Test(
        arguments: [
            ("drop-104", .upload, .drop104, always),
            ("  drop-104  ", .upload, .drop104, always),
            ("503@1-3,retry-after=2", .any, .status(503, retryAfter: .seconds(2)), 1...3),
            ("429, retry-after-date=0", .any, .status(429, retryAfter: .date(in: 0)), always),
            ("object:404@7", .object, .status(404, retryAfter: nil), 7...7),
            ("forget@2", .upload, .forget, 2...2),
            ("lose=1000@1", .upload, .lose(1_000), 1...1),
            ("append:lose@1=1000", .append, .lose(1_000), 1...1),
            ("slow-final=2s", .upload, .slowFinal(2_000), always),
            ("slow-final=250ms@3-", .upload, .slowFinal(250), 3...Misbehaviour.maximumNumber),
            ("mutate@2=same-size", .object, .mutate(.sameSize), 2...2),
            ("mutate=weak-etag@2", .object, .mutate(.weakTag), 2...2),
            ("mutate=lm-only@2", .object, .mutate(.dateOnly), 2...2),
            ("mutate=same-second@2", .object, .mutate(.sameSecond), 2...2),
            ("etag=none", .object, .entityTag(.none), always),
            ("last-modified=coarse", .object, .lastModified(.coarse), always),
            ("ignore-range", .object, .ignoreRange, always),
            ("shift-range=-10", .object, .shiftRange(-10), always),
            ("shift-range=+10", .object, .shiftRange(10), always),
            ("no-content-range", .object, .noContentRange, always),
            ("wrong-total", .object, .wrongTotal, always),
            ("304@2", .object, .notModified, 2...2),
            ("416@2", .object, .unsatisfiable, 2...2),
            ("200-partial", .object, .partialAs200, always),
            ("short=5", .object, .short(5), always),
            ("stale=600", .object, .stale(600), always),
            ("multipart", .object, .multipart, always),
            ("false-gzip", .object, .falseGzip, always),
            ("max-append-size=9", .upload, .limitAppend(9), always),
            ("creation:max-size=9@2", .creation, .limitSize(9), 2...2),
        ] as [(String, Misbehaviour.Scope, Misbehaviour.Effect, ClosedRange<Int>)]
    )
    func `a rule has scope, effect, value and requests`(
        text: String,
        scope: Misbehaviour.Scope,
        effect: Misbehaviour.Effect,
        ordinals: ClosedRange<Int>
    ) throws {
        let rule = try #require(try Misbehaviour(parsing: text).rules.first)
        #expect(rule.scope == scope)
        #expect(rule.effect == effect)
        #expect(rule.ordinals == ordinals)
    }

    @Test func `rules are separated by semicolons; no text is no rules`() throws {
        #expect(try Misbehaviour(parsing: "drop-104;forget@2 ; 304").rules.count == 3)
        #expect(try Misbehaviour(parsing: "").rules.isEmpty)
        #expect(try Misbehaviour(parsing: " ").rules.isEmpty)
    }

    @Test(
        arguments: [
            ("dorp-104", 1, "unknown effect 'dorp-104'; expected a status such as 503"),
            (";", 1, "expected a status such as 503"),
            ("503;", 5, "found the end"),
            ("503 504", 5, "expected ';' or the end, found '5'"),
            ("503@", 5, "'' is not a request, counted from 1"),
            ("503@0", 5, "'0' is not a request"),
            ("503@3-1", 5, "'3-1' names no request"),
            ("503@1@2", 6, "the requests are given twice"),
            ("503=1", 5, "'503' takes no value"),
            ("lose=1=2", 7, "there are two values"),
            ("lose", 1, "'lose' needs a value, as in lose=1000"),
            ("lose=0", 6, "'0' is not bytes: expected a number from 1"),
            ("lose=99999999999999999999", 6, "is not bytes"),
            ("short=-1", 7, "'-1' is not bytes"),
            ("stale=x", 7, "'x' is not seconds"),
            ("shift-range=0", 13, "'0' is not a distance in bytes"),
            ("shift-range=--1", 13, "is not a distance in bytes"),
            ("slow-final=2", 12, "'2' is not a time such as 2s or 500ms"),
            ("slow-final=0s", 12, "'0' is not a time"),
            ("slow-final=1125899906842624s", 12, "is not a time such as 2s"),
            ("mutate=groww", 8, "unknown mutation 'groww'; expected one of same-size, grow"),
            ("etag=medium", 6, "unknown form 'medium'; expected one of strong, weak, none"),
            ("503,retry=1", 5, "unknown argument 'retry'; expected retry-after"),
            ("503,retry-after", 16, "expected '=' and seconds, found the end"),
            ("503,retry-after=x", 17, "'x' is not a number of seconds"),
            ("503,retry-after=1,retry-after-date=1", 19, "is one too many"),
            ("drop-104,retry-after=1", 10, "'retry-after' goes with a status only"),
            ("399", 1, "unknown effect '399'"), ("600", 1, "unknown effect '600'"),
            ("everything:503", 1, "unknown scope 'everything'; expected one of any, upload"),
            ("object:forget", 8, "'forget' does not act on object, only on upload, append"),
            ("drop-104; é", 11, "found U+E9"),
        ])
    func `a mistake is named and placed`(text: String, column: Int, message: String) throws {
        let error = try #require(throws: MisbehaviourError.self) {
            try Misbehaviour(parsing: text)
        }
        #expect(error.column == column)
        #expect(error.description.contains(message), "\(error.description)")
        #expect(!error.description.contains("\n"))
    }

    @Test func `there is a most of rules`() throws {
        let rules = Array(repeating: "503", count: Misbehaviour.maximumRules)
        #expect(try Misbehaviour(parsing: rules.joined(separator: ";")).rules.count == rules.count)
        #expect(throws: MisbehaviourError.self) {
            try Misbehaviour(parsing: (rules + ["503"]).joined(separator: ";"))
        }
    }

    @Test func `a diagnostic names the text`() throws {
        let error = try #require(throws: MisbehaviourError.self) {
            try Misbehaviour(parsing: "lose")
        }
        #expect(error.diagnostic(label: "--misbehave").hasPrefix("--misbehave:1: error: 'lose'"))
    }
}
