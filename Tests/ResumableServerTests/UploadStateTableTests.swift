import HTTPWire
import ResumableServer
import Testing

/// Every kind of request to an upload in every state, for every protocol, against a table.
@Suite struct UploadStateTableTests {
    /// An upload of 100 bytes, of which 40 are there when it is begun.
    enum Start: String, CaseIterable {
        case absent, active, full, finalising, complete, cancelled, expired, invalid, gone
    }

    static func bench(_ dialect: UploadProtocol, _ start: Start) -> UploadBench {
        var settings = UploadSettings()
        settings.lifetime = 60
        var bench = UploadBench(settings)
        switch start {
        case .absent: break
        case .active, .cancelled, .expired, .invalid:
            bench.send(UploadHeads.creation(dialect), bytes: 40, isCut: true)
        case .full: bench.send(UploadHeads.creation(dialect), bytes: 100, isCut: true)
        case .finalising:
            bench.holdsFinalising = true
            bench.send(UploadHeads.creation(dialect), bytes: 100)
        case .complete, .gone: bench.send(UploadHeads.creation(dialect), bytes: 100)
        }
        switch start {
        case .cancelled: bench.send(UploadHeads.plain("DELETE", dialect))
        case .expired: bench.now += 60
        case .gone: bench.now += 3_600
        case .invalid: bench.restart(fileSize: 39)
        default: break
        }
        return bench
    }

    /// A request, the bytes of its body that are sent, and whether it is cut behind them.
    struct Request {
        var head: RequestHead
        var bytes: UInt64 = 0
        var isCut = false
    }

    static let kinds = [
        "HEAD", "HEAD+offset", "HEAD+complete", "HEAD+length", "HEAD+version", "GET", "POST",
        "DELETE", "DELETE+offset", "rest", "rest-chunked", "rest-cut", "more", "more-chunked",
        "empty", "empty-more", "behind", "beyond", "no-offset", "bad-offset", "no-complete",
        "no-type", "length", "too-long", "too-long-chunked",
    ]

    static func request(_ kind: String, _ dialect: UploadProtocol, at offset: UInt64) -> Request {
        let rest = 100 - offset
        func plain(_ method: String, _ more: HeaderFields = [:]) -> Request {
            Request(head: UploadHeads.plain(method, dialect, more))
        }
        func patch(
            _ content: UInt64?,
            at place: UInt64? = nil,
            last: Bool = true,
            sent: UInt64? = nil,
            cut: Bool = false,
            _ more: HeaderFields = [:]
        ) -> Request {
            Request(
                head: UploadHeads.append(
                    dialect,
                    at: place ?? offset,
                    isLast: last,
                    content: content,
                    more
                ),
                bytes: sent ?? content ?? 0,
                isCut: cut
            )
        }
        switch kind {
        case "HEAD", "GET", "POST", "DELETE": return plain(kind)
        case "HEAD+offset": return plain("HEAD", ["Upload-Offset": "0"])
        case "HEAD+complete":
            return plain("HEAD", ["Upload-Complete": "?0", "Upload-Incomplete": "?1"])
        case "HEAD+length": return plain("HEAD", ["Upload-Length": "100"])
        case "HEAD+version":
            return dialect == .tus
                ? plain("HEAD", ["Tus-Resumable": "0.2.2"])
                : plain("HEAD", ["Upload-Draft-Interop-Version": "4"])
        case "DELETE+offset": return plain("DELETE", ["Upload-Offset": "0"])
        case "rest": return patch(rest)
        case "rest-chunked": return patch(nil, sent: rest)
        case "rest-cut": return patch(rest, sent: rest / 2, cut: true)
        case "more": return patch(rest / 2, last: false)
        case "more-chunked": return patch(nil, last: false, sent: rest / 2)
        case "empty": return patch(0)
        case "empty-more": return patch(0, last: false)
        case "behind": return patch(rest + 1, at: offset - 1)
        case "beyond": return patch(rest, at: offset + 1)
        case "no-offset": return patch(rest, ["Upload-Offset": ""])
        case "bad-offset": return patch(rest, ["Upload-Offset": "-1"])
        case "no-complete":
            return patch(rest, ["Upload-Complete": "", "Upload-Incomplete": ""])
        case "no-type": return patch(rest, ["Content-Type": "application/octet-stream"])
        case "length": return patch(rest, ["Upload-Length": "99"])
        case "too-long": return patch(rest + 1, last: false)
        default: return patch(nil, last: false, sent: rest + 1)
        }
    }

    /// `409 o40 i` is a 409 with offset 40 that says incomplete; `>complete` a change of state, `+60`
    /// of the offset, `wait` no answer yet.
    static func cell(_ kind: String, _ dialect: UploadProtocol, _ start: Start) -> String {
        var bench = bench(dialect, start)
        let before = bench.record
        let request = request(kind, dialect, at: before.map { max($0.offset, 1) } ?? 40)
        let exchange = bench.send(request.head, bytes: request.bytes, isCut: request.isCut)
        var words: [String] = []
        if let head = bench.answers[exchange]?.head {
            words.append("\(head.status)")
            if let offset = head.fields["Upload-Offset"] { words.append("o" + offset) }
            if let complete = head.fields["Upload-Complete"] {
                words.append(complete == "?1" ? "c" : "i")
            }
            if let incomplete = head.fields["Upload-Incomplete"] {
                words.append(incomplete == "?0" ? "c" : "i")
            }
            if head.fields.contains("Upload-Length") { words.append("l") }
        } else {
            words.append(request.isCut ? "cut" : "wait")
        }
        if let before, let after = bench.record {
            if after.offset > before.offset { words.append("+\(after.offset - before.offset)") }
            if after.offset < before.offset { words.append("FELL") }
            if name(after.state) != name(before.state) { words.append(">" + name(after.state)) }
        }
        return words.joined(separator: " ")
    }

    private static func name(_ state: UploadState) -> String {
        if case .complete = state { return "complete" }
        return "\(state)"
    }

    /// The states in which a protocol can be; tus is complete when it is full.
    static func starts(_ dialect: UploadProtocol) -> [Start] {
        Start.allCases.filter { $0 != .full || dialect != .tus }
    }

    @Test(arguments: UploadProtocol.all)
    func `every request in every state is answered as the table says`(
        dialect: UploadProtocol
    ) throws {
        let rows = UploadStateGolden.text.split(separator: "\n").map { row in
            row.split(separator: "|").map { $0.trimmed }
        }
        let begin = try #require(rows.firstIndex { $0[0] == "\(dialect)" })
        let starts = try rows[begin].dropFirst().map { try #require(Start(rawValue: $0)) }
        #expect(starts == Self.starts(dialect))
        let section = rows[(begin + 1)...].prefix(Self.kinds.count)
        #expect(section.map { $0[0] } == Self.kinds)
        for row in section {
            for (start, expected) in zip(starts, row.dropFirst()) {
                let cell = Self.cell(row[0], dialect, start)
                #expect(cell == expected, "\(row[0]) when \(start)")
            }
        }
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
