package import Basics
internal import HTTPWire
internal import ResumableClient

/// The written form of a `TransferDescription`.
package enum DescriptionText {
    package static func json(_ description: TransferDescription) -> JSONObject {
        var object: JSONObject = [
            "kind": .string(description.isUpload ? "upload" : "download"),
            "url": .string(description.address.text),
            "file": .string(description.file),
            "fields": FieldsText.json(description.fields),
            "sha256": description.sha256.map { .string(HexadecimalText.encode($0)) },
            "keepsCoding": .bool(description.keepsCoding),
            "seed": .number(description.seed),
            "notBefore": description.notBefore.map { .number($0) },
            "pathSource": description.pathSource.map { .string($0) },
            "connection": .object(connection(description.connection)),
            "retry": .object(retry(description.retry)),
            "path": .object(path(description.path)),
        ]
        if case .upload(let settings) = description.kind {
            object.append("upload", .object(upload(settings)))
        }
        return object
    }

    private static func connection(_ settings: ConnectionSettings) -> JSONObject {
        [
            "authorities": settings.authorities.map { .string($0) },
            "unverified": .bool(settings.isUnverified),
            "http1": settings.isHTTP1Only ? .bool(true) : nil,
            "unixSocket": settings.unixSocket.map { .string($0) },
        ]
    }

    private static func retry(_ policy: RetryPolicy) -> JSONObject {
        [
            "baseNanoseconds": nanoseconds(policy.base),
            "capNanoseconds": nanoseconds(policy.cap),
            "floorNanoseconds": nanoseconds(policy.floor),
            "failuresWithoutProgress": .number(policy.failuresWithoutProgress),
            "attempts": .number(policy.attempts),
            "deadlineNanoseconds": policy.deadline.map(nanoseconds),
            "longestRetryAfterNanoseconds": nanoseconds(policy.longestRetryAfter),
            "resumesByItself": .bool(policy.resumesByItself),
            "restartsFromZero": .bool(policy.restartsFromZero),
            "strictClientErrors": .bool(policy.strictClientErrors),
            "connectTimeoutNanoseconds": nanoseconds(policy.connectTimeout),
            "idleTimeoutNanoseconds": nanoseconds(policy.idleTimeout),
        ]
    }

    private static func path(_ policy: PathPolicy) -> JSONObject {
        [
            "allowsConstrained": .bool(policy.allowsConstrained),
            "allowsExpensive": .bool(policy.allowsExpensive),
            "movesToBetterPath": .bool(policy.movesToBetterPath),
            "waitsForConnectivity": .bool(policy.waitsForConnectivity),
            "isUserInitiated": .bool(policy.isUserInitiated),
            "isDiscretionary": .bool(policy.isDiscretionary),
            "expectedBytesToSend": policy.expectedBytesToSend.map { .number($0) },
            "expectedBytesToReceive": policy.expectedBytesToReceive.map { .number($0) },
        ]
    }

    private static func upload(_ settings: UploadChoices) -> JSONObject {
        [
            "protocol": .string(ProtocolName.text(settings.choice)),
            "method": .string(settings.method),
            "creation": .string(settings.creation.rawValue),
            "appendSize": settings.appendSize.map { .number($0) },
            "digestsAppends": .bool(settings.digestsAppends),
            "metadata": FieldsText.json(HeaderFields(settings.metadata)),
            "wantsResponse": .bool(settings.wantsResponse),
            "formName": settings.form.map { .string($0.name) },
            "formFields": settings.form.map { FieldsText.json(HeaderFields($0.fields)) },
        ]
    }

    private static func nanoseconds(_ duration: Duration) -> JSONValue {
        .number(duration.nanoseconds)
    }
}

// Reading.

extension DescriptionText {
    package static func parse(_ value: JSONValue?) throws(RecordError) -> TransferDescription {
        let reader = try ObjectReader(value, "the description")
        let address = try reader.url("url")
        let kind: TransferDescription.Kind
        switch try reader.text("kind") {
        case "download": kind = .download
        case "upload": kind = .upload(try upload(try reader.object("upload")))
        default: throw reader.wrong("kind", "'download' or 'upload'")
        }
        var description = TransferDescription(kind, address, file: try reader.text("file"))
        description.fields = try FieldsText.parse(try reader.list("fields"))
        if let text = try reader.optionalText("sha256") {
            guard let digest = HexadecimalText.decode(text), digest.count == 32 else {
                throw reader.wrong("sha256", "64 hexadecimal digits")
            }
            description.sha256 = digest
        }
        description.keepsCoding = try reader.truth("keepsCoding")
        description.seed = try reader.number("seed", UInt64.self)
        description.notBefore = try reader.optionalNumber("notBefore", Int64.self)
        description.pathSource = try reader.optionalText("pathSource")
        description.connection = try connection(try reader.object("connection"))
        description.retry = try retry(try reader.object("retry"))
        description.path = try path(try reader.object("path"))
        return description
    }

    private static func connection(
        _ reader: ObjectReader
    ) throws(RecordError) -> ConnectionSettings {
        var settings = ConnectionSettings()
        settings.authorities = try reader.optionalText("authorities")
        settings.isUnverified = try reader.truth("unverified")
        settings.isHTTP1Only = try reader.truth("http1")
        settings.unixSocket = try reader.optionalText("unixSocket")
        return settings
    }

    private static func retry(_ reader: ObjectReader) throws(RecordError) -> RetryPolicy {
        var policy = RetryPolicy.foreground
        policy.base = try duration("baseNanoseconds", reader)
        policy.cap = try duration("capNanoseconds", reader)
        policy.floor = try duration("floorNanoseconds", reader)
        policy.failuresWithoutProgress = try reader.number("failuresWithoutProgress", Int.self)
        policy.attempts = try reader.number("attempts", Int.self)
        policy.deadline = try reader.optionalNumber("deadlineNanoseconds", Int64.self)
            .map(span)
        policy.longestRetryAfter = try duration("longestRetryAfterNanoseconds", reader)
        policy.resumesByItself = try reader.truth("resumesByItself")
        policy.restartsFromZero = try reader.truth("restartsFromZero")
        policy.strictClientErrors = try reader.truth("strictClientErrors")
        policy.connectTimeout = try duration("connectTimeoutNanoseconds", reader)
        policy.idleTimeout = try duration("idleTimeoutNanoseconds", reader)
        return policy
    }

    private static func duration(
        _ key: String,
        _ reader: ObjectReader
    ) throws(RecordError) -> Duration {
        span(try reader.number(key, Int64.self))
    }

    private static func span(_ nanoseconds: Int64) -> Duration {
        min(max(.zero, .nanoseconds(nanoseconds)), .century)
    }

    private static func path(_ reader: ObjectReader) throws(RecordError) -> PathPolicy {
        var policy = PathPolicy()
        policy.allowsConstrained = try reader.truth("allowsConstrained")
        policy.allowsExpensive = try reader.truth("allowsExpensive")
        policy.movesToBetterPath = try reader.truth("movesToBetterPath")
        policy.waitsForConnectivity = try reader.truth("waitsForConnectivity")
        policy.isUserInitiated = try reader.truth("isUserInitiated")
        policy.isDiscretionary = try reader.truth("isDiscretionary")
        policy.expectedBytesToSend = try reader.optionalNumber("expectedBytesToSend", UInt64.self)
        policy.expectedBytesToReceive = try reader.optionalNumber(
            "expectedBytesToReceive",
            UInt64.self
        )
        return policy
    }

    private static func upload(_ reader: ObjectReader) throws(RecordError) -> UploadChoices {
        var settings = UploadChoices()
        guard let choice = ProtocolName.choice(try reader.text("protocol")) else {
            throw reader.wrong("protocol", "the name of a protocol")
        }
        settings.choice = choice
        settings.method = try reader.text("method")
        guard let creation = UploadPlan.Creation(rawValue: try reader.text("creation")) else {
            throw reader.wrong("creation", "'optimistic', 'careful' or 'discover'")
        }
        settings.creation = creation
        settings.appendSize = try reader.optionalNumber("appendSize", UInt64.self)
        settings.digestsAppends = try reader.truth("digestsAppends")
        settings.metadata = try FieldsText.parse(try reader.list("metadata")).fields
        settings.wantsResponse = try reader.truth("wantsResponse")
        if let name = try reader.optionalText("formName") {
            var form = FormChoice(name)
            form.fields = try FieldsText.parse(try reader.list("formFields")).fields
            settings.form = form
        }
        return settings
    }
}

extension ObjectReader {
    func url(_ key: String) throws(RecordError) -> HTTPURL {
        do throws(HTTPURLError) {
            return try HTTPURL((try? text(key)) ?? "")
        } catch {
            throw wrong(key, "an http or https URL")
        }
    }
}
