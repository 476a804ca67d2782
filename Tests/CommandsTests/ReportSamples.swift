import Basics
import Analysis
import Journal

@testable import Commands

/// Judged runs for the tests of what is made of them.
enum ReportSamples {
    /// A download of so many attempts, each cut after a tenth of the object, with a hostile name.
    static func run(
        attempts: Int = 3,
        name: String = "run.jsonl",
        target: String = "/big.bin",
        restarts: Bool = false,
        isConditional: Bool = true,
        demands: String? = nil,
        changes: [(at: Int, record: JournalRecord)] = [],
        oracle: Evidence.Oracle = .unknown
    ) throws -> JudgedRun {
        var records: [Timed<JournalRecord>] = []
        var waiting = changes[...]
        func add(_ record: JournalRecord, _ milliseconds: Int) {
            while let next = waiting.first, next.at <= milliseconds {
                waiting.removeFirst()
                add(next.record, next.at)
            }
            records.append(
                Timed(
                    record,
                    line: records.count + 1,
                    at: .start + .milliseconds(Int64(milliseconds))
                )
            )
        }
        let size = max(1_000, attempts * 100)
        add(.start(start), 0)
        for number in 0..<attempts {
            let id = ExchangeID(ConnectionID(ordinal: UInt32(number + 1)), ordinal: 1)
            let begin = restarts ? 0 : number * 100
            let time = number * 1_000
            add(.connection(id.connection, environment: [:]), time)
            let range =
                [(name: "Range", value: "bytes=\(begin)-")]
                + (isConditional ? [(name: "If-Range", value: "\"a\"")] : [])
            add(
                .request(
                    RequestReport(
                        id,
                        method: "GET",
                        target: target,
                        framing: .none,
                        headBytes: 80,
                        fields: ReportedFields(begin > 0 ? range : [])
                    )
                ),
                time + 1
            )
            let part = (name: "Content-Range", value: "bytes \(begin)-\(size - 1)/\(size)")
            add(
                .response(
                    ResponseReport(
                        id,
                        status: begin > 0 ? 206 : 200,
                        framing: .length(UInt64(size - begin)),
                        headBytes: 80,
                        fields: ReportedFields(
                            [(name: "ETag", value: "\"a\"")]
                                + (begin > 0
                                    ? [part] : [(name: "Content-Length", value: "\(size)")])
                        )
                    )
                ),
                time + 10
            )
            add(.body(BodyReport(id, .response, bytes: 100, isComplete: false)), time + 20)
            add(
                .fault(
                    FaultReport(
                        connection: id.connection,
                        request: 1,
                        id: "c*/r1:resp.body+100=rst",
                        address: "resp.body+100",
                        effect: "rst",
                        state: .fired,
                        offset: 100
                    )
                ),
                time + 20
            )
        }
        add(.command(CommandReport(["cl<i>ent"], exitCode: 1)), attempts * 1_000)
        var evidence = Evidence()
        evidence.oracle = oracle
        return JudgedRun(
            name: name,
            report: RunReport(records, evidence: evidence),
            expectation: try demands.map { try Expectation(parsing: $0) },
            truncatedBytes: 0
        )
    }

    private static let start = RunStart(
        tool: "linkcond 0.1.0",
        command: "run",
        seed: 7,
        schedule: "lc1;seed=7;c*/r1:resp.body+100=rst",
        profile: "lte",
        profileDigest: "",
        environment: [:]
    )
}
