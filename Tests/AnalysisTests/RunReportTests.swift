import Analysis
import Basics
import Journal
import Testing
import TestSupport

@Suite struct RunReportTests {
    private static func sound(_ change: (inout Story) -> Void = { _ in }) -> Story {
        var story = Story()
        story.get(1, delivered: 400, .cut("rst"), at: 0)
        story.get(2, from: 400, [("If-Range", "\"v1\"")], at: 100)
        change(&story)
        story.command(exit: 0, at: 200)
        return story
    }

    @Test func `a sound run with an oracle passes`() {
        let report = Self.sound().report { $0.oracle = .matches }
        #expect(report.verdict == .pass)
        #expect(report.findings.isEmpty)
        #expect(report.doubts.isEmpty)
        #expect(report.checks.map(\.check) == Check.allCases)
        #expect(report.wireRatio == 1)
        #expect(report.tryCount == 2)
        #expect(report.resumeCount == 1)
        #expect(report.duration == .milliseconds(200))
    }

    @Test func `without an oracle nothing is proven`() {
        let report = Self.sound().report()
        #expect(report.verdict == .inconclusive)
        #expect(
            report.reason == "R2, the result is one whole version of the object: not compared"
        )
    }

    @Test func `a wrong result is corrupt whatever else there is`() {
        let report = Self.sound {
            $0.add(.trouble(.latePacing, words: "late"), at: 150)
        }.report { $0.oracle = .differs("at byte 400") }
        #expect(report.verdict == .fail)
        #expect(report.findings.first?.kind == .corrupt)
        #expect(report.reason.hasPrefix("corrupt: "))
    }

    @Test func `a busy machine takes back no verdict`() {
        for trouble in [InternalTrouble.latePacing, .clockStep] {
            let report = Self.sound {
                $0.add(.trouble(trouble, words: "late"), at: 150)
            }.report { $0.oracle = .matches }
            #expect(report.verdict == .pass && report.isDisturbed && !report.isVoid)
        }
    }

    @Test func `that nobody compared is told apart from other doubts`() {
        #expect(Self.sound().report().lacksOnlyComparison)
        let troubled = Self.sound { $0.add(.trouble(.other, words: "a"), at: 150) }.report()
        #expect(!troubled.lacksOnlyComparison)
        #expect(!Self.sound().report { $0.oracle = .matches }.lacksOnlyComparison)
    }

    @Test func `trouble of our own lets nothing be proven`() {
        let report = Self.sound {
            $0.add(.trouble(.descriptorLimit, words: "full"), at: 150)
        }.report { $0.oracle = .matches }
        #expect(report.verdict == .inconclusive)
        #expect(report.isVoid)
    }

    @Test func `an advisory check changes no verdict`() {
        var story = Story()
        story.get(1, size: 1_000_000, delivered: 400_000, .cut("rst"), at: 0)
        story.get(2, size: 1_000_000, at: 100)
        story.command(exit: 0, at: 200)
        let report = story.report { $0.oracle = .matches }
        #expect(report.result(.r1).verdict == .fail)
        #expect(report.verdict == .pass)
    }

    /// Each wrongdoing, and what it is called.
    @Test func `findings have the class of what is wrong, the worst first`() {
        func kinds(_ story: Story, _ change: (inout Evidence) -> Void) -> [Finding.Class] {
            story.report(change).findings.map(\.kind)
        }
        var cut = Story()
        cut.get(1, delivered: 400, .cut("fin"), at: 0)
        #expect(
            kinds(cut) {
                $0.oracle = .missing; $0.exitCode = 0
            } == [.dishonest, .dishonest]
        )
        #expect(
            kinds(cut) {
                $0.exitCode = 1; $0.mustSucceed = true
            } == [.giveup]
        )
        #expect(
            kinds(cut) {
                $0.exitCode = 139; $0.signal = 11; $0.mustSucceed = true
            } == [.crash]
        )
        #expect(
            kinds(cut) {
                $0.exitCode = 1; $0.leftCompleteFile = true
            } == [.dishonest]
        )
        #expect(kinds(cut) { $0.isTimedOut = true } == [.hang])
        #expect(
            kinds(cut) {
                $0.isTimedOut = true; $0.mustSucceed = true; $0.exitCode = 137
            } == [.hang]
        )
        var many = Story()
        for number in 1...3 { many.refuse(number, status: 404, at: number * 1_000) }
        #expect(
            kinds(many) {
                $0.maximumTries = 2; $0.exitCode = 1
            } == [.waste, .waste]
        )
    }

    @Test func `a client is still retrying between two of a few tries`() {
        func isRetrying(_ tries: [Int], end: Int) -> Bool {
            var story = Story()
            for (index, time) in tries.enumerated() {
                story.get(index + 1, delivered: 0, .cut("fin"), at: time)
            }
            story.command(exit: nil, isTimedOut: true, at: end)
            return story.report().isStillRetrying
        }
        #expect(isRetrying([0, 1_000, 3_000, 7_000], end: 14_000))
        // Silent for much longer than ever before.
        #expect(!isRetrying([0, 1_000, 3_000], end: 14_000))
        #expect(!isRetrying([0], end: 14_000))
        #expect(isRetrying((0..<21).map { $0 * 100 }, end: 2_100))
        // B5 says that these are too many.
        #expect(isRetrying((0..<22).map { $0 * 100 }, end: 2_200))
    }

    @Test func `too many tries are told before the deadline that ended them`() {
        func reason(_ tries: Int) -> String? {
            var story = Story()
            for index in 0..<tries {
                story.get(index + 1, delivered: 0, .cut("fin"), at: index * 100)
            }
            story.command(exit: nil, isTimedOut: true, at: tries * 100)
            return story.report().checks.first { $0.check == .b5 }?.reason
        }
        #expect(reason(5) == "deadline")
        #expect(reason(30) == "too-many-tries")
    }

    /// The last step at `last` ms, and the deadline at `end`.
    @Test func `a client progresses as long as its steps go on`() {
        func isProgressing(steps: Int, every pause: Int, end: Int, delivered: Int = 1) -> Bool {
            var story = Story()
            for step in 0..<steps {
                story.get(
                    step + 1,
                    from: step == 0 ? nil : step * delivered,
                    delivered: delivered,
                    .cut("fin"),
                    at: step * pause
                )
            }
            story.command(exit: nil, isTimedOut: true, at: end)
            return story.report().isStillProgressing
        }
        #expect(isProgressing(steps: 5, every: 1_000, end: 5_000))
        #expect(!isProgressing(steps: 2, every: 1_000, end: 2_000))
        // Silent for longer than ever before.
        #expect(!isProgressing(steps: 5, every: 1_000, end: 9_000))
        #expect(!isProgressing(steps: 5, every: 1_000, end: 5_000, delivered: 0))
    }

    @Test func `a POST that may have acted may be left alone`() {
        let url: Story.Fields = [("Location", "/u/1")]
        func isUnsafe(
            _ method: String = "POST",
            _ fields: Story.Fields = [],
            interim: Story.Fields? = nil,
            status: Int? = nil,
            again: Bool = false
        ) -> Bool {
            var story = Story()
            for number in 1...(again ? 2 : 1) {
                story.send(
                    number,
                    method,
                    "/f",
                    fields,
                    length: 100,
                    interim: interim,
                    status: number == 2 ? 201 : status,
                    status == nil && number == 1 ? .cut("rst") : .whole,
                    at: number * 100
                )
            }
            return story.report().endsWithUnsafeRequest
        }
        #expect(isUnsafe())
        #expect(!isUnsafe("PUT"))
        #expect(!isUnsafe("POST", [("Idempotency-Key", "k")]))
        #expect(!isUnsafe(status: 503))
        #expect(!isUnsafe(status: 201))
        #expect(!isUnsafe(again: true))
        // A client that asked for a place to go on from knows it; another has heard nothing.
        #expect(!isUnsafe("POST", [("Upload-Complete", "?1")], interim: url))
        #expect(isUnsafe(interim: url))
    }

    @Test func `a report goes back into the journal`() {
        let result = Self.sound().report().result(.r2)
        #expect(
            result.report
                == VerdictReport(
                    check: "R2",
                    .inconclusive,
                    observed: "not compared",
                    limit: "byte for byte one whole version",
                    reason: "no-oracle"
                )
        )
    }

    @Test func `runs with other seeds are judged together`() {
        func runs(_ factor: Int) -> [RunReport] {
            (0..<8).map { seed in
                var story = Story()
                var time = 0
                for index in 0..<4 {
                    story.get(index + 1, delivered: 0, .cut("rst"), at: time)
                    let base = factor == 1 ? 1_000 : 500 << index
                    time += 20 + base * (8 + seed) / 10
                }
                return story.report()
            }
        }
        let growing = RunReport.compare(runs(2))
        #expect(growing.map(\.check) == [.b1, .b4])
        #expect(growing.map(\.verdict) == [.pass, .pass])
        #expect(RunReport.compare(runs(1)).first?.verdict == .fail)
        #expect(RunReport.compare(Array(runs(2).dropLast())).isEmpty)
    }

    /// Whatever a journal says, a report comes of it.
    @Test func `senseless numbers do no harm`() {
        let most = UInt64.max
        var numbers = SeededRandom(seed: 12)
        for _ in 0..<300 {
            var story = Story()
            for step in 0..<Int.random(in: 1..<30, using: &numbers) {
                let id = ExchangeID(
                    ConnectionID(ordinal: UInt32.random(in: 1..<4, using: &numbers)),
                    ordinal: UInt32.random(in: 1..<3, using: &numbers)
                )
                let values: [UInt64] = [0, 1, 500, 1 << 53, most - 1, most]
                let value = values.randomElement(using: &numbers) ?? 0
                let fields = ReportedFields(
                    [
                        (name: "Upload-Offset", value: "\(value)"),
                        (name: "Upload-Length", value: "\(value)"),
                        (name: "Content-Range", value: "bytes \(value / 4)-\(value / 2)/\(value)"),
                        (name: "Range", value: "bytes=\(value)-"),
                        (name: "Retry-After", value: "\(value)"),
                        (name: "Location", value: "/u/\(value)"),
                        (name: "Content-Length", value: "\(value)"),
                    ].shuffled(using: &numbers).prefix(4)
                )
                let method = ["GET", "HEAD", "POST", "PATCH", "DELETE"].randomElement(
                    using: &numbers
                )
                let status =
                    [104, 200, 201, 206, 302, 404, 409, 416, 503]
                    .randomElement(using: &numbers) ?? 200
                let records: [JournalRecord] = [
                    .connection(id.connection, environment: [:]),
                    .request(
                        RequestReport(
                            id,
                            method: method ?? "GET",
                            target: ["/f", "/u/1"][step % 2],
                            framing: .length(value),
                            headBytes: value,
                            fields: fields
                        )
                    ),
                    .response(
                        ResponseReport(
                            id,
                            status: status,
                            framing: .length(value),
                            headBytes: 1,
                            fields: fields,
                            interimOrdinal: status == 104 ? 1 : nil
                        )
                    ),
                    .body(
                        BodyReport(
                            id,
                            step % 3 == 0 ? .request : .response,
                            bytes: value,
                            isComplete: value % 2 == 0
                        )
                    ),
                    .fault(
                        FaultReport(
                            connection: id.connection,
                            request: id.ordinal,
                            id: "x",
                            address: "y",
                            effect: ["rst", "hole", "refuse(2)"][step % 3],
                            state: .fired,
                            offset: value
                        )
                    ),
                    .connectionEnd(
                        ConnectionEnd(
                            connection: id.connection,
                            by: .client,
                            how: .fin,
                            down: .init(bytes: value, isExact: true),
                            up: .init(bytes: value, isExact: true)
                        )
                    ),
                ]
                if let record = records.randomElement(using: &numbers) {
                    story.add(record, at: step * Int.random(in: 0..<3, using: &numbers))
                }
            }
            let report = story.report {
                $0.oracle = .matches; $0.exitCode = 0
            }
            #expect(report.checks.count == Check.allCases.count)
            for transfer in report.transfers {
                #expect(
                    zip(transfer.gaps, transfer.gaps.dropFirst()).allSatisfy {
                        $0.next <= $1.failed
                    }
                )
            }
        }
    }

    @Test func `a download that a fault corrupted is known for it, and the one after it is not`() {
        var story = Story()
        story.connect(1, at: 0)
        for (ordinal, target) in [(1, "/a"), (2, "/b")] {
            let time = ordinal * 100
            story.request(1, r: ordinal, "GET", target, at: time)
            story.respond(1, r: ordinal, 200, framing: .length(500), at: time + 1)
            if ordinal == 1 { story.fault(1, r: nil, "corrupt(2)", at: time + 2) }
            story.body(1, r: ordinal, .response, 500, at: time + 3)
        }
        story.end(1, at: 900)
        let report = story.report()
        #expect(report.transfers.map(\.isComplete) == [true, true])
        #expect(report.transfers.map(report.isCorrupted) == [true, false])
    }
}
