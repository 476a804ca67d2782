internal import Basics

// Faults of the server.
extension EffectRow {
    static let ofServer: [EffectRow] = [
        EffectRow(
            .crash,
            "crash",
            at: [.request],
            family: .end,
            [.endsStream, .closesClient, .tampers, .takesSee],
            near: .rst,
            search: .onRequest(13),
            examples: [
                "c1/r1:req.body+9=crash,see=104": """
                kills the server after nine bytes and restarts it with only what it had \
                persisted. The client is reset once the server is back; new connections \
                wait until then.
                """,
                "c1/r1:req.body+9=crash(loss=tail:5)": """
                also loses five bytes that it had acknowledged; loss= can also be uncommitted, meta or \
                all
                """,
            ],
            form: .crash
        ),
        EffectRow(
            .mutate,
            "mutate",
            at: [.object],
            family: .change,
            .tampers,
            search: .standard(14),
            examples: [
                "obj(/big.bin)#2=mutate(same-size)": """
                the object changes before the second request for it: same-size, shrink, grow, \
                weak-etag, lm-only, same-second, touch
                """
            ],
            form: .choice(Effect.mutate, like: "same-size") {
                if case .mutate(let value) = $0 { value } else { nil }
            }
        ),
        EffectRow(
            .range,
            "range",
            at: [.object],
            family: .range,
            .tampers,
            search: .standard(15),
            examples: [
                "obj(/big.bin)#2=range(ignore)": """
                range requests get the whole object; or shift:-1000, short:9, no-content-range, \
                wrong-total, 200-partial, 304, 416, multipart; gzip: compressed under the same tag, \
                with ranges of the compressed bytes
                """
            ],
            form: .range
        ),
        EffectRow(
            .expire,
            "expire",
            at: [.object],
            family: .answer,
            .tampers,
            search: .onRequest(16),
            examples: [
                "obj(/u/*)#2=expire": "the upload is gone"
            ],
            form: .plain(.expire)
        ),
        EffectRow(
            .limit,
            "limit",
            at: [.object],
            family: .answer,
            examples: [
                "obj(/u/*)#2=limit(max-size=1000)": """
                from the second request on, no upload may exceed 1,000 bytes; max-append-size limits \
                each append
                """
            ],
            form: .limit
        ),
    ]
}
