import HTTPWire
import ResumableServer

@testable import Origin

/// Records as the machine of an upload makes them.
enum SampleRecord {
    /// Of a tus upload of 100 bytes, none of which has come.
    static func ofNewUpload() throws -> UploadRecord {
        let settings = UploadSettings()
        let head = RequestHead(
            "POST",
            "/files/a",
            fields: [
                "Tus-Resumable": "1.0.0", "Upload-Length": "100",
                "Upload-Metadata": "filename YQ==",
            ]
        )
        let place = UploadPlace(target: head.target, settings: settings)
        guard
            case .create(let creation) = UploadRequest(head, to: place, settings: settings, at: 1)
        else { throw UploadRefusal.storeFailed }
        return try UploadResource.create(
            creation,
            identifier: "id",
            exchange: ExchangeID(1),
            settings: settings,
            at: 1
        ).resource.record
    }

    /// The same once some bytes have come.
    static func at(_ offset: UInt64) throws -> UploadRecord {
        var bytes = try UploadRecordFile.bytes(of: ofNewUpload())
        let place = UploadRecordFile.place(offset: offset, sequence: 1)
        bytes.replaceSubrange(0..<place.count, with: place)
        guard let file = UploadRecordFile(bytes) else { throw UploadRefusal.storeFailed }
        return file.record
    }
}
