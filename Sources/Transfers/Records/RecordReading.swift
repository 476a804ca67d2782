package import Basics
internal import HTTPWire
internal import ResumableClient

extension RecordText {
    /// The record that another process has written; nil for those that no display shows.
    package static func record(_ object: JSONObject) -> TransferRecord? {
        guard let reader = try? ObjectReader(.object(object), "the record"),
            let type = try? reader.text("t")
        else { return nil }
        switch type {
        case "progress": return progress(reader).map { .event(.progress($0)) }
        case "waiting":
            return (try? reader.text("reason")).flatMap { PathWait(rawValue: $0) }
                .map { .event(.waiting($0)) }
        case "resumed": return .event(.resumed)
        case "restarted":
            return (try? reader.text("reason")).flatMap { RestartReason(rawValue: $0) }
                .map { .event(.restarted($0)) }
        case "retrying":
            guard let reason = try? reader.text("reason"),
                let delay = try? reader.number("afterMilliseconds", UInt64.self)
            else { return nil }
            return .event(
                .retrying(after: .milliseconds(clamping: delay), .contradiction(reason))
            )
        case "request": return request(reader).map { .request($0) }
        case "interim":
            guard let status = try? reader.number("status", Int.self),
                let values = try? reader.list("fields"),
                let fields = try? FieldsText.parse(values)
            else { return nil }
            return .event(.interim(status: status, fields: fields))
        case "explain": return (try? reader.text("text")).map { .event(.explanation($0)) }
        default: return nil
        }
    }

    private static func progress(_ reader: ObjectReader) -> TransferProgress? {
        guard let step = try? reader.number("step", UInt64.self) else { return nil }
        var progress = TransferProgress(step: step)
        if let received = try? reader.number("received", UInt64.self) {
            progress.position = received
            progress.acknowledged = received
        } else if let sent = try? reader.number("sent", UInt64.self) {
            progress.position = sent
            progress.acknowledged = (try? reader.number("acked", UInt64.self)) ?? 0
        }
        progress.expected = (try? reader.optionalNumber("expected", UInt64.self)) ?? nil
        return progress
    }

    private static func request(_ reader: ObjectReader) -> RequestNote? {
        guard let ordinal = try? reader.number("n", Int.self),
            let method = try? reader.text("method"), let address = try? reader.url("url")
        else { return nil }
        var body: Range<UInt64>?
        if let from = try? reader.number("from", UInt64.self),
            let to = try? reader.number("to", UInt64.self), from <= to
        {
            body = from..<to
        }
        return RequestNote(
            TransferRequest(
                ordinal: ordinal,
                address: address,
                method: method,
                fields: [:],
                body: body
            )
        )
    }
}
