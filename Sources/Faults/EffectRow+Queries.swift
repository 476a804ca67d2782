// Faults of name lookups.
extension EffectRow {
    static let ofLookups: [EffectRow] = [
        // One row for all of them, which have names and values of their own.
        EffectRow(
            .query,
            "dns",
            at: [.query],
            family: .lookups,
            search: .standard(32),
            examples: [
                "A(api.test)#1=nxdomain": "the name does not exist",
                "AAAA(api.test)#*=nodata": "it exists, but has no IPv6 address",
                "*(api.test)#1=servfail": "the server fails to answer the query",
                "*(*.test)#*=refused": "the server refuses to answer",
                "A(api.test)#1..2=timeout": "no answer, twice",
                "A(api.test)#*=delay(2s)": "answers come two seconds late",
                "A(api.test)#1=truncate": """
                an empty answer that asks the client to retry over TCP, where it gets an answer; with \
                truncate(hole), truncate(fin) or truncate(rst), TCP stays silent or the connection \
                ends
                """,
                "A(api.test)#1=wrong(10.0.0.1)":
                    "this address instead of the right ones; wrong: an unused one",
                "A(api.test)#*=rotate(127.0.0.1,127.0.0.2)": """
                one of these per answer, in turn; rotate: one of the right ones
                """,
                "*(api.test)#*=dead-first": """
                an unused address before the right ones; dead-first(127.0.0.9): this one
                """,
                "A(api.test)#*=ttl(0)": "an answer that must not be cached",
                "A(api.test)#1=cname-loop": "an alias that leads back to itself",
            ],
            form: EffectForm { a throws(ScheduleError) in
                throw a.scanner.error("'\(a.name)' is not an effect by itself", at: a.start)
            } write: {
                if case .query = $0 { [] } else { nil }
            }
        )
    ]
}
