package import Basics
internal import HTTPWire
package import ResumableClient
package import SystemIO

/// What a transfer that was stopped leaves in a file: what was asked for, and how far it was.
///
/// Never the bytes.
/// One JSON object: `linkcond` is `resume`, `v` is 1, then `description` and `state`. The file can
/// hold credentials and is for its owner only.
package struct ResumeFile: Hashable, Sendable {
    package var description: TransferDescription
    package var data: ResumeData
    /// The boot during which this was written: until the next one, what was written to the partial
    /// file is there, whether or not anybody waited for the disk.
    package var boot: String?
    /// The partial file of a download, whose name may be another file's by now.
    package var partial: FileInformation.Identity?
    /// The SHA-256 of the last bytes of the partial file that the data count as stored; see
    /// `PartialFile.tail(before:)`.
    package var tail: [UInt8]?

    /// The most bytes of such a file.
    package static let sizeLimit = 1 << 20
    private static let version = 1

    package init(_ description: TransferDescription, _ data: ResumeData, boot: String? = nil) {
        self.description = description
        self.data = data
        self.boot = boot
    }

    /// The content of the file.
    package var bytes: [UInt8] {
        let object: JSONObject = [
            "linkcond": .string("resume"),
            "v": .number(Self.version),
            "description": .object(DescriptionText.json(description)),
            "state": .object(Self.state(data)),
            "boot": boot.map { .string($0) },
            "partialDevice": partial.map { .number($0.device) },
            "partialNumber": partial.map { .number($0.number) },
            "partialTail": tail.map { .string(HexadecimalText.encode($0)) },
        ]
        var bytes: [UInt8] = []
        object.write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    /// What is to be shown of it: without credentials.
    package static func state(_ data: ResumeData) -> JSONObject {
        switch data {
        case .download(let download): state(download)
        case .upload(let upload): state(upload)
        }
    }

    private static func state(_ download: DownloadResumption) -> JSONObject {
        var object: JSONObject = [
            "url": .string(download.address.text),
            "finalURL": .string(download.final.text),
            "stored": .number(download.stored),
            "size": download.size.map { .number($0) },
            "contentCoding": download.contentCoding.map { .string($0) },
            "partialFile": .string(download.file),
        ]
        switch download.validator {
        case .etag(let tag): object.append("etag", .string(tag))
        case .lastModified(let date): object.append("lastModified", .string(date))
        }
        return object
    }

    private static func state(_ upload: UploadResumption) -> JSONObject {
        [
            "target": .string(upload.target.text),
            "method": .string(upload.method),
            "resource": .string(upload.resource.text),
            "protocol": .string(ProtocolName.text(upload.dialect)),
            "acknowledged": .number(upload.acknowledged),
            "source": .string(upload.file),
            "sourceSize": .number(upload.source.size),
            "sourceModifiedNanoseconds": upload.source.modified.map { .number($0.nanoseconds) },
            "sourceDigestPrefix": upload.source.digestPrefix.map { .string($0) },
        ]
    }
}

// Reading.

extension ResumeFile {
    /// Reads the content of such a file.
    package init(_ bytes: [UInt8]) throws(RecordError) {
        guard bytes.contains(where: { $0 > 0x20 }) else {
            throw RecordError("the file is empty: there is nothing to go on from")
        }
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONParser.parse(bytes[...])
        } catch {
            throw RecordError("column \(error.column): \(error.description)")
        }
        let reader = try ObjectReader(value, "the file")
        guard (try? reader.text("linkcond")) == "resume" else {
            throw RecordError("this is no resume data of linkcond")
        }
        let version = try reader.number("v", Int.self)
        guard version == Self.version else {
            throw RecordError("version \(version) of resume data is not known; this is version 1")
        }
        description = try DescriptionText.parse(reader.value("description"))
        let state = try reader.object("state")
        data =
            description.isUpload
            ? .upload(try Self.upload(state, description))
            : .download(try Self.download(state, description))
        boot = try reader.optionalText("boot")
        if let device = try reader.optionalNumber("partialDevice", UInt64.self) {
            let number = try reader.number("partialNumber", UInt64.self)
            partial = FileInformation.Identity(device: device, number: number)
        }
        tail = try reader.optionalText("partialTail").flatMap { HexadecimalText.decode($0) }
    }

    private static func download(
        _ reader: ObjectReader,
        _ description: TransferDescription
    ) throws(RecordError) -> DownloadResumption {
        let validator: RangeValidator
        if let tag = try reader.optionalText("etag") {
            guard EntityTag(parsing: tag)?.isWeak == false else {
                throw reader.wrong("etag", "a strong entity tag")
            }
            validator = .etag(tag)
        } else {
            validator = .lastModified(try reader.text("lastModified"))
        }
        let stored = try reader.number("stored", UInt64.self)
        let size = try reader.optionalNumber("size", UInt64.self)
        guard size.map({ stored <= $0 }) ?? true else {
            throw reader.wrong("stored", "at most 'size'")
        }
        return DownloadResumption(
            address: try reader.url("url"),
            final: try reader.url("finalURL"),
            validator: validator,
            stored: stored,
            size: size,
            contentCoding: try reader.optionalText("contentCoding"),
            file: try reader.text("partialFile"),
            fields: description.fields
        )
    }

    private static func upload(
        _ reader: ObjectReader,
        _ description: TransferDescription
    ) throws(RecordError) -> UploadResumption {
        guard let dialect = ProtocolName.dialect(try reader.text("protocol")) else {
            throw reader.wrong("protocol", "the name of a protocol")
        }
        let acknowledged = try reader.number("acknowledged", UInt64.self)
        let size = try reader.number("sourceSize", UInt64.self)
        guard acknowledged <= size else {
            throw reader.wrong("acknowledged", "at most 'sourceSize'")
        }
        return UploadResumption(
            target: try reader.url("target"),
            method: try reader.text("method"),
            resource: try reader.url("resource"),
            dialect: dialect,
            acknowledged: acknowledged,
            source: SourceIdentity(
                size: size,
                modified: try reader.optionalNumber("sourceModifiedNanoseconds", Int64.self)
                    .map(Duration.init),
                digestPrefix: try reader.optionalText("sourceDigestPrefix")
            ),
            file: try reader.text("source"),
            fields: description.fields
        )
    }
}
