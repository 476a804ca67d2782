internal import Basics
internal import HTTPWire
internal import Journal
internal import ResumableServer

/// The JSON of an upload's record.
enum UploadRecordText {
    static func json(_ record: UploadRecord) -> JSONObject {
        [
            "identifier": .string(record.identifier),
            "dialect": .string(record.dialect.description),
            "location": .string(record.location),
            "origin": .object(origin(record.origin)),
            "offset": .number(record.offset),
            "length": record.length.map { .number($0) },
            "state": state(record.state),
            "endsAt": record.endsAt.map { .number($0) },
            "forwarded": record.isForwarded ? .bool(true) : nil,
        ]
    }

    private static func origin(_ origin: UploadOrigin) -> JSONObject {
        [
            "method": .string(origin.method),
            "target": .string(origin.target),
            "contentType": origin.contentType.map { .string($0) },
            "contentEncoding": origin.contentEncoding.map { .string($0) },
            "metadata": origin.metadata.map { .string($0) },
            "concatenation": origin.concatenation.map(concatenation),
            "digests": .array(origin.digests.map(digest)),
            "wantedDigest": origin.wantedDigest.map { .string($0.rawValue) },
            "fields": origin.fields.isEmpty ? nil : fields(origin.fields),
        ]
    }

    private static func fields(_ fields: HeaderFields) -> JSONValue {
        .array(fields.fields.map { .array([.string($0.name), .string($0.value)]) })
    }

    private static func concatenation(_ concatenation: TusConcatenation) -> JSONValue {
        switch concatenation {
        case .partial: tagged("partial")
        case .final(let field, let parts):
            tagged(
                "final",
                ["field": .string(field), "parts": .array(parts.map { .string($0) })]
            )
        }
    }

    private static func digest(_ digest: ExpectedDigest) -> JSONValue {
        let object: JSONObject = [
            "algorithm": .string(digest.algorithm.rawValue), "value": bytes(digest.value),
        ]
        return .object(object)
    }

    private static func state(_ state: UploadState) -> JSONValue {
        guard case .complete(let answer) = state else { return tagged(state.name) }
        let object: JSONObject = [
            "status": .number(answer.status),
            "fields": fields(answer.fields),
            "body": bytes(answer.body),
        ]
        return tagged(state.name, ["_0": .object(object)])
    }

    /// One of several cases: an object with one member, named for the case.
    private static func tagged(_ name: String, _ values: JSONObject = [:]) -> JSONValue {
        var object = JSONObject()
        object.append(name, .object(values))
        return .object(object)
    }

    private static func bytes(_ bytes: [UInt8]) -> JSONValue { .array(bytes.map { .number($0) }) }
}

// Reading.

extension UploadRecordText {
    /// Reads a record; `offset` counts instead of the one in `value`.
    static func parse(_ value: JSONValue, offset: UInt64) throws(RecordError) -> UploadRecord {
        let reader = try ObjectReader(value, "the record")
        guard let dialect = UploadProtocol(try reader.text("dialect")) else {
            throw reader.wrong("dialect", "the name of an upload protocol")
        }
        return UploadRecord(
            identifier: try reader.text("identifier"),
            dialect: dialect,
            location: try reader.text("location"),
            origin: try origin(try reader.object("origin")),
            offset: offset,
            length: try reader.optionalNumber("length", UInt64.self),
            state: try state(try reader.object("state")),
            endsAt: try reader.optionalNumber("endsAt", Int.self),
            isForwarded: reader.value("forwarded") == .bool(true)
        )
    }

    private static func origin(_ reader: ObjectReader) throws(RecordError) -> UploadOrigin {
        var origin = UploadOrigin(
            method: try reader.text("method"),
            target: try reader.text("target")
        )
        origin.contentType = try reader.optionalText("contentType")
        origin.contentEncoding = try reader.optionalText("contentEncoding")
        origin.metadata = try reader.optionalText("metadata")
        if reader.value("concatenation") != nil {
            origin.concatenation = try concatenation(try reader.object("concatenation"))
        }
        for value in try reader.list("digests") {
            let digest = try ObjectReader(value, "a digest")
            let algorithm = try algorithm(try digest.text("algorithm"), digest, "algorithm")
            origin.digests.append(ExpectedDigest(algorithm, try digest.bytes("value")))
        }
        if let wanted = try reader.optionalText("wantedDigest") {
            origin.wantedDigest = try algorithm(wanted, reader, "wantedDigest")
        }
        if reader.value("fields") != nil { origin.fields = try fields(reader) }
        return origin
    }

    private static func algorithm(
        _ name: String,
        _ reader: ObjectReader,
        _ key: String
    ) throws(RecordError) -> DigestAlgorithm {
        guard let algorithm = DigestAlgorithm(rawValue: name) else {
            throw reader.wrong(key, "the name of a digest")
        }
        return algorithm
    }

    private static func concatenation(
        _ reader: ObjectReader
    ) throws(RecordError) -> TusConcatenation {
        if reader.value("partial") != nil { return .partial }
        let final = try reader.object("final")
        var parts: [String] = []
        for part in try final.list("parts") {
            guard case .string(let text) = part else { throw final.wrong("parts", "texts") }
            parts.append(text)
        }
        return .final(field: try final.text("field"), parts: parts)
    }

    private static func state(_ reader: ObjectReader) throws(RecordError) -> UploadState {
        for state in [UploadState.active, .finalising, .cancelled, .expired, .invalid, .gone]
        where reader.value(state.name) != nil {
            return state
        }
        let answer = try reader.object("complete").object("_0")
        return .complete(
            StoredAnswer(
                try answer.number("status", Int.self),
                try fields(answer),
                body: try answer.bytes("body")
            )
        )
    }

    private static func fields(_ reader: ObjectReader) throws(RecordError) -> HeaderFields {
        var fields = HeaderFields()
        for value in try reader.list("fields") {
            guard case .array(let pair) = value, pair.count == 2, case .string(let name) = pair[0],
                case .string(let text) = pair[1]
            else { throw reader.wrong("fields", "pairs of name and value") }
            fields.add(name, text)
        }
        return fields
    }
}

extension UploadState {
    /// As records and the state of the origin name it.
    var name: String {
        switch self {
        case .active: "active"
        case .finalising: "finalising"
        case .complete: "complete"
        case .cancelled: "cancelled"
        case .expired: "expired"
        case .invalid: "invalid"
        case .gone: "gone"
        }
    }
}
