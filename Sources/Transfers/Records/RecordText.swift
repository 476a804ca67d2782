package import Basics
internal import HTTPWire
internal import ResumableClient

/// Records as JSON objects, one for each line: `t` says what it is, `ms` when, from the start.
package enum RecordText {
    package static func json(
        _ record: TransferRecord,
        isUpload: Bool,
        milliseconds: UInt64
    ) -> JSONObject {
        var object = JSONObject()
        let body = body(record, isUpload: isUpload)
        object.append("t", .string(body.name))
        object.append("ms", .number(milliseconds))
        for member in body.members.members { object.append(member.key, member.value) }
        return object
    }

    private struct Body {
        var name: String
        var members: JSONObject = [:]
    }

    private static func body(_ record: TransferRecord, isUpload: Bool) -> Body {
        switch record {
        case .started(let start): started(start)
        case .request(let note): request(note)
        case .answer(let status, let fields, let isHTTP2): answer(status, fields, isHTTP2)
        case .event(.progress(let progress)): self.progress(progress, isUpload: isUpload)
        case .event(let event): self.event(event)
        case .saved(let file): Body(name: "saved", members: ["file": .string(file)])
        case .ended(let ending): ended(ending)
        }
    }

    private static func started(_ start: TransferStart) -> Body {
        let description = start.description
        var members: JSONObject = [
            "kind": .string(description.isUpload ? "upload" : "download"),
            "url": .string(description.address.text),
            "file": .string(description.file),
            "seed": .number(description.seed),
            "resuming": start.resuming.map { .object(ResumeFile.state($0)) },
            "startsOver": start.startsOver.map { .string($0) },
        ]
        if case .upload(let settings) = description.kind {
            members.append("protocol", .string(ProtocolName.text(settings.choice)))
        }
        return Body(name: "started", members: members)
    }

    private static func answer(_ status: Int, _ fields: HeaderFields, _ isHTTP2: Bool) -> Body {
        var body = Body(name: "answer", members: message(status, fields))
        if isHTTP2 { body.members.append("http", .string("2")) }
        return body
    }

    private static func request(_ note: RequestNote) -> Body {
        Body(
            name: "request",
            members: [
                "n": .number(note.ordinal),
                "method": .string(note.method),
                "url": .string(note.address.text),
                "range": note.range.map { .string($0) },
                "from": note.body.map { .number($0.lowerBound) },
                "to": note.body.map { .number($0.upperBound) },
            ]
        )
    }

    private static func message(_ status: Int, _ fields: HeaderFields) -> JSONObject {
        ["status": .number(status), "fields": FieldsText.json(Self.shown(fields))]
    }

    /// Fields without what may be secret.
    private static func shown(_ fields: HeaderFields) -> HeaderFields {
        var fields = fields
        for name in ["Set-Cookie", "Authorization", "WWW-Authenticate", "Cookie"]
        where fields.contains(name) {
            fields[name] = "…"
        }
        return fields
    }

    private static func event(_ event: TransferEvent) -> Body {
        switch event {
        case .interim(let status, let fields):
            Body(name: "interim", members: message(status, fields))
        case .progress(let progress): self.progress(progress, isUpload: false)
        case .waiting(let wait):
            Body(name: "waiting", members: ["reason": .string(wait.rawValue)])
        case .resumed: Body(name: "resumed")
        case .retrying(let delay, let failure):
            Body(
                name: "retrying",
                members: [
                    "afterMilliseconds": .number(delay.milliseconds),
                    "reason": .string(failure.description),
                ]
            )
        case .restarted(let reason):
            Body(name: "restarted", members: ["reason": .string(reason.rawValue)])
        case .explanation(let text): Body(name: "explain", members: ["text": .string(text)])
        }
    }

    private static func progress(_ progress: TransferProgress, isUpload: Bool) -> Body {
        var members: JSONObject = ["step": .number(progress.step)]
        members.append(isUpload ? "sent" : "received", .number(progress.position))
        if isUpload { members.append("acked", .number(progress.acknowledged)) }
        members.append("expected", progress.expected.map { .number($0) } ?? .null)
        return Body(name: "progress", members: members)
    }

    private static func ended(_ ending: TransferEnding) -> Body {
        switch ending {
        case .finished(let result):
            return Body(
                name: "finished",
                members: [
                    "status": result.status.map { .number($0) } ?? .null,
                    "size": .number(result.size),
                    "url": .string(result.address.text),
                    "lengthProven": .bool(result.isLengthProven),
                    "digestVerified": .bool(result.isDigestVerified),
                    "restarts": .number(result.restarts),
                ]
            )
        case .failed(let failure):
            var members: JSONObject = ["error": .string(failure.description)]
            append(failure.resume, to: &members)
            return Body(name: "failed", members: members)
        case .paused(let outcome):
            var members = JSONObject()
            append(outcome, to: &members)
            return Body(name: "paused", members: members)
        }
    }

    private static func append(_ outcome: ResumeOutcome, to members: inout JSONObject) {
        switch outcome {
        case .data(let data): members.append("resumeData", .object(ResumeFile.state(data)))
        case .none(let reason):
            members.append("resumeData", .null)
            members.append("reason", .string(reason.rawValue))
        }
    }
}

extension Duration {
    /// Whole milliseconds, rounded up; 0 for a negative one.
    package var milliseconds: UInt64 { (clampedNanoseconds + 999_999) / 1_000_000 }
}
