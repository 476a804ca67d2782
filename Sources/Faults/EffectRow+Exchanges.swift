internal import Basics

// Faults of requests and responses.
extension EffectRow {
    static let ofExchanges: [EffectRow] = [
        EffectRow(
            .swallow,
            "swallow",
            at: [.requestEnd],
            family: .end,
            [.endsStream, .closesClient, .drains, .letsAnswerPass, .meetsClient],
            near: .rst,
            search: .standard(5),
            examples: [
                "POST(/f)#1:req.end=swallow": """
                the server responds in full, but the client is reset before it receives the response; \
                swallow(keep=head,end=fin) delivers the head. keep= is none, interim, head or half.
                """
            ],
            form: .lostAnswer
        ),
        EffectRow(
            .truncate,
            "truncate",
            at: [.responseContent],
            family: .end,
            rank: 5,
            [.endsStream, .closesClient, .drains],
            near: .fin,
            far: .fin,
            search: .onRequest(10),
            examples: [
                "c1/r1:resp.body+9=truncate": """
                ends the body early in a way the client cannot detect; only without \
                Content-Length, as with --framing chunked or close
                """
            ],
            form: .plain(.truncate)
        ),
        EffectRow(
            .late,
            "late",
            at: [.request],
            family: .end,
            rank: 3,
            [.endsStream, .closesClient, .waits, .takesSee, .endsConnection],
            search: .standard(7),
            examples: [
                "c1/r1:req.body+9=late(5,until=PATCH(/u/*)#2:req.end)": """
                the client is reset; five more of its bytes reach the server on the old \
                connection once that other request is complete
                """
            ],
            form: .lateBytes
        ),
        EffectRow(
            .status,
            "status",
            at: [.request],
            family: .answer,
            [.answersRequest, .makesMessage, .letsAnswerPass, .meetsClient],
            near: .fin,
            search: .standard(8),
            examples: [
                "c1/r1:req.head=status(503,retry-after=4)": """
                linkcond responds, and the server never sees the request. Any status and fields; \
                retry-after=date+4 sends a date, close ends the connection, page adds a small HTML \
                page (not in HTTP/2).
                """
            ],
            form: EffectForm { a throws(ScheduleError) in
                try .status(a.message(200...999, like: 503))
            } write: {
                if case .status(let message) = $0 { message.canonicalValues } else { nil }
            }
        ),
        EffectRow(
            .early,
            "early",
            at: [.requestHead],
            family: .answer,
            [.endsStream, .drains, .answersRequest, .makesMessage, .letsAnswerPass, .meetsClient],
            near: .fin,
            search: .onRequest(9),
            examples: [
                "c1/r1:req.head=early(413)":
                    "this response while the content is still arriving, then a close"
            ],
            form: EffectForm { a throws(ScheduleError) in
                try .early(a.message(200...999, like: 413))
            } write: {
                if case .early(let message) = $0 { message.canonicalValues } else { nil }
            }
        ),
        EffectRow(
            .inject,
            "inject",
            at: [.request],
            family: .interim,
            rank: 1,
            .makesMessage,
            search: .standard(25),
            examples: [
                "c1/r1:req.head=inject(103)": "an additional interim response"
            ],
            form: EffectForm { a throws(ScheduleError) in
                try .inject(a.message(100...199, like: 103))
            } write: {
                if case .inject(let message) = $0 { message.canonicalValues } else { nil }
            }
        ),
        EffectRow(
            .withhold,
            "withhold",
            at: [.wholeInterim],
            family: .interim,
            .editsHeads,
            search: .onRequest(11),
            examples: [
                "c1/r1:interim(104)=withhold":
                    "the client does not receive it; stall(2s) delays it"
            ],
            form: .plain(.withhold)
        ),
        EffectRow(
            .duplicate,
            "dup",
            at: [.wholeInterim, .datagram, .wholeMessage],
            family: .interim,
            .editsHeads,
            search: .onRequest(12),
            examples: [
                "c1/r1:interim(104)=dup": "the client receives it twice",
                "u1:up#2=dup": "the second datagram arrives twice",
                "c1/r1:sse[2]=dup": "the client receives the second server-sent event twice",
            ],
            form: .plain(.duplicate)
        ),
        EffectRow(
            .edit,
            "edit",
            at: [.wholeInterim, .responseHead],
            family: .damage,
            .editsHeads,
            examples: [
                "c1/r1:interim(104)=edit(location=/x)": "changes or adds header fields",
                "c1/r1:resp.head=edit(x-cache=hit,etag=)":
                    "the same for the final response; an empty value removes the field",

            ],
            form: EffectForm { a throws(ScheduleError) in
                try .edit(a.fields(like: "location=/x"))
            } write: {
                if case .edit(let fields) = $0 { fields.map(\.canonicalText) } else { nil }
            }
        ),
        EffectRow(
            .resetOnNext,
            "rst-on-next",
            at: [.idle],
            family: .end,
            [.endsStream, .meetsClient],
            near: .rst,
            far: .rst,
            examples: [
                "c1/r1:idle=rst-on-next": "the idle connection is reset when it is used again"
            ],
            form: .plain(.resetOnNext)
        ),
        EffectRow(
            .buffer,
            "buffer",
            at: [.whole],
            family: .silence,
            search: .onRequest(17),
            examples: [
                "c*=buffer(req)": """
                forwards no request before it is complete (in HTTP/2, its head passes); \
                buffer(resp) does the same for responses
                """
            ],
            form: EffectForm { a throws(ScheduleError) in
                try .buffer(a.choice("message", [("req", .up), ("resp", .down)], like: "req"))
            } write: {
                if case .buffer(let direction) = $0 {
                    [direction == .up ? "req" : "resp"]
                } else {
                    nil
                }
            }
        ),
        EffectRow(
            .strip,
            "strip",
            at: [.whole],
            family: .interim,
            examples: [
                "c*=strip(1xx)": "removes interim responses"
            ],
            form: EffectForm { a throws(ScheduleError) in
                try a.choice("kind of response", [("1xx", .strip)], like: "1xx")
            } write: {
                $0 == .strip ? ["1xx"] : nil
            }
        ),
    ]
}
