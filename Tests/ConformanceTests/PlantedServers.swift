@testable import Conformance
import HTTPWire

/// Servers as functions from a request to a reply: right, or with one mistake.
extension ServerCheck {
    /// The verdict of a check on such a server, which may crash and for which time may pass.
    func verdict(
        on respond: (ProbeRequest) -> ProbeReply,
        crash: () -> Void = {},
        wait: (_ milliseconds: UInt64) -> Void = { _ in }
    ) -> Verdict {
        var replies: [ProbeReply] = []
        while replies.count < 20 {
            switch next(replies) {
            case .ended(let verdict): return verdict
            case .send(let request): replies.append(respond(request))
            case .wait(let milliseconds):
                wait(milliseconds)
                replies.append(ProbeReply())
            case .restart:
                crash()
                replies.append(ProbeReply())
            }
        }
        return .failed("the check does not end")
    }
}

extension ProbeReply {
    init(_ status: Int, _ fields: HeaderFields = [:], body: [UInt8] = []) {
        self.init()
        self.status = status
        self.fields = fields
        self.body = body
    }
}

/// Serves one object as RFC 9110 says, but for one mistake.
final class PlantedDownloads {
    /// What is wrong, by the name of the check that has to find it.
    let mistake: String
    private var hasCrashed = false

    init(mistake: String = "") { self.mistake = mistake }

    func crash() { hasCrashed = true }

    /// Other bytes under the same or another ETag, the same ones under another: what a crash leaves.
    private var crashMistake: String { hasCrashed ? mistake : "" }

    static let content: [UInt8] = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    static let tag = "\"one\""
    static let date = "Sun, 06 Nov 2022 08:49:37 GMT"
    static let url: HTTPURL = {
        guard let url = try? HTTPURL("http://server.test/object") else { fatalError("no URL") }
        return url
    }()

    private var content: [UInt8] {
        crashMistake == "D50" ? Self.content.reversed() : Self.content
    }

    static let encoded: [UInt8] = (0..<500).map { UInt8(truncatingIfNeeded: $0 &* 11) }

    func callAsFunction(_ request: ProbeRequest) -> ProbeReply {
        var reply = answer(request)
        if mistake == "D4" { reply.fields.remove("Content-Length") }
        if request.method == "HEAD" { reply.body = [] }
        return reply
    }

    private var validators: HeaderFields {
        switch mistake {
        case "D2": ["ETag": "W/\(Self.tag)"]
        case "D51" where hasCrashed: ["ETag": "\"other\"", "Last-Modified": Self.date]
        default: ["ETag": Self.tag, "Last-Modified": Self.date]
        }
    }

    private func answer(_ request: ProbeRequest) -> ProbeReply {
        if let refusal = condition(request) { return refusal }
        guard let range = request.fields["Range"], usesRange(request) else {
            return whole(request)
        }
        guard isPlain(request) else { return encodedPart(request) }
        return ranged(range, request)
    }

    private func isPlain(_ request: ProbeRequest) -> Bool {
        request.fields["Accept-Encoding"] == "identity"
    }

    /// From byte 1 on, of what is served to clients that take codings.
    private func encodedPart(_ request: ProbeRequest) -> ProbeReply {
        let isForPlain = request.fields["If-Range"] == Self.tag
        if isForPlain, mistake != "D7" { return whole(request) }
        let bytes = Self.encoded.dropFirst(mistake == "D6" ? 2 : 1)
        return ProbeReply(
            206,
            [
                "ETag": "\"one-gzip\"", "Content-Encoding": "gzip",
                "Content-Range": ContentRange.part(1..<500, of: 500).text,
            ],
            body: Array(bytes)
        )
    }

    private func whole(_ request: ProbeRequest) -> ProbeReply {
        var fields = validators
        fields.add("Content-Length", "\(content.count)")
        fields.add("Accept-Ranges", "bytes")
        if !isPlain(request), request.method == "GET" {
            fields.add("Content-Encoding", "gzip")
            fields["Content-Length"] = "\(Self.encoded.count)"
            if mistake != "D5" { fields["ETag"] = "\"one-gzip\"" }
            return ProbeReply(200, fields, body: Self.encoded)
        }
        if mistake == "D1", request.method == "GET" { fields["ETag"] = "\"another\"" }
        if mistake == "D3", request.method == "HEAD" { fields["Content-Length"] = "0" }
        return ProbeReply(200, fields, body: content)
    }

    // MARK: Conditions

    private func condition(_ request: ProbeRequest) -> ProbeReply? {
        let fields = request.fields
        if let match = fields["If-Match"], match != Self.tag {
            let isRange = fields.contains("Range")
            if mistake != (isRange ? "D44" : "D33") { return ProbeReply(412) }
        }
        if let date = fields["If-Unmodified-Since"], date != Self.date, mistake != "D35" {
            return ProbeReply(412)
        }
        if let none = fields["If-None-Match"] {
            let isSame = none == validators["ETag"] || mistake == "D31"
            let isSeen = mistake != (fields.contains("Range") ? "D45" : "D30")
            if isSame, isSeen {
                return ProbeReply(304, mistake == "D32" ? [:] : validators)
            }
        }
        if fields["If-Modified-Since"] == Self.date, mistake != "D34" {
            return ProbeReply(304, validators)
        }
        return nil
    }

    private func usesRange(_ request: ProbeRequest) -> Bool {
        guard request.method == "GET" || mistake == "D21" else { return false }
        guard let condition = request.fields["If-Range"] else { return mistake != "D10" }
        guard crashMistake != "D52" else { return true }
        switch condition {
        case Self.tag: return mistake != "D40"
        case _ where condition.hasPrefix("W/"): return mistake == "D42"
        case _ where condition.hasPrefix("\""): return mistake == "D41"
        default: return mistake == "D43"
        }
    }

    // MARK: Ranges

    private func ranged(_ text: String, _ request: ProbeRequest) -> ProbeReply {
        let length = content.count
        switch text {
        case "items=0-1": return mistake == "D19" ? ProbeReply(416) : whole(request)
        case "bytes=5-2": return mistake == "D20" ? part(2..<6) : ProbeReply(416)
        case "bytes=\(length)-":
            if mistake == "D17" { return ProbeReply(206) }
            return ProbeReply(416, mistake == "D18" ? [:] : ["Content-Range": "bytes */\(length)"])
        case _ where text.contains(","): return twoParts(length)
        default: break
        }
        let ends = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
            .map { Int($0) }
        let range =
            ends[0].map { $0..<min(length, (ends[1] ?? length - 1) + 1) }
            ?? max(0, length - (ends[1] ?? 0))..<length
        if crashMistake == "D52", text == "bytes=500-" { return part(499..<length) }
        return part(Self.shifted(range, mistake, text))
    }

    /// The range that a mistake makes of the one that was asked for.
    private static func shifted(_ range: Range<Int>, _ mistake: String, _ text: String)
        -> Range<Int>
    {
        let length = content.count
        switch (mistake, text) {
        case ("D11", "bytes=1-499"): return 0..<500
        case ("D12", "bytes=500-"): return 500..<900
        case ("D13", "bytes=999-"): return 998..<1_000
        case ("D14", "bytes=-3"): return 0..<3
        case ("D15", "bytes=-1007"): return 1..<length
        case ("D16", "bytes=998-1009"): return 998..<999
        default: return range
        }
    }

    private func part(_ range: Range<Int>) -> ProbeReply {
        var fields: HeaderFields = [
            "Content-Range": ContentRange.part(range, of: content.count).text
        ]
        if mistake != "D23" {
            for field in validators.fields { fields.add(field.name, field.value) }
        }
        return ProbeReply(206, fields, body: Array(content[range]))
    }

    private func twoParts(_ length: Int) -> ProbeReply {
        let framing = ByteRangesFraming(boundary: "b", contentType: nil, completeLength: length)
        let last = mistake == "D22" ? 0..<1 : length - 1..<length
        var body: [UInt8] = []
        for range in [0..<1, last] {
            body += (try? framing.head(of: range)) ?? []
            body += content[range]
        }
        return ProbeReply(206, ["Content-Type": framing.mediaType], body: body + framing.end)
    }
}
