extension HelpTopic {
    static let misbehaviour = HelpTopic(
        name: "misbehaviour",
        summary: "What the origin does wrong on request",
        introduction: [
            """
            `linkcond origin --misbehave RULES`, or PUT RULES to /.linkcond/misbehaviour of one that \
            runs. Rules look at nothing but how many requests came, so a run can be repeated. They \
            count from when they were given; GET shows them, DELETE takes them back.
            """,
            """
            A rule is [SCOPE:]EFFECT[=VALUE][@REQUESTS]. Several are separated by semicolons, or \
            stand in lines of their own. What happened is in the access log as `misbehaviour`.
            """,
        ],
        sections: [
            Section(
                heading: "Requests, counted from 1 within the scope",
                text: nil,
                entries: [
                    .init(term: "503@3", meaning: "the third"),
                    .init(term: "503@1-3", meaning: "the first three"),
                    .init(term: "503@2-", meaning: "all from the second on"),
                    .init(term: "503", meaning: "all"),
                ]
            ),
            Section(
                heading: "Scopes",
                text: nil,
                entries: [
                    .init(term: "any", meaning: "every request; what a status means by itself"),
                    .init(term: "upload", meaning: "all that concern uploads"),
                    .init(term: "creation", meaning: "the first request of an upload"),
                    .init(term: "append", meaning: "PATCH"),
                    .init(term: "status", meaning: "HEAD of an upload, or GET (version 8)"),
                    .init(term: "cancel", meaning: "DELETE of an upload"),
                    .init(term: "object", meaning: "GET or HEAD of a file or of /bytes/N"),
                ]
            ),
            Section(
                heading: "Effects on any request",
                text: nil,
                entries: [
                    .init(term: "503@1-3", meaning: "this status (400 to 599) and nothing else"),
                    .init(term: "503@1,retry-after=2", meaning: "... and come back in 2 seconds"),
                    .init(term: "503@1,retry-after-date=2", meaning: "... the same as a date"),
                ]
            ),
            Section(
                heading: "Effects on uploads",
                text: nil,
                entries: [
                    .init(term: "drop-104", meaning: "no interim response 104 is sent"),
                    .init(
                        term: "append:forget@2",
                        meaning: "the upload is forgotten before the request is looked at"
                    ),
                    .init(
                        term: "status:lose=1000@1",
                        meaning: "its last 1,000 bytes are lost before: the offset falls"
                    ),
                    .init(
                        term: "append:max-append-size=1000@2",
                        meaning:
                            "from then on an append takes 1,000 bytes at most, and so it is said"
                    ),
                    .init(
                        term: "creation:max-size=1000000@2",
                        meaning: "from then on no upload may be larger"
                    ),
                    .init(
                        term: "slow-final=2s",
                        meaning: "so long from the end of the body to the answer; also 500ms"
                    ),
                ]
            ),
            Section(
                heading: "Effects on downloads: the object changes, for good",
                text: nil,
                entries: [
                    .init(term: "mutate=same-size@2", meaning: "other bytes, as many"),
                    .init(term: "mutate=grow@2", meaning: "more bytes"),
                    .init(term: "mutate=shrink@2", meaning: "fewer bytes"),
                    .init(term: "mutate=touch@2", meaning: "the same bytes, new validators"),
                    .init(term: "mutate=weak-etag@2", meaning: "other bytes, the tag made weak"),
                    .init(term: "mutate=lm-only@2", meaning: "other bytes, only the date tells"),
                    .init(
                        term: "mutate=same-second@2",
                        meaning: "other bytes and a new tag, within the second of the last change"
                    ),
                ]
            ),
            Section(
                heading: "Effects on downloads: what is said of the object",
                text: nil,
                entries: [
                    .init(term: "etag=weak", meaning: "or strong, or none"),
                    .init(
                        term: "last-modified=coarse",
                        meaning: "a date that never holds; or exact, or none"
                    ),
                ]
            ),
            Section(
                heading: "Effects on downloads: wrong answers",
                text: nil,
                entries: [
                    .init(term: "ignore-range", meaning: "200 and everything to a range request"),
                    .init(
                        term: "shift-range=-10",
                        meaning:
                            "a part that begins 10 bytes before what was asked for, and says so"
                    ),
                    .init(term: "no-content-range", meaning: "206 that does not say which part"),
                    .init(term: "wrong-total", meaning: "206 with another complete length"),
                    .init(term: "200-partial", meaning: "a part, but with 200"),
                    .init(term: "short=1000", meaning: "206 of 1,000 bytes at most"),
                    .init(term: "multipart", meaning: "one part in the form that is for several"),
                    .init(
                        term: "gzip",
                        meaning: "in gzip form, asked for or not, under the same tag"
                    ),
                    .init(term: "false-gzip", meaning: "said to be gzip, and it is not"),
                    .init(term: "304", meaning: "not modified, though nobody asked"),
                    .init(term: "416", meaning: "the range is none, though it is one"),
                ]
            ),
        ]
    )
}
