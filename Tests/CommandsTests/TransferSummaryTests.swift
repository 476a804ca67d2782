import Basics
import HTTPWire
import ResumableClient
import Testing
import Transfers

@testable import Arguments
@testable import Commands

/// The last line of a transfer, its exit code, and the lines before it.
@Suite struct TransferSummaryTests {
    private static func summary(
        _ ending: TransferEnding,
        resumeFile: String? = "a b.resume"
    ) throws -> TransferSummary {
        TransferSummary(
            description: TransferDescription(.download, try HTTPURL("http://h/a"), file: "a b"),
            statistics: TransferStatistics(),
            ending: ending,
            elapsed: .milliseconds(1_500),
            resumeFile: resumeFile
        )
    }

    private static func data() throws -> ResumeOutcome {
        let address = try HTTPURL("http://h/a")
        return .data(
            .download(
                DownloadResumption(
                    address: address,
                    final: address,
                    validator: .etag("\"x\""),
                    stored: 5,
                    size: 9,
                    contentCoding: nil,
                    file: "a b.part",
                    fields: [:]
                )
            )
        )
    }

    @Test func `S5 what can be resumed says how, with exit code 75`() throws {
        let failure = TransferFailure(
            reason: .gaveUp(.notRetried(.status(503))),
            resume: try Self.data()
        )
        let summary = try Self.summary(.failed(failure))
        #expect(summary.exitCode == .resumable)
        #expect(
            summary.line
                == "a b: the server answered 503; resume with: linkcond download --resume"
                + " 'a b.resume'"
        )
        #expect(summary.json["t"] == .string("failed"))
        #expect(summary.json["resumeFile"] == .string("a b.resume"))
    }

    @Test func `what cannot be resumed says why, with exit code 1`() throws {
        for reason in NotResumable.allCases {
            let failure = TransferFailure(reason: .cancelled, resume: .none(reason))
            let summary = try Self.summary(.failed(failure))
            #expect(summary.exitCode == .findings)
            #expect(summary.line.contains("not resumable ("))
        }
    }

    @Test(arguments: [
        (FileProblem.cannotCreate, ExitCode.cannotCreate), (.cannotWrite, .writeError),
        (.cannotRead, .inputMissing), (.cannotRestart, .findings),
    ])
    func `a file that cannot be used ends with the code for what could not be done`(
        problem: FileProblem,
        code: ExitCode
    ) throws {
        let reason = TransferFailure.Reason.storage("cannot", problem)
        let failed = TransferFailure(reason: reason, resume: .none(.final))
        #expect(try Self.summary(.failed(failed)).exitCode == code)
        let resumable = TransferFailure(reason: reason, resume: try Self.data())
        #expect(try Self.summary(.failed(resumable)).exitCode == .resumable)
    }

    @Test(arguments: [
        (TransferDescription.Kind.upload(UploadChoices()), "standard input"),
        (.download, "standard output"),
    ])
    func `what has no name is called what it is`(
        kind: TransferDescription.Kind,
        name: String
    ) throws {
        var summary = try Self.summary(.paused(.none(.method)))
        summary.description = TransferDescription(kind, try HTTPURL("http://h/a"), file: "-")
        #expect(summary.line.hasPrefix("\(name): stopped"))
    }

    @Test func `a server that was never reached is unavailable, once is not counted as many`()
        throws
    {
        for last in TransportFailure.allCases {
            let failure = TransferFailure(
                reason: .gaveUp(.noProgress(failures: 1, last: .transport(last))),
                resume: .none(.partialFile)
            )
            let isAway = [.refused, .unknownHost, .notConnected, .connectTimeout].contains(last)
            let summary = try Self.summary(.failed(failure))
            #expect(summary.exitCode == (isAway ? .unavailable : .findings), "\(last)")
            #expect(summary.line.contains(": 1 failure, and no more were allowed: "))
        }
        let words = TransportFailure.allCases.map { AttemptFailure.transport($0).description }
        #expect(Set(words).count == words.count)
        let resumable = TransferFailure(
            reason: .gaveUp(.noProgress(failures: 2, last: .transport(.refused))),
            resume: try Self.data()
        )
        #expect(try Self.summary(.failed(resumable)).exitCode == .resumable)
        let coded = TransferFailure(reason: .coded("gzip"), resume: .none(.final))
        #expect(try Self.summary(.failed(coded)).line.contains("(gzip), "))
        #expect(try Self.summary(.failed(coded)).line.contains("; --keep-coding stores it so"))
    }

    @Test func `the log explains only if asked, and always tells of restarts and waits`() throws {
        let calm = TransferLog()
        let wordy = TransferLog(explains: true, showsInterim: false)
        let request = TransferRequest(
            ordinal: 1,
            address: try HTTPURL("http://h/a"),
            method: "PATCH",
            fields: [:],
            body: 5..<9
        )
        let record = TransferRecord.request(RequestNote(request))
        #expect(calm.line(record) == nil)
        #expect(wordy.line(record) == "PATCH http://h/a, bytes 5-8")
        #expect(
            wordy.line(.answer(status: 206, fields: ["etag": "\"x\"", "X": "y"], isHTTP2: false))
                == "answer 206, etag: \"x\""
        )
        #expect(
            wordy.line(.answer(status: 204, fields: [:], isHTTP2: true)) == "answer 204 by HTTP/2"
        )
        for reason in RestartReason.allCases {
            #expect(calm.line(.event(.restarted(reason)))?.hasPrefix("beginning again") == true)
        }
        for wait in PathWait.allCases {
            #expect(calm.line(.event(.waiting(wait)))?.hasPrefix("waiting") == true)
        }
        let interim = TransferRecord.event(.interim(status: 104, fields: ["Location": "/u"]))
        #expect(calm.line(interim) == nil)
        #expect(
            TransferLog(explains: false, showsInterim: true).line(interim)
                == "interim 104, Location: /u"
        )
    }

    @Test func `the list of background transfers is a table`() throws {
        let state = BackgroundState(
            [["t": .string("waiting"), "reason": .string("expensive")]],
            isWorkerAlive: true
        )
        let row = BackgroundRow(
            identifier: "night",
            state: state,
            description: TransferDescription(.download, try HTTPURL("http://h/a"), file: "/x/a")
        )
        #expect(
            BackgroundRow.table([row], width: 200) == [
                "ID     STATE                BYTES  WHAT",
                "night  waiting (expensive)  0 B    /x/a from http://h/a",
            ]
        )
        #expect(row.json["state"] == .string("waiting"))
    }
}
