// Faults of name lookups.
extension EffectRow {
    /// One row for all of them, which have names and values of their own.
    static let query = EffectRow(
        "dns",
        at: [.query],
        family: .lookups,
        search: .standard(32),
        examples: [
            "A(api.test)#1=nxdomain": "the name does not exist",
            "AAAA(api.test)#*=nodata": "it exists, but has no IPv6 address",
            "*(api.test)#1=servfail": "the server cannot say",
            "*(*.test)#*=refused": "the server does not want to",
            "A(api.test)#1..2=timeout": "no answer, twice",
            "A(api.test)#*=delay(2s)": "late answers",
            "A(api.test)#1=truncate": """
            an empty answer that asks for TCP, where the query is answered; truncate(hole), \
            truncate(fin), truncate(rst): no answer comes there, or the connection ends
            """,
            "A(api.test)#1=wrong(10.0.0.1)":
                "other addresses than the right ones; wrong: an unused one",
            "A(api.test)#*=rotate(127.0.0.1,127.0.0.2)": """
            one of these in each answer, in turn; rotate: one of the right ones
            """,
            "*(api.test)#*=dead-first": """
            an unused address before the right ones; dead-first(127.0.0.9): this one
            """,
            "A(api.test)#*=ttl(0)": "an answer that may not be kept",
            "A(api.test)#1=cname-loop": "an alias that leads back to itself",
        ]
    ) { a throws(ScheduleError) in
        throw a.scanner.error("'\(a.name)' is no effect of its own", at: a.start)
    }
}
