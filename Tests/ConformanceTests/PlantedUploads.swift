@testable import Conformance
import HTTPWire

/// Takes uploads of any dialect, but for one mistake.
final class PlantedUploads {
    /// What is wrong, by the number of the check that has to find it.
    let mistake: Int
    let isTus: Bool
    private var uploads: [String: (offset: Int, length: Int?, isComplete: Bool)] = [:]
    private var count = 0

    static let place = UploadPlace(PlantedDownloads.url, [:])
    static let extensions: Set<String> = [
        "termination", "creation-with-upload", "creation-defer-length", "checksum", "concatenation",
    ]

    init(mistake: Int = 0, isTus: Bool = false) {
        self.mistake = mistake
        self.isTus = isTus
    }

    func respond(_ request: ProbeRequest) -> ProbeReply {
        let isOverridden = request.fields["X-HTTP-Method-Override"] == "PATCH" && mistake != 13
        switch isOverridden ? "PATCH" : request.method {
        case "POST": return create(request)
        case "HEAD": return head(request)
        case "PATCH": return append(request)
        default: return cancel(request)
        }
    }

    // MARK: Creation

    private func create(_ request: ProbeRequest) -> ProbeReply {
        let fields = request.fields
        if let refusal = refusal(ofCreation: fields) { return refusal }
        count += 1
        let name = "/files/\(count)"
        let partials = fields["Upload-Concat"].map { $0.split(separator: " ").count } ?? 0
        let length =
            partials > 1
            ? partials * UploadRequests.length - (mistake == 25 ? 1 : 0)
            : fields["Upload-Length"].flatMap { Int($0) }
        let isWithout = isTus && mistake == 21
        let taken = isWithout ? 0 : request.interruption?.bytes ?? request.body.count
        let isCut = request.interruption != nil
        uploads[name] = (taken, length, !isCut && isLast(fields))
        var reply = ProbeReply(
            201,
            ["Location": name, "Tus-Resumable": "1.0.0", "Upload-Offset": "\(taken)"]
        )
        if mistake == 1 { reply.fields.remove("Location") }
        if mistake == 2, !isTus, isLast(fields) { reply.status = 500 }
        guard isCut else { return reply }
        var announced = ProbeReply()
        if mistake != 11 {
            announced.interims = [
                ResponseHead(104, fields: ["Location": name])
            ]
        }
        if mistake == 12 { uploads[name] = nil }
        return announced
    }

    private func refusal(ofCreation fields: HeaderFields) -> ProbeReply? {
        guard isTus else { return nil }
        if fields["Upload-Length"] == "1000001" { return mistake == 26 ? nil : ProbeReply(413) }
        let hasLength = ["Upload-Length", "Upload-Defer-Length", "Upload-Concat"].contains {
            fields.contains($0)
        }
        return hasLength || mistake == 2 ? nil : ProbeReply(400)
    }

    private func isLast(_ fields: HeaderFields) -> Bool {
        fields["Upload-Complete"] == "?1" || fields["Upload-Incomplete"] == "?0"
    }

    // MARK: Offset

    private func head(_ request: ProbeRequest) -> ProbeReply {
        guard let upload = uploads[request.url.target] else {
            let isNotFound = mistake == 5 && request.url.target.hasSuffix("none")
            return isNotFound ? ProbeReply(200, ["Upload-Offset": "0"]) : ProbeReply(404)
        }
        var offset = upload.offset
        if mistake == 3, !isTus { offset += 1 }
        if mistake == 10, upload.isComplete, !isTus { offset -= 1 }
        var fields: HeaderFields = [
            "Upload-Offset": "\(offset)", "Cache-Control": mistake == 4 ? "max-age=1" : "no-store",
            "Upload-Complete": upload.isComplete ? "?1" : "?0",
        ]
        let hidesLength = mistake == (isTus ? 3 : 19)
        if let length = upload.length, !hidesLength { fields.add("Upload-Length", "\(length)") }
        return ProbeReply(200, fields)
    }

    // MARK: Parts

    private func append(_ request: ProbeRequest) -> ProbeReply {
        let name = request.url.target
        guard var upload = uploads[name] else { return ProbeReply(404) }
        if let refusal = refusal(of: request, upload.offset) { return refusal }
        if let length = request.fields["Upload-Length"].flatMap({ Int($0) }), mistake != 22 {
            upload.length = length
        }
        let bytes = request.interruption?.bytes ?? request.body.count
        if let length = upload.length, upload.offset + bytes > length, mistake != (isTus ? 12 : 18)
        {
            return ProbeReply(400)
        }
        if upload.isComplete, mistake == 16, bytes == 0 { return ProbeReply(500) }
        upload.offset += mistake == 6 && !isTus ? 0 : bytes
        if request.interruption == nil, isLast(request.fields) { upload.isComplete = true }
        switch request.interruption {
        case .cut? where mistake == (isTus ? 10 : 13): upload.offset += 100_000
        case .hang? where mistake == (isTus ? 11 : 14): uploads[name] = nil
        default: uploads[name] = upload
        }
        if uploads[name] != nil { uploads[name] = upload }
        guard request.interruption == nil else { return ProbeReply() }
        let isWrong = mistake == (isTus ? 6 : 0) && isTus
        return ProbeReply(204, ["Upload-Offset": "\(isWrong ? 0 : upload.offset)"])
    }

    private func refusal(of request: ProbeRequest, _ offset: Int) -> ProbeReply? {
        let fields = request.fields
        let type = isTus ? "application/offset+octet-stream" : "application/partial-upload"
        if fields["Content-Type"] != type, mistake != (isTus ? 8 : 17),
            fields.contains("Content-Type")
        {
            return ProbeReply(415)
        }
        if isTus, fields["Tus-Resumable"] != "1.0.0", mistake != 9 { return ProbeReply(412) }
        if let checksum = fields["Upload-Checksum"] {
            if checksum.hasPrefix("sha1"), mistake != 23 { return ProbeReply(460) }
            if !checksum.hasPrefix("sha1"), mistake != 24 { return ProbeReply(400) }
        }
        guard let claimed = fields["Upload-Offset"].flatMap({ Int($0) }), claimed >= 0 else {
            return mistake == 9 && !isTus ? nil : ProbeReply(400)
        }
        guard claimed != offset, mistake != 7 else { return nil }
        return ProbeReply(409, mistake == 8 && !isTus ? [:] : ["Upload-Offset": "\(offset)"])
    }

    private func cancel(_ request: ProbeRequest) -> ProbeReply {
        if mistake != (isTus ? 20 : 15) { uploads[request.url.target] = nil }
        return ProbeReply(204)
    }
}
