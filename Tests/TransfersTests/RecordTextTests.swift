import HTTPWire
import Basics
import ResumableClient
import Testing

@testable import Transfers

/// Records as lines for programs, the figures of a transfer, and how few of many are let through.
@Suite struct RecordTextTests {
    private static func line(_ record: TransferRecord, isUpload: Bool = false) -> String {
        JSONValue.object(RecordText.json(record, isUpload: isUpload, milliseconds: 5)).text
    }

    private static func progress(
        _ position: UInt64,
        step: UInt64 = 0,
        acknowledged: UInt64 = 0
    ) -> TransferRecord {
        .event(
            .progress(
                TransferProgress(
                    step: step,
                    position: position,
                    acknowledged: acknowledged,
                    expected: 9
                )
            )
        )
    }

    @Test func `progress is named by the way the bytes go`() {
        #expect(
            Self.line(Self.progress(3, step: 2))
                == #"{"t":"progress","ms":5,"step":2,"received":3,"expected":9}"#
        )
        #expect(
            Self.line(Self.progress(3, step: 2, acknowledged: 1), isUpload: true)
                == #"{"t":"progress","ms":5,"step":2,"sent":3,"acked":1,"expected":9}"#
        )
    }

    @Test func `S5 a failure says whether it can be resumed, and why not`() {
        let failure = TransferFailure(reason: .gone, resume: .none(.uploadURL))
        let text = Self.line(.ended(.failed(failure)))
        #expect(text.contains(#""t":"failed""#) && text.contains(#""resumeData":null"#))
        #expect(text.contains(#""reason":"upload-url""#))
    }

    @Test func `S15 waiting and its end are records of their own`() {
        #expect(
            Self.line(.event(.waiting(.expensive)))
                == #"{"t":"waiting","ms":5,"reason":"expensive"}"#
        )
        #expect(Self.line(.event(.resumed)) == #"{"t":"resumed","ms":5}"#)
    }

    @Test func `cookies of an answer are not written`() {
        let fields: HeaderFields = ["Set-Cookie": "id=1", "ETag": "\"a\""]
        let text = Self.line(.answer(status: 200, fields: fields, isHTTP2: false))
        #expect(!text.contains("id=1") && text.contains("ETag") && !text.contains("http"))
    }

    @Test func `an answer by HTTP2 says so`() {
        let text = Self.line(.answer(status: 204, fields: [:], isHTTP2: true))
        #expect(text.contains(#""http":"2""#))
    }

    @Test func `bytes that move again count only if they were there already`() {
        var upload = TransferStatistics()
        upload.add(Self.progress(100, step: 100))
        // The cut request was in the kernel's buffer for the most part; the server has 60.
        upload.add(Self.progress(100, acknowledged: 60))
        upload.add(Self.progress(120, step: 60, acknowledged: 60))
        #expect(upload.moved == 160 && upload.repeated == 0)
        upload.add(.event(.restarted(.gone)))
        upload.add(Self.progress(0))
        upload.add(Self.progress(120, step: 120))
        #expect(upload.repeated == 60 && upload.restarts == 1)
        var download = TransferStatistics()
        download.add(Self.progress(100, step: 100, acknowledged: 100))
        download.add(Self.progress(0))
        download.add(Self.progress(120, step: 120, acknowledged: 120))
        #expect(download.moved == 220 && download.repeated == 100)
    }

    @Test func `what a display shows of a record is read back from its line`() throws {
        let request = TransferRequest(
            ordinal: 3,
            address: try HTTPURL("http://a/b"),
            method: "PATCH",
            fields: [:],
            body: 5..<9
        )
        let note = TransferRecord.request(RequestNote(request))
        var progress = [Self.progress(3, step: 2, acknowledged: 1)]
        #expect(
            RecordText.record(RecordText.json(progress[0], isUpload: true, milliseconds: 1))
                == progress[0]
        )
        progress = [Self.progress(3, step: 2, acknowledged: 3)]
        for record in progress + [
            note, .event(.resumed), .event(.waiting(.expensive)), .event(.restarted(.gone)),
            .event(.retrying(after: .milliseconds(7), .contradiction("why"))),
            .event(.interim(status: 104, fields: ["Location": "/u/1"])),
            .event(.explanation("because")),
        ] {
            let object = RecordText.json(record, isUpload: false, milliseconds: 1)
            #expect(RecordText.record(object) == record)
        }
        let far: JSONObject = [
            "t": .string("retrying"), "reason": .string("x"),
            "afterMilliseconds": .number(UInt64.max),
        ]
        #expect(
            RecordText.record(far) == .event(.retrying(after: .century, .contradiction("x")))
        )
        let others: [JSONObject] = [
            [:], ["t": .string("explain")], ["t": .string("interim")], ["t": .number(1)],
            ["t": .string("progress")],
            ["t": .string("waiting"), "reason": .string("x")], ["t": .string("request")],
            ["t": .string("retrying"), "reason": .string("x")],
        ]
        #expect(others.allSatisfy { RecordText.record($0) == nil })
    }

    @Test func `S11 the latest progress comes before any other record`() {
        var throttle = ProgressThrottle(interval: .nanoseconds(100))
        #expect(throttle.admit(Self.progress(1), at: .start).count == 1)
        #expect(throttle.admit(Self.progress(2), at: Instant(nanoseconds: 50)).isEmpty)
        #expect(throttle.admit(Self.progress(3), at: Instant(nanoseconds: 99)).isEmpty)
        let end = TransferRecord.saved("x")
        #expect(throttle.admit(end, at: Instant(nanoseconds: 99)) == [Self.progress(3), end])
        #expect(throttle.admit(end, at: Instant(nanoseconds: 99)) == [end])
        #expect(throttle.admit(Self.progress(4), at: Instant(nanoseconds: 100)).count == 1)
    }

    @Test(arguments: [
        (Duration.zero, UInt64(0)), (.nanoseconds(1), 1), (.milliseconds(7), 7),
        (.microseconds(7_001), 8), (.seconds(-1), 0), (.seconds(3), 3_000),
    ])
    func `a wait is never shortened by rounding`(duration: Duration, milliseconds: UInt64) {
        #expect(duration.milliseconds == milliseconds)
    }
}
