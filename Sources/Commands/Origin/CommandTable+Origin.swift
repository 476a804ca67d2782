internal import HTTPTransport

extension CommandTable {
    static let originCommand = CommandSpecification(
        name: "origin",
        summary: "Serve files and take resumable uploads: a server to test clients with",
        details: [
            """
            An HTTP/1.1 server whose downloads can be resumed (ranges, If-Range, strong validators) \
            and whose uploads can be: by the IETF's drafts (interop versions 3, 5, 6 and 8), by \
            tus 1.0.0, or all at once by POST and PUT. A byte that it has acknowledged survives \
            its end, also by SIGKILL, and the loss of power.
            """,
            """
            With a folder it serves the files in it; uploads go to DIR/files and are never written \
            over another file. Without one it serves /bytes/N?seed=S, N bytes of known content, and \
            keeps uploads in a private folder that goes with it.
            """,
            """
            --misbehave makes it a bad server, the same way every time, by counting requests: \
            503@1-3,retry-after=2 for the first three, append:lose=1000@2, drop-104, \
            mutate=grow@2, ignore-range. `curl -X PUT -d RULES URL/.linkcond/misbehaviour` does so \
            while it runs; `linkcond help misbehaviour` has all of them. /.linkcond/state says what \
            was received and given, as JSON.
            """,
        ],
        examples: [
            .init(
                command: "linkcond origin",
                meaning: "/bytes/N, and uploads for as long as it runs"
            ),
            .init(command: "linkcond origin ./site --listen 127.0.0.1:8080", meaning: "a folder"),
            .init(
                command: "linkcond origin --misbehave 'object:503@1,retry-after=1; mutate=grow@3'",
                meaning: "busy at first, then the object changes"
            ),
            .init(
                command: "linkcond origin --rufh off --access-log -",
                meaning: "no resumable uploads by the IETF's drafts; requests as JSON Lines"
            ),
        ],
        operands: [
            OperandSpecification(
                value: ValueSpecification(name: "DIR", completion: .file),
                isOptional: true
            )
        ],
        options: originListening + originObjects + originUploads + originRunning,
        readsConfiguration: true,
        // Where a proxy listens, an origin beside it cannot.
        sharesConfiguration: false
    )

    private static let originListening: [OptionSpecification] = [
        OptionSpecification(
            long: "listen",
            value: ValueSpecification(name: "ADDRESS"),
            help: """
                Where clients connect: 127.0.0.1:8000, [::1]:8000 or unix:/path; port 0 takes a \
                free one. Default: 127.0.0.1:0.
                """,
            group: .addresses,
            isRepeatable: true
        ),
        OptionSpecification(
            long: "allow-remote",
            help: "Allow --listen addresses that other machines can reach.",
            group: .addresses,
            isConfigurable: false
        ),
    ]

    private static let originObjects: [OptionSpecification] = [
        choice(
            "ranges",
            OriginOptions.onOff,
            "Whether range requests are understood. Default: on."
        ),
        choice(
            "multirange",
            OriginOptions.onOff,
            "Whether several ranges in one are. Default: on."
        ),
        choice("etag", ["strong", "weak", "none"], "Entity tags of objects. Default: strong."),
        choice(
            "last-modified",
            ["exact", "coarse", "none"],
            """
            Dates of objects. coarse: they do not promise that no second change came within the \
            second, so If-Range with a date never holds. Default: exact.
            """
        ),
        framing,
    ]

    /// How answers with an object tell where it ends; for all test servers.
    static let framing = choice(
        "framing",
        ContentFraming.allCases.map(\.rawValue),
        """
        How the test server tells where an object ends. length: by Content-Length. chunked: in \
        chunks, without a length. close: by nothing but the end of the connection, which also a \
        cut can be. Default: length.
        """
    )

    private static let originUploads: [OptionSpecification] = [
        OptionSpecification(
            long: "rufh",
            value: ValueSpecification(name: "VERSIONS"),
            help: """
                Interop versions of the IETF's resumable uploads that are understood, of 3,5,6,8; \
                others make a plain upload. off: none. final: requests without a version too. \
                Default: 3,5,6,8.
                """,
            group: .uploads
        ),
        choice("tus", OriginOptions.onOff, "Whether tus 1.0.0 is. Default: on.", .uploads),
        choice(
            "plain",
            OriginOptions.onOff,
            "Whether other POST and PUT are. Default: on.",
            .uploads
        ),
        choice(
            "location",
            ["relative", "absolute"],
            """
            How an upload's address is given. An absolute one is made from Host and may lead a \
            client around a proxy. Default: relative.
            """,
            .uploads
        ),
        choice(
            "ids",
            ["random", "seeded"],
            "seeded: the same names of uploads every time, by --seed; on loopback only.",
            .uploads
        ),
        choice(
            "commit",
            ["write", "fsync"],
            """
            When a byte counts as stored. write: it survives the end of the program. fsync: it \
            survives the loss of power. Default: fsync with DIR, write without.
            """,
            .uploads
        ),
        choice(
            "completed",
            ["replay", "reject", "gone"],
            """
            What an empty last request to a complete upload gets: the final answer again, 400 or \
            410. Version 6 is always refused. Default: replay.
            """,
            .uploads
        ),
        size(
            "progress-bytes",
            """
            Stored bytes from one progress 104 to the next; 0B for none. Default: 256KiB, and more \
            for large requests, so that no client gets more than it takes.
            """
        ),
        OptionSpecification(
            long: "interim",
            value: ValueSpecification(name: "CODES"),
            help: "Interim responses to send before each answer, of 102,103.",
            group: .uploads
        ),
        size("max-size", "Largest upload; more gets 413. Default: no limit."),
        size("min-size", "Smallest upload."),
        size("max-append", "Largest body of one request of versions 6 and 8."),
        size("min-append", "Smallest one, but for the last."),
        size("quota", "Bytes that uploads may take, finished or not; more gets 507."),
        OptionSpecification(
            long: "max-open",
            value: ValueSpecification(name: "N"),
            help: "Unfinished uploads; one more gets 503. Default: 10000.",
            group: .uploads
        ),
        time("expire", "Life of an unfinished upload from its creation. Default: no end."),
        time("keep-complete", "How long a complete upload is remembered. Default: 1h."),
    ]

    private static let originRunning: [OptionSpecification] = [
        OptionSpecification(
            long: "misbehave",
            value: ValueSpecification(name: "RULES"),
            help: "What goes wrong, and with which request; see above. Several add up.",
            group: .running,
            isRepeatable: true
        ),
        OptionSpecification(
            long: "seed",
            value: ValueSpecification(name: "N"),
            help: "For --ids seeded (0 to 2^64-1). Default: 0.",
            group: .running,
            environment: "LINKCOND_SEED"
        ),
        time(
            "idle",
            "Close a connection on which nothing moves for so long. Default: 2min.",
            .running
        ),
        time("duration", "End after this time, for example 30s or 5min.", .running),
        OptionSpecification(
            long: "ready-file",
            value: ValueSpecification(name: "FILE", completion: .file),
            help: """
                Write a JSON file with url, host, port and pid once connections are accepted; it \
                appears complete.
                """,
            group: .running,
            isConfigurable: false
        ),
        OptionSpecification(
            long: "ready-fd",
            value: ValueSpecification(name: "N"),
            help: "The same JSON on an open descriptor, which is then closed.",
            group: .running,
            isConfigurable: false
        ),
        OptionSpecification(
            long: "access-log",
            value: ValueSpecification(name: "FILE", completion: .file),
            help: """
                Each request and what became of it, as JSON Lines: at and took are \
                microseconds (from the start, and for the request), bytesIn counts content, \
                bytesOut all that was sent. - is standard output.
                """,
            group: .output,
            isConfigurable: false
        ),
        OptionSpecification(
            long: "state",
            value: ValueSpecification(name: "FILE", completion: .file),
            help: """
                At the end write what was received and given as JSON: each upload with size, \
                SHA-256, protocol, creations and completions; each object. - is standard output.
                """,
            group: .output,
            isConfigurable: false
        ),
        .json,
        OptionSpecification(
            long: "quiet",
            short: "q",
            help: "Only the first line on standard output, and errors.",
            group: .output
        ),
        OptionSpecification(
            long: "verbose",
            short: "v",
            help: "Also a line for each request.",
            group: .output
        ),
        .noColor, .noConfiguration, .help,
    ]

    private static func choice(
        _ name: String,
        _ words: [String],
        _ help: String,
        _ group: OptionGroup = .objects
    ) -> OptionSpecification {
        OptionSpecification(
            long: name,
            value: ValueSpecification(
                name: words.joined(separator: "|"),
                completion: .words(words)
            ),
            help: help,
            group: group
        )
    }

    private static func size(_ name: String, _ help: String) -> OptionSpecification {
        OptionSpecification(
            long: name,
            value: ValueSpecification(name: "SIZE"),
            help: help,
            group: .uploads
        )
    }

    private static func time(
        _ name: String,
        _ help: String,
        _ group: OptionGroup = .uploads
    ) -> OptionSpecification {
        OptionSpecification(
            long: name,
            value: ValueSpecification(name: "TIME"),
            help: help,
            group: group
        )
    }
}
