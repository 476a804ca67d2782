extension HelpTopic {
    static let control = HelpTopic(
        name: "control",
        summary: "How a running proxy is controlled over HTTP",
        introduction: [
            """
            `linkcond --control 127.0.0.1:0` prints where it listens and a token; each request \
            shows it: curl -H "Authorization: Bearer TOKEN" http://127.0.0.1:PORT/v1. A Unix \
            socket (--control unix:/path) is its owner's alone and needs no token. What changes \
            something is JSON and says so: -H "Content-Type: application/json".
            """,
            """
            Each change is complete when it is answered, is written to the journal, and is kept as \
            faults at the bytes where it took effect: GET /v1/schedule is a session by hand as a \
            line for `replay`. Mistakes are answered with the place and what was expected.
            """,
        ],
        sections: [
            Section(heading: "Resources", text: nil, entries: resources),
            Section(
                heading: "Actions",
                text: """
                    POST /v1/actions with {"action": WORD}; "connection": "c3" or "listener": 2 \
                    chooses, otherwise all of the run's own proxy, or of "proxy": "api", are meant.
                    """,
                entries: actions
            ),
        ]
    )

    private static let resources = [
        Entry(term: "/v1", meaning: "what runs, and every resource"),
        Entry(
            term: "/v1/proxies",
            meaning: """
                GET; POST {"name": "api", "upstream": "127.0.0.1:80"} makes another, with "listen", \
                "profile", "settings", "faults", "seed" and "enabled" if they are given
                """
        ),
        Entry(
            term: "/v1/proxies/default",
            meaning: """
                GET; PATCH or PUT {"profile": "lte", "settings": {"delay": "80ms"}, "faults": []} \
                switches for all connections at once; {"enabled": false} listens no more; DELETE \
                ends one that was made
                """
        ),
        Entry(
            term: "/v1/profiles/NAME",
            meaning: """
                GET; PUT a YAML or JSON profile for this run; GET /v1/profiles/current?proxy=api is \
                the one of a proxy
                """
        ),
        Entry(
            term: "/v1/connections",
            meaning: """
                GET ?limit=100&after=c3&proxy=api; DELETE /v1/connections/c3?kind=rst cuts one
                """
        ),
        Entry(
            term: "/v1/faults",
            meaning: """
                GET with what became of each; POST {"fault": "c1:down+1024=rst", "proxy": "api"}; \
                DELETE /v1/faults/f1
                """
        ),
        Entry(
            term: "/v1/events",
            meaning: """
                GET ?after=N&follow=true&proxy=api: the journal's records as lines; server-sent \
                events, also of rates, with Accept: text/event-stream; of one proxy until it ends
                """
        ),
        Entry(
            term: "/v1/exports/FORM",
            meaning: """
                GET the records as journal, as har: an HTTP Archive, or as pcapng: made-up packets
                """
        ),
        Entry(
            term: "/v1/wait",
            meaning: """
                GET ?for=connections&count=3&limit=30s answers once it is so, or 504; also for \
                fault, bytesDown, bytesUp and idle
                """
        ),
        Entry(
            term: "/v1/path",
            meaning: """
                GET what the path is like, as NWPath has it; PUT says something else; \
                /v1/path/stream tells changes
                """
        ),
        Entry(
            term: "/v1/meter",
            meaning: """
                GET bytes by what the path was like (free, expensive, constrained), requests started \
                then, bytes sent again or in vain, and the budget
                """
        ),
        Entry(
            term: "/v1/openapi.json",
            meaning: "GET the description for programs"
        ),
        Entry(
            term: "/v1/schedule",
            meaning: "GET what was done so far, as faults and a command; ?as=profile: as a profile"
        ),
        Entry(term: "/metrics", meaning: "GET in Prometheus' text format"),
        Entry(term: "/healthz, /readyz", meaning: "GET without a token"),
    ]

    private static let actions = [
        Entry(term: "cut", meaning: "ends connections; \"kind\": rst, fin or hole"),
        Entry(term: "pause, resume", meaning: "holds everything back, and lets it go on"),
        Entry(term: "stall", meaning: "holds everything back \"for\": \"5s\""),
        Entry(term: "refuse", meaning: "refuses the next \"count\" connections"),
        Entry(
            term: "outage, restore",
            meaning: "lets nothing over the link, \"for\" a time or until restore"
        ),
        Entry(term: "mark", meaning: "writes \"text\" to the journal"),
        Entry(term: "reset", meaning: "ends pauses, outage and refusals"),
    ]
}
