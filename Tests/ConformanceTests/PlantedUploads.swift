@testable import Conformance
import HTTPWire

/// Takes uploads of one dialect, but for one mistake.
final class PlantedUploads {
    /// What is wrong, by the number of the check that has to find it.
    private let mistake: Int
    private let isTus: Bool
    private let version: InteropVersion?
    private var uploads: [String: Upload] = [:]
    private var count = 0
    /// Uploads with an append under way that says nothing more.
    private var hanging: Set<String> = []
    private var hasCrashed = false
    /// The time that has passed.
    private var seconds = 0

    private struct Upload {
        var offset: Int
        var length: Int?
        var isComplete: Bool
        var content: [UInt8]
        var isInterrupted: Bool
        let endsAt: Int
    }

    static let place = ProbePlace(PlantedDownloads.url, [:], content: "/content/{id}")
    static let extensions: Set<String> = [
        "termination", "creation-with-upload", "creation-defer-length", "checksum", "concatenation",
        "expiration",
    ]
    /// Of an upload that is not complete, in seconds.
    private let lifetime: Int
    private static let began = 1_000_000_000

    init(_ dialect: UploadDialect, mistake: Int = 0, lifetime: Int = 3) {
        self.mistake = mistake
        self.lifetime = lifetime
        switch dialect {
        case .ietf(let version): (isTus, self.version) = (false, version)
        case .tus: (isTus, version) = (true, nil)
        }
    }

    private func isWrong(draft: Int = -1, tus: Int = -1) -> Bool {
        mistake == (isTus ? tus : draft)
    }

    func respond(_ request: ProbeRequest) -> ProbeReply {
        var reply = answer(request)
        reply.atSeconds = Self.began + seconds
        return reply
    }

    private func answer(_ request: ProbeRequest) -> ProbeReply {
        let isOverridden = request.fields["X-HTTP-Method-Override"] == "PATCH" && mistake != 13
        switch isOverridden ? "PATCH" : request.method {
        case "POST": return create(request)
        case "HEAD": return head(request)
        case "PATCH": return append(request)
        case "GET": return content(request)
        case "OPTIONS": return ProbeReply(204, limits(left: isWrong(draft: 25) ? 100 : 0))
        default: return cancel(request)
        }
    }

    // MARK: Time and crashes

    func wait(_ milliseconds: UInt64) { seconds += Int(milliseconds / 1_000) }

    func crash() {
        hasCrashed = true
        for (name, upload) in uploads {
            var upload = upload
            crash(&upload, isHanging: hanging.contains(name))
            let isLost =
                mistake == 40 && !upload.isInterrupted && !isWhole(upload)
                || isWrong(tus: 46) && hanging.contains(name)
            uploads[name] = isLost ? nil : upload
        }
        hanging = []
    }

    private func crash(_ upload: inout Upload, isHanging: Bool) {
        if isWhole(upload) {
            if mistake == 47 { upload.offset = 0 }
            if mistake == 48 { upload.content[0] ^= 1 }
            return
        }
        switch mistake {
        case 41 where !upload.isInterrupted:
            upload.offset -= 1
            upload.content.removeLast()
        case 42 where !upload.isInterrupted: upload.offset += 1
        case 44 where !upload.isInterrupted: upload.content[0] ^= 1
        case 45 where upload.isInterrupted && !isHanging: upload.offset -= 1
        case 46 where isHanging: upload.offset -= 1
        default: break
        }
    }

    private func isWhole(_ upload: Upload) -> Bool {
        isTus ? upload.offset == upload.length : upload.isComplete
    }

    /// How much life is left, as the fields of the dialect say it.
    private func limits(left: Int) -> HeaderFields {
        guard !isTus else {
            let date = HTTPDate(secondsSince1970: Self.began + seconds + left).text
            return ["Upload-Expires": mistake == 28 ? Self.oldForm(date) : date]
        }
        guard let version, version.rawValue >= 6 else { return [:] }
        let key = version == .v6 ? "expires" : "max-age"
        return ["Upload-Limit": "max-size=\(mistake == 24 ? "\"9\"" : "1000000"), \(key)=\(left)"]
    }

    /// `Sunday, 09-Sep-01 01:46:43 GMT`, which recipients must understand and nobody may send.
    private static func oldForm(_ date: String) -> String {
        let words = date.split(separator: " ")
        return "Sunday, \(words[1])-\(words[2])-\(words[3].suffix(2)) \(words[4]) GMT"
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
        uploads[name] = Upload(
            offset: taken,
            length: length,
            isComplete: !isCut && isLast(fields),
            content: Array(request.body.prefix(taken)),
            isInterrupted: isCut,
            endsAt: seconds + lifetime
        )
        var reply = ProbeReply(
            201,
            ["Location": name, "Tus-Resumable": "1.0.0", "Upload-Offset": "\(taken)"]
        )
        for field in limits(left: lifetime).fields { reply.fields.add(field.name, field.value) }
        if mistake == 1 { reply.fields.remove("Location") }
        if isWrong(draft: 28) { reply.status = 204 }
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
        if !hanging.isEmpty, isWrong(draft: 22, tus: 16) { return ProbeReply() }
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
        ]
        if let version, !upload.isComplete || mistake != 23 {
            let (name, value) = UploadRequests.completeness(upload.isComplete, version)
            fields.add(name, value)
        }
        let hidesLength = mistake == (isTus ? 3 : 19)
        if let length = upload.length, !hidesLength { fields.add("Upload-Length", "\(length)") }
        guard !isWhole(upload) else { return ProbeReply(200, fields) }
        var left = upload.endsAt - seconds
        if left <= 0 {
            if isWrong(draft: 26, tus: 30) {
                fields["Upload-Offset"] = "\(offset - 1)"
                left = lifetime
            } else if !isWrong(draft: 27, tus: 31) {
                return ProbeReply(410)
            }
        }
        for field in limits(left: left).fields { fields.add(field.name, field.value) }
        return ProbeReply(200, fields)
    }

    private func content(_ request: ProbeRequest) -> ProbeReply {
        let name = request.url.target.split(separator: "/").last ?? ""
        guard let upload = uploads["/files/\(name)"],
            upload.content.count == UploadRequests.length
        else { return ProbeReply(404) }
        return ProbeReply(200, body: upload.content)
    }

    // MARK: Parts

    private func append(_ request: ProbeRequest) -> ProbeReply {
        let name = request.url.target
        guard var upload = uploads[name] else { return ProbeReply(404) }
        let claimed = request.fields["Upload-Offset"].flatMap { Int($0) } ?? 0
        if claimed > UploadRequests.length, isWrong(draft: 20, tus: 14) { return ProbeReply(204) }
        let isSecond = hanging.contains(name) && isWrong(draft: 21, tus: 15)
        if !isSecond, let refusal = refusal(of: request, upload.offset) { return refusal }
        if hasCrashed, mistake == 43, !upload.isInterrupted { return ProbeReply(500) }
        if let length = request.fields["Upload-Length"].flatMap({ Int($0) }), mistake != 22 {
            upload.length = length
        }
        let bytes = request.interruption?.bytes ?? request.body.count
        if let length = upload.length, upload.offset + bytes > length, mistake != (isTus ? 12 : 18)
        {
            return ProbeReply(400)
        }
        if isWhole(upload), isWrong(draft: 16, tus: 17), bytes == 0 { return ProbeReply(500) }
        upload.offset += mistake == 6 && !isTus ? 0 : bytes
        upload.content += request.body.prefix(bytes)
        if request.interruption == nil, isLast(request.fields) { upload.isComplete = true }
        if request.interruption != nil { upload.isInterrupted = true }
        uploads[name] = upload
        switch request.interruption {
        case .cut? where mistake == (isTus ? 10 : 13): uploads[name]?.offset += 100_000
        case .hang? where mistake == (isTus ? 11 : 14): uploads[name] = nil
        case .hang?: hanging.insert(name)
        default: break
        }
        guard request.interruption == nil else { return interrupted(upload.offset) }
        return appended(upload)
    }

    private func interrupted(_ offset: Int) -> ProbeReply {
        var reply = ProbeReply()
        if !isTus {
            reply.interims = [ResponseHead(104, fields: ["Upload-Offset": "\(offset)"])]
        }
        return reply
    }

    private func appended(_ upload: Upload) -> ProbeReply {
        var fields: HeaderFields = ["Upload-Offset": "\(isTus && mistake == 6 ? 0 : upload.offset)"]
        if let version {
            let (name, value) = UploadRequests.completeness(upload.isComplete, version)
            fields.add(name, value)
        } else if mistake != 27 {
            let left = limits(left: mistake == 29 ? -5 : upload.endsAt - seconds)
            for field in left.fields { fields.add(field.name, field.value) }
        }
        return ProbeReply(204, fields)
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
