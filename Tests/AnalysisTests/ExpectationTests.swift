import Analysis
import Journal
import Testing

@Suite struct ExpectationTests {
    /// One cut, resumed; 1,000 bytes.
    private static func report(
        restarts: Bool = false,
        _ change: (inout Evidence) -> Void = { _ in }
    ) -> RunReport {
        var story = Story()
        story.get(1, delivered: 400, .cut("rst"), at: 0)
        if restarts {
            story.get(2, at: 100)
        } else {
            story.get(2, from: 400, [("If-Range", "\"v1\"")], at: 100)
        }
        story.command(exit: 0, at: 500)
        return story.report {
            $0.oracle = .matches
            change(&$0)
        }
    }

    @Test(arguments: [
        ("pass", Verdict.pass), ("R2", .pass), ("R5", .pass), ("B6", .inconclusive),
        ("exit=0", .pass), ("fail", .fail), ("exit!=0", .fail), ("attempts<=2", .pass),
        ("attempts<2", .fail),
        ("attempts=2", .pass), ("attempts>=2", .pass), ("attempts>2", .fail),
        ("resent<=0B", .pass), ("wire<=1.25", .pass), ("wire<1", .fail), ("resumes>=1", .pass),
        ("time<=500ms", .pass), ("time<0.5s", .fail), ("time<1min30s", .pass),
        ("requests=2", .pass), ("connections<=2", .pass), ("retry-after=honoured", .inconclusive),
        ("result=same", .pass), ("backoff=exponential", .inconclusive),
        ("R2,exit=0,wire<=1.25", .pass), ("R2,B6,exit=1", .fail), ("R2,B6", .inconclusive),
    ])
    func `what is demanded is held to the report`(text: String, verdict: Verdict) throws {
        let expectation = try Expectation(parsing: text)
        #expect(expectation.verdict(of: Self.report()) == verdict)
    }

    @Test(arguments: [
        ("resent<=64KiB", Verdict.pass), ("resent<=399B", .fail), ("resent<=0.4kB", .pass),
        ("wire<=1.25", .fail), ("wire<=1.4", .pass), ("resumes>=1", .fail), ("R1", .pass),
    ])
    func `bytes sent again count`(text: String, verdict: Verdict) throws {
        let report = Self.report(restarts: true)
        #expect(try Expectation(parsing: text).verdict(of: report) == verdict)
    }

    @Test func `each item says what was seen`() throws {
        let expectation = try Expectation(parsing: "attempts<=1,wire<=1.25,B6")
        let outcomes = expectation.outcomes(of: Self.report(restarts: true))
        #expect(outcomes.map(\.item.text) == ["attempts<=1", "wire<=1.25", "B6"])
        #expect(
            outcomes.map(\.words) == [
                "2 tries", "1.40 × the payload", "does not apply: no valid Retry-After",
            ]
        )
    }

    @Test func `a run that proves nothing meets no expectation`() throws {
        let report = Self.report { $0.foreignConnections = 1 }
        #expect(try Expectation(parsing: "exit=0").verdict(of: report) == .inconclusive)
        #expect(try Expectation(parsing: "exit=1").verdict(of: report) == .fail)
    }

    @Test func `what nobody saw is not known`() throws {
        var story = Story()
        story.connect(1, at: 0)
        story.end(1, at: 5)
        for text in ["resent<=5B", "wire<=2", "requests<=5", "resumes>=0", "exit=0"] {
            let outcome = try Expectation(parsing: text).outcomes(of: story.report())
            #expect(outcome.map(\.verdict) == [.inconclusive])
        }
    }

    @Test(arguments: [
        ("", 1, "expected 'pass', a check such as R2, or a limit such as attempts<=5"),
        ("R2,", 4, "expected 'pass', a check such as R2, or a limit such as attempts<=5"),
        ("R2,,B6", 4, "expected 'pass', a check such as R2, or a limit such as attempts<=5"),
        ("attempts", 9, "'attempts' needs a limit, as in attempts<=5"),
        ("R2,resent<=64", 14, "expected a unit: B, kB, MB, GB, KiB, MiB, GiB"),
        ("resent<=64kb", 11, "expected a unit: B, kB, MB, GB, KiB, MiB, GiB"),
        ("time<=5", 7, "'5' has no unit; expected one of ns, us, ms, s, min, h, like 80ms"),
        ("resent<=", 9, "expected a number, as in resent<=64KiB"),
        ("wire<=1.25x", 11, "'wire' has no unit"),
        ("attempts<=1.5", 11, "'attempts' is a whole number"),
        ("exit!0", 5, "expected <=, >=, <, >, = or !="),
        ("backoff=wild", 9, "'backoff' can only be demanded as backoff=exponential"),
        ("backoff", 8, "'backoff' needs a word: backoff=exponential"),
        ("exit=0,atempts<=5", 8, "unknown 'atempts'; did you mean 'attempts'?"),
        ("R12", 1, "unknown 'R12'; did you mean 'R1'?"),
        (" R2", 1, "unknown ' R2'; did you mean 'R2'?"),
    ])
    func `a mistake has its column and what would be right`(
        text: String,
        column: Int,
        description: String
    ) {
        /// Stands for the real one: the first that shares all letters but one.
        func nearest(_ name: String, _ names: [String]) -> String? {
            names.first {
                Set($0).symmetricDifference(name).count <= 1 && $0.count <= name.count + 1
            }
        }
        #expect {
            _ = try Expectation(parsing: text, nearest: nearest)
        } throws: { error in
            let error = error as? ExpectationError
            #expect(error?.description == description)
            return error?.column == column
        }
    }

    @Test func `an unknown name without a near one is told all`() {
        #expect {
            _ = try Expectation(parsing: "zzz")
        } throws: { error in
            (error as? ExpectationError)?.description
                == "unknown 'zzz'; known are pass, fail, R1 to R11, B1 to B12, Q1 to Q5, H1 to H5,"
                + " M1 to M4, G1 to G3, T1 to T2 and"
                + " attempts, connections, exit, metered, requests, resent, resumes, time, wire, backoff,"
                + " jitter, result, retry-after"
        }
    }
}
