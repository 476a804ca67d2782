internal import Arguments
internal import HTTPTransport

extension CommandTable {
    static let originCommand = CommandSpecification(
        name: "origin",
        summary: "Serve files and accept resumable uploads: a server to test clients with",
        details: [
            """
            An HTTP server with resumable downloads (ranges, If-Range, strong validators) and \
            resumable uploads: the IETF draft (interop versions 3, 5, 6 and 8) and tus 1.0.0, as \
            well as plain POST and PUT. An acknowledged byte survives SIGKILL and, with DIR or \
            --commit fsync, power loss.
            """,
            """
            With DIR it serves the files in that folder; uploads go to DIR/files, and existing files \
            are never overwritten. Without DIR it serves /bytes/N?seed=S, N bytes of known content, \
            and keeps uploads in a private folder that is removed on exit.
            """,
            """
            --misbehave makes the server misbehave on certain requests, the same every time: \
            503@1-3,retry-after=2 for the first three, append:lose=1000@2, drop-104, \
            mutate=grow@2, ignore-range. `curl -X PUT -d RULES URL/.linkcond/misbehaviour` changes \
            the rules while it runs; `linkcond help misbehaviour` lists them all. /.linkcond/state \
            reports what was received and sent, as JSON.
            """,
            """
            With --upload-to, it is a gateway: it speaks the resumable protocols with clients, and \
            forwards each complete upload to another server as one ordinary request, even after a \
            restart. It does not send a request again if that server may already have acted on it.
            """,
        ],
        examples: [
            .init(
                command: "linkcond origin",
                meaning: "/bytes/N, and uploads kept until it exits"
            ),
            .init(
                command: "linkcond origin ./site --listen 127.0.0.1:8080",
                meaning: "serve a folder"
            ),
            .init(
                command: "linkcond origin --misbehave 'object:503@1,retry-after=1; mutate=grow@3'",
                meaning: "busy at first; later the object changes"
            ),
            .init(
                command: "linkcond origin --https",
                meaning: "over TLS, with a generated certificate"
            ),
            .init(
                command: "linkcond origin ./partial --upload-to http://127.0.0.1:9000",
                meaning: "resumable uploads for a server that has none"
            ),
            .init(
                command: "linkcond origin --ietf-versions off --access-log -",
                meaning: "without the IETF draft; requests logged as JSON Lines"
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

    private static let originListening: [OptionSpecification] =
        [
            OptionSpecification(
                long: "listen",
                value: ValueSpecification(name: "ADDRESS"),
                help: """
                    Address for clients: 127.0.0.1:8000, [::1]:8000 or unix:/path. Port 0 picks a free \
                    port. Default: 127.0.0.1:0.
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
            OptionSpecification(
                long: "http1",
                help: "Speak only HTTP/1.1. Default: also HTTP/2, with clients that choose it.",
                group: .addresses
            ),
            OptionSpecification(
                long: "https",
                help: """
                    Serve https, with --tls-cert or a certificate from your own authority; \
                    `linkcond ca` helps to make clients trust it.
                    """,
                group: .tls
            ),
        ] + OptionSpecification.serverCertificate

    private static let originObjects: [OptionSpecification] = [
        choice(
            "ranges",
            OriginOptions.onOff,
            "Support range requests. Default: on."
        ),
        choice(
            "multirange",
            OriginOptions.onOff,
            "Support several ranges in one request. Default: on."
        ),
        choice("etag", ["strong", "weak", "none"], "Entity tags of objects. Default: strong."),
        choice(
            "last-modified",
            ["exact", "coarse", "none"],
            """
            Last-Modified of objects. coarse: as if the object could change twice within a second, \
            so If-Range with a date never matches. Default: exact.
            """
        ),
        framing,
    ]

    /// How responses delimit an object; for all test servers.
    static let framing = choice(
        "framing",
        ContentFraming.allCases.map(\.rawValue),
        """
        How the test server delimits an object: length (Content-Length), chunked (no length), or \
        close (the end of the connection, which looks like a cut). Default: length.
        """
    )

    private static let originUploads: [OptionSpecification] = [
        OptionSpecification(
            long: "upload-to",
            value: ValueSpecification(name: "URL"),
            help: """
                Act as a gateway to this http or https server: forward each complete upload as one \
                request, with the client's method, target and fields, and the response back to the \
                client; pass all other requests on. DIR keeps incomplete uploads. The URL must not \
                have a path.
                """,
            group: .uploads
        ),
        OptionSpecification(
            long: "on-complete",
            value: ValueSpecification(name: "CMD"),
            help: """
                Run this shell command for each complete upload before responding to the client; \
                if it fails, the client gets 500. Its environment has LINKCOND_FILE (the path) \
                and, with the same prefix, NAME, BYTES, UPLOAD, PROTOCOL, METHOD, TARGET and \
                METADATA.
                """,
            group: .uploads
        ),
        OptionSpecification(
            long: "ietf-versions",
            value: ValueSpecification(name: "VERSIONS"),
            help: """
                Interop versions of the IETF draft to support, out of 3,5,6,8; a request with any \
                other version is a plain upload. final: also requests without a version. off: \
                none. Default: 3,5,6,8.
                """,
            group: .uploads,
            former: ["rufh"]
        ),
        choice("tus", OriginOptions.onOff, "Support tus 1.0.0. Default: on.", .uploads),
        choice(
            "plain",
            OriginOptions.onOff,
            "Support plain uploads with POST and PUT. Default: on.",
            .uploads
        ),
        choice(
            "location",
            ["relative", "absolute"],
            """
            Form of an upload's URL. An absolute one is built from Host and can make a client \
            bypass a proxy. Default: relative.
            """,
            .uploads
        ),
        choice(
            "ids",
            ["random", "seeded"],
            "Names of uploads. seeded: the same every time, derived from --seed; loopback only. Default: random.",
            .uploads
        ),
        choice(
            "commit",
            ["write", "fsync"],
            """
            When a byte counts as stored: write (it survives the end of the process) or fsync (it \
            survives power loss). Default: fsync with DIR, otherwise write.
            """,
            .uploads
        ),
        choice(
            "completed",
            ["replay", "reject", "gone"],
            """
            Response to an empty last request for a complete upload: replay (the final response \
            again), reject (400) or gone (410). In version 6, it is always refused. Default: replay.
            """,
            .uploads
        ),
        size(
            "progress-bytes",
            """
            Stored bytes between two 104 responses with progress; 0B turns them off. Default: \
            256KiB, or more for large requests, to limit their number.
            """
        ),
        OptionSpecification(
            long: "interim",
            value: ValueSpecification(name: "CODES"),
            help: "Interim responses to send before each final one, out of 102,103. Default: none.",
            group: .uploads
        ),
        size("max-size", "Largest upload; a larger one gets 413. Default: no limit."),
        size("min-size", "Smallest upload. Default: no limit."),
        size("max-append", "Largest append (versions 6 and 8). Default: no limit."),
        size("min-append", "Smallest append, except the last. Default: no limit."),
        size(
            "quota",
            """
            Maximum total size of all uploads, complete or not; an upload that would exceed it \
            gets 507. Default: no limit.
            """
        ),
        OptionSpecification(
            long: "max-open",
            value: ValueSpecification(name: "N"),
            help: "Maximum number of incomplete uploads; further ones get 503. Default: 10000.",
            group: .uploads
        ),
        time("expire", "Lifetime of an incomplete upload from its creation. Default: unlimited."),
        time("keep-complete", "How long to remember a complete upload. Default: 1h."),
    ]

    private static let originRunning: [OptionSpecification] = [
        OptionSpecification(
            long: "misbehave",
            value: ValueSpecification(name: "RULES"),
            help: "Misbehave on some requests; see above, and `linkcond help misbehaviour`.",
            group: .running,
            isRepeatable: true
        ),
        OptionSpecification(
            long: "seed",
            value: ValueSpecification(name: "N"),
            help: "Seed for --ids seeded (0 to 2^64-1). Default: 0.",
            group: .running,
            environment: "LINKCOND_SEED"
        ),
        time(
            "idle",
            "Close a connection after this time without a byte. Default: 2min.",
            .running
        ),
        time("duration", "Exit after this time, for example 30s or 5min.", .running),
        .readyFile(once: "connections are accepted", with: "url, host, port and pid"),
        .readyDescriptor,
        OptionSpecification(
            long: "access-log",
            value: ValueSpecification(name: "FILE", completion: .file),
            help: """
                Log each request as a JSON line: `at` (since the start) and `took` (the duration) \
                are in microseconds, `bytesIn` counts content, `bytesOut` everything sent. - is \
                standard output.
                """,
            group: .output,
            isConfigurable: false
        ),
        OptionSpecification(
            long: "state",
            value: ValueSpecification(name: "FILE", completion: .file),
            help: """
                On exit, write what was received and sent as JSON: each upload with size, SHA-256, \
                protocol, creations and completions, and each object. - is standard output.
                """,
            group: .output,
            isConfigurable: false
        ),
        .json,
        .serviceQuiet,
        OptionSpecification(
            long: "verbose",
            short: "v",
            help: "Also print a line for each request.",
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
