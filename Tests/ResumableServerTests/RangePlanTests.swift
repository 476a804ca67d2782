import HTTPWire
import ResumableServer
import Testing

@Suite struct RangePlanTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    private static func object(
        size: Int = 1_000,
        tag: EntityTag? = EntityTag("a"),
        isStrong: Bool = true
    ) -> ServedObject {
        ServedObject(
            size: size,
            validators: Validators(
                entityTag: tag,
                lastModified: HTTPDate(secondsSince1970: 784_111_777),
                isLastModifiedStrong: isStrong
            ),
            fields: ["Content-Type": "text/x", "Cache-Control": "no-transform", "Vary": "a"]
        )
    }

    private static func plan(
        _ fields: HeaderFields,
        _ method: String = "GET",
        object: ServedObject = object(),
        effects: [Misbehaviour.Effect] = [],
        _ adjust: (inout RangePlan.Settings) -> Void = { _ in }
    ) -> RangePlan {
        var settings = RangePlan.Settings()
        adjust(&settings)
        return RangePlan(
            RequestHead(method, "/o", fields: fields),
            to: object,
            settings: settings,
            boundary: "b",
            now: HTTPDate(secondsSince1970: 800_000_000),
            effects: effects
        )
    }

    /// Status, range of the content, `Content-Range`.
    private static func line(_ plan: RangePlan) -> String {
        let pieces = plan.pieces.map { piece in
            switch piece {
            case .text: "text"
            case .content(let range): "\(range.lowerBound)..<\(range.upperBound)"
            }
        }
        return (["\(plan.head.status)"] + pieces + [plan.head.fields["Content-Range"] ?? "-"])
            .joined(separator: " ")
    }

    @Test(
        arguments: [
            ("", "200 0..<1000 -"),
            ("bytes=0-99", "206 0..<100 bytes 0-99/1000"),
            ("bytes=900-", "206 900..<1000 bytes 900-999/1000"),
            ("bytes=900-5000", "206 900..<1000 bytes 900-999/1000"),
            ("bytes=-10", "206 990..<1000 bytes 990-999/1000"),
            ("bytes=-5000", "206 0..<1000 bytes 0-999/1000"),
            ("bytes=1000-", "416 bytes */1000"),
            ("bytes=-0", "416 bytes */1000"),
            ("bytes=5-4", "200 0..<1000 -"),
            ("lines=1-2", "200 0..<1000 -"),
            ("bytes=0-9,20-29", "206 0..<30 bytes 0-29/1000"),
            ("bytes=0-9,500-509", "206 text 0..<10 text 500..<510 text -"),
            ("bytes=0-9,2000-", "206 0..<10 bytes 0-9/1000"),
        ])
    func `a range is a part, several are parts, what cannot be is 416 or ignored`(
        range: String,
        line: String
    ) {
        #expect(Self.line(Self.plan(range.isEmpty ? [:] : ["Range": range])) == line)
    }

    @Test func `an empty object ignores the range`() {
        let plan = Self.plan(["Range": "bytes=0-"], object: Self.object(size: 0))
        #expect(Self.line(plan) == "200 -")
        #expect(plan.head.fields["Content-Length"] == "0")
    }

    @Test func `ranges can be switched off, all or several`() {
        let off = Self.plan(["Range": "bytes=0-9"]) { $0.takesRanges = false }
        #expect(off.kind == .whole)
        #expect(off.head.fields["Accept-Ranges"] == nil)
        let several = Self.plan(["Range": "bytes=0-9,500-"]) { $0.takesSeveral = false }
        #expect(several.kind == .whole)
        let one = Self.plan(["Range": "bytes=0-9"]) { $0.takesSeveral = false }
        #expect(one.kind == .part)
        #expect(one.head.fields["Accept-Ranges"] == "bytes")
    }

    @Test func `a part has the fields of the whole`() {
        let whole = Self.plan([:])
        let part = Self.plan(["Range": "bytes=0-9"])
        for name in ["ETag", "Last-Modified", "Cache-Control", "Vary", "Content-Type"] {
            #expect(part.head.fields[name] != nil)
            #expect(part.head.fields[name] == whole.head.fields[name])
        }
        #expect(part.head.fields["Content-Length"] == "10")
    }

    @Test func `parts are framed with lengths that are right`() throws {
        let plan = Self.plan(["Range": "bytes=0-9,500-509"])
        #expect(plan.kind == .parts)
        #expect(plan.head.fields["Content-Type"] == "multipart/byteranges; boundary=b")
        #expect(plan.head.fields["Content-Range"] == nil)
        let texts = plan.pieces.compactMap { piece -> String? in
            if case .text(let bytes) = piece { String(decoding: bytes, as: UTF8.self) } else { nil }
        }
        let head = "\r\n--b\r\nContent-Type: text/x\r\nContent-Range: bytes "
        #expect(
            texts == [
                head + "0-9/1000\r\n\r\n", head + "500-509/1000\r\n\r\n", "\r\n--b--\r\n",
            ]
        )
        let length = texts.map(\.utf8.count).reduce(20, +)
        #expect(plan.head.fields["Content-Length"] == "\(length)")
    }

    @Test(
        arguments: [
            (["If-Range": "\"a\""], "206"), (["If-Range": "\"b\""], "200"),
            (["If-Range": "W/\"a\""], "200"), (["If-Range": date], "206"),
            (["If-Range": "Sun, 06 Nov 1994 08:49:38 GMT"], "200"), (["If-Range": "x"], "200"),
            (["If-Match": "\"b\""], "412"), (["If-Match": "\"a\""], "206"),
            (["If-None-Match": "\"a\""], "304"), (["If-None-Match": "W/\"a\""], "304"),
            (["If-Modified-Since": date], "304"), (["If-Unmodified-Since": date], "206"),
        ] as [(HeaderFields, String)]
    )
    func `conditions come first, and a range applies only to the state that was meant`(
        fields: HeaderFields,
        status: String
    ) {
        var fields = fields
        fields["Range"] = "bytes=0-9"
        #expect("\(Self.plan(fields).head.status)" == status)
    }

    @Test func `a weak tag or a coarse date on our side lets no range through`() {
        let weak = Self.object(tag: EntityTag("a", isWeak: true))
        #expect(
            Self.plan(["Range": "bytes=0-9", "If-Range": "W/\"a\""], object: weak).kind == .whole
        )
        let coarse = Self.object(tag: nil, isStrong: false)
        #expect(
            Self.plan(["Range": "bytes=0-9", "If-Range": Self.date], object: coarse).kind == .whole
        )
    }

    @Test func `304 has what a cache needs and nothing else`() {
        let plan = Self.plan(["If-None-Match": "\"a\""])
        #expect(Set(plan.head.fields.fields.map(\.name)) == ["ETag", "Cache-Control", "Vary"])
        #expect(plan.pieces.isEmpty)
        let dated = Self.plan(["If-Modified-Since": Self.date], object: Self.object(tag: nil))
        #expect(dated.head.fields["Last-Modified"] == Self.date)
    }

    @Test func `HEAD has the fields of the whole, and ranges mean nothing to it`() {
        let head = Self.plan(["Range": "bytes=0-9"], "HEAD")
        #expect(head.head == Self.plan([:]).head)
        #expect(head.pieces.isEmpty)
    }

    // MARK: Misbehaviour

    @Test(
        arguments: [
            ([.ignoreRange], "200 0..<1000 -"),
            ([.shiftRange(-10)], "206 90..<190 bytes 90-189/1000"),
            ([.shiftRange(5_000)], "206 999..<1000 bytes 999-999/1000"),
            ([.shiftRange(-5_000)], "206 0..<1 bytes 0-0/1000"),
            ([.noContentRange], "206 100..<200 -"),
            ([.wrongTotal], "206 100..<200 bytes 100-199/1001"),
            ([.notModified], "304 -"),
            ([.unsatisfiable], "416 bytes */1000"),
            ([.partialAs200], "200 100..<200 -"),
            ([.short(7)], "206 100..<107 bytes 100-106/1000"),
            ([.short(7), .wrongTotal], "206 100..<107 bytes 100-106/1001"),
        ] as [([Misbehaviour.Effect], String)]
    )
    func `what goes wrong with a range is what was asked for`(
        effects: [Misbehaviour.Effect],
        line: String
    ) {
        let plan = Self.plan(["Range": "bytes=100-199"], effects: effects)
        #expect(Self.line(plan) == line)
        #expect(Self.plan([:], effects: effects) == Self.plan([:]))
    }

    @Test func `the content is as long as Content-Length says, whatever goes wrong`() {
        let all: [Misbehaviour.Effect] = [
            .ignoreRange, .shiftRange(-150), .shiftRange(990), .noContentRange, .wrongTotal,
            .partialAs200, .short(3),
        ]
        for range in ["bytes=100-199", "bytes=0-0", "bytes=-1", "bytes=0-9,500-509,700-"] {
            for one in all {
                for other in all {
                    let plan = Self.plan(["Range": range], effects: [one, other])
                    let length = plan.pieces.map { piece in
                        switch piece {
                        case .text(let bytes): bytes.count
                        case .content(let range): range.count
                        }
                    }.reduce(0, +)
                    #expect(plan.head.fields["Content-Length"] == "\(length)")
                }
            }
        }
    }

    @Test func `the gzip form has a length and ranges of its own, and the object's tag`() {
        let object = Self.object().after([], [.gzip])
        let whole = Self.plan([:], object: object)
        #expect(Self.line(whole) == "200 0..<1023 -")
        #expect(whole.head.fields["Content-Encoding"] == "gzip")
        #expect(whole.head.fields["ETag"] == "\"a\"")
        let range: HeaderFields = ["Range": "bytes=1000-", "If-Range": "\"a\""]
        let part = Self.plan(range, object: object)
        #expect(Self.line(part) == "206 1000..<1023 bytes 1000-1022/1023")
        #expect(part.head.fields["Content-Encoding"] == "gzip")
    }
}
