extension CommandTable {
    private static let transferDetails = [
        """
        A connection that breaks is made again by itself, after a delay that grows at random, and \
        goes on at the byte where it stopped; nothing is put together that does not belong \
        together. What the server cannot resume begins again only with --restart-from-zero.
        """,
        """
        Control-C pauses: the same command goes on later, and so does --resume FILE after a crash \
        or a restart of the machine. Exit code 75 means that this is possible.
        """,
    ]

    static let downloadCommand = CommandSpecification(
        name: "download",
        summary: "Download files and resume by range requests, whatever the network does",
        details: transferDetails + [
            """
            The bytes go to NAME.part, which becomes NAME when it is whole. NAME.resume says how \
            to go on; it is JSON, holds no content, and is readable by its owner only. Ranges are \
            asked for with If-Range and a strong validator; a 206 is used only if it continues \
            what is there, and a 200 takes its place without being asked to: it brings the whole \
            object.
            """
        ],
        examples: [
            .init(
                command: "linkcond download http://127.0.0.1:8000/bytes/10000000 -o ten.bin",
                meaning: "through a proxy that runs on port 8000"
            ),
            .init(
                command: "linkcond download --resume ten.bin.resume",
                meaning: "go on after a crash"
            ),
            .init(
                command: "linkcond download https://example.org/a.iso --sha256 HEX --explain",
                meaning: "check the whole, and say why each request is made"
            ),
            .init(
                command: "linkcond --profile lte --path-socket /tmp/path",
                meaning: "a proxy that tells what the path is like; then, elsewhere:"
            ),
            .init(
                command: "linkcond download URL --no-expensive --path /tmp/path",
                meaning: "only while the path costs nothing"
            ),
        ],
        operands: [
            OperandSpecification(
                value: ValueSpecification(name: "URL"),
                isOptional: true,
                isRepeatable: true
            )
        ],
        options: [
            OptionSpecification(
                long: "output",
                short: "o",
                value: ValueSpecification(name: "FILE|FOLDER", completion: .file),
                help: """
                    Where the file goes; - is standard output. A file that is there is replaced. \
                    Default: the last part of the URL, in the working folder, if there is no such \
                    file yet.
                    """,
                group: .transfer
            ),
            OptionSpecification(
                long: "jobs",
                short: "j",
                value: ValueSpecification(name: "N"),
                help: "So many downloads at once (1 to 64). Default: 1.",
                group: .transfer
            ),
            OptionSpecification(
                long: "keep-coding",
                help: """
                    Store content as it comes if the server sends it coded (Content-Encoding), \
                    though it was asked not to. Otherwise that is an error.
                    """,
                group: .transfer
            ),
        ] + TransferOptionSpecifications.common
    )

    static let uploadCommand = CommandSpecification(
        name: "upload",
        summary: "Upload a file and resume it, by the IETF draft or tus",
        details: transferDetails + [
            """
            The first request carries the whole file. A server that supports resumable uploads \
            answers with 104 and a URL; after a break the client asks there how much has arrived \
            and sends the rest. Without support the same request is a plain upload.
            """
        ],
        examples: [
            .init(
                command: "linkcond upload a.mov http://127.0.0.1:8000/files",
                meaning: "by the IETF draft (interop version 6), or plainly"
            ),
            .init(
                command: "linkcond upload a.mov https://tus.example.org/files --protocol tus",
                meaning: "by tus 1.0.0"
            ),
            .init(
                command: "linkcond upload a.mov URL --header @token.txt --digest",
                meaning: "with fields from a file, and a digest that the server checks"
            ),
        ],
        operands: [
            OperandSpecification(
                value: ValueSpecification(name: "FILE", completion: .file),
                isOptional: true
            ),
            OperandSpecification(value: ValueSpecification(name: "URL"), isOptional: true),
        ],
        options: TransferOptionSpecifications.upload + TransferOptionSpecifications.common
    )
}

/// Options of `download` and `upload`.
enum TransferOptionSpecifications {
    static let upload: [OptionSpecification] = [
        OptionSpecification(
            long: "protocol",
            value: ValueSpecification(
                name: "NAME",
                completion: .words(["ietf", "tus", "plain", "auto"])
            ),
            help: """
                ietf (the default) needs no question beforehand; tus; plain never resumes; auto \
                asks by OPTIONS first.
                """,
            group: .transfer
        ),
        OptionSpecification(
            long: "interop",
            value: ValueSpecification(name: "N", completion: .words(["3", "5", "6", "8"])),
            help: "The interop version of the IETF draft: 3, 5, 6 (the default) or 8.",
            group: .transfer
        ),
        OptionSpecification(
            long: "careful",
            help: "Create the upload by an empty request first; the server must support it.",
            group: .transfer
        ),
        OptionSpecification(
            long: "append-size",
            value: ValueSpecification(name: "SIZE"),
            help: "At most so many bytes in one append, for example 8MiB.",
            group: .transfer
        ),
        OptionSpecification(
            long: "digest",
            help: "Compute the SHA-256 of the file, send it, and compare it with the answer's.",
            group: .transfer
        ),
        OptionSpecification(
            long: "digest-appends",
            help: "Send a digest with each append (Content-Digest, or Upload-Checksum of tus).",
            group: .transfer
        ),
        OptionSpecification(
            long: "metadata",
            value: ValueSpecification(name: "KEY=VALUE"),
            help: "tus: Upload-Metadata, for example filename=a.mov.",
            group: .transfer,
            isRepeatable: true
        ),
        OptionSpecification(
            long: "want-response",
            help: "Version 8: fetch the final answer also if the upload is found complete.",
            group: .transfer
        ),
        OptionSpecification(
            long: "method",
            value: ValueSpecification(name: "NAME", completion: .words(["POST", "PUT"])),
            help: "Of the first request. Default: POST.",
            group: .transfer
        ),
        OptionSpecification(
            long: "response",
            value: ValueSpecification(name: "FILE", completion: .file),
            help: "Write the body of the final answer here (64 KiB at most); - is standard output.",
            group: .output
        ),
    ]

    static let common = transfer + request + retry + path + output

    private static let transfer: [OptionSpecification] = [
        OptionSpecification(
            long: "resume",
            value: ValueSpecification(name: "FILE", completion: .file),
            help: "Go on from these resume data; nothing else needs to be given.",
            group: .transfer
        ),
        OptionSpecification(
            long: "resume-data",
            value: ValueSpecification(name: "FILE", completion: .file),
            help: """
                Keep resume data here. Default: NAME.resume, beside the file; of an upload by run or \
                explore in the folder of the run.
                """,
            group: .transfer
        ),
        OptionSpecification(
            long: "fresh",
            help: "Begin at zero, whatever an earlier run has left.",
            group: .transfer
        ),
        OptionSpecification(
            long: "restart-from-zero",
            help: "Begin again by itself what cannot be resumed. On in the background.",
            group: .transfer
        ),
        OptionSpecification(
            long: "background",
            help: """
                In a process of its own that outlives this one, tries for days, and begins again \
                what cannot be resumed; see `linkcond transfers`.
                """,
            group: .transfer
        ),
        OptionSpecification(
            long: "id",
            value: ValueSpecification(name: "NAME"),
            help: "The name of a background transfer. Chosen and printed if not given.",
            group: .transfer
        ),
        OptionSpecification(
            long: "sha256",
            value: ValueSpecification(name: "HEX"),
            help: "The SHA-256 that the whole must have.",
            group: .transfer
        ),
    ]

    private static let request: [OptionSpecification] = [
        OptionSpecification(
            long: "header",
            value: ValueSpecification(name: "FIELD|@FILE", completion: .file),
            help: """
                A field of the requests, as in 'Accept: text/plain', or a file with one field in \
                each line. Authorization and Cookie only from a file: other users see arguments. \
                To another host, port or scheme than the URL's (a redirect, an upload's Location) \
                go only harmless ones, such as Accept and User-Agent.
                """,
            group: .request,
            isRepeatable: true
        ),
        OptionSpecification(
            long: "cacert",
            value: ValueSpecification(name: "FILE", completion: .file),
            help: "Trust the authorities in this PEM file, too, beside the system's.",
            group: .request
        ),
        OptionSpecification(
            long: "insecure",
            help: "Accept any certificate of an https server; says so.",
            group: .request
        ),
        OptionSpecification(
            long: "unix-socket",
            value: ValueSpecification(name: "PATH", completion: .file),
            help: "Connect to this socket, whatever the host of the URL.",
            group: .request
        ),
    ]

    private static let retry: [OptionSpecification] = [
        OptionSpecification(
            long: "max-attempts",
            value: ValueSpecification(name: "N"),
            help: "Give up after so many failures in total. Default: 100.",
            group: .retry
        ),
        OptionSpecification(
            long: "max-failures",
            value: ValueSpecification(name: "N"),
            help: "Give up after so many failures in a row without progress. Default: 8.",
            group: .retry
        ),
        OptionSpecification(
            long: "deadline",
            value: ValueSpecification(name: "TIME"),
            help: "Give up after this time, for example 10min. Default: none.",
            group: .retry
        ),
        OptionSpecification(
            long: "retry-after-max",
            value: ValueSpecification(name: "TIME"),
            help: "Give up if the server asks for a longer wait. Default: 5min.",
            group: .retry
        ),
        OptionSpecification(
            long: "connect-timeout",
            value: ValueSpecification(name: "TIME"),
            help: "How long a connection may take to come about. Default: 10s.",
            group: .retry
        ),
        OptionSpecification(
            long: "idle-timeout",
            value: ValueSpecification(name: "TIME"),
            help: "How long nothing may move. Default: 30s.",
            group: .retry
        ),
        OptionSpecification(
            long: "no-auto-resume",
            help: "End at the first failure, with resume data.",
            group: .retry
        ),
        OptionSpecification(
            long: "strict-4xx",
            help: "Never try again after a 4xx, not even 408 and 429.",
            group: .retry
        ),
        OptionSpecification(
            long: "seed",
            value: OptionSpecification.seed.value,
            help: "Fixes the random delays (0 to 2^64-1). Chosen if not given.",
            group: .retry,
            environment: OptionSpecification.seed.environment
        ),
    ]

    private static let path: [OptionSpecification] = [
        OptionSpecification(
            long: "path",
            value: ValueSpecification(name: "FILE|none", completion: .file),
            help: """
                Where the status of the network path comes from: the --path-socket of a proxy, or \
                a file with one line of JSON such as {"status":"satisfied","isExpensive":true}. \
                Further keys: isConstrained, interface, power; status may be unsatisfied. \
                Default: none.
                """,
            group: .path,
            environment: "LINKCOND_PATH"
        ),
        OptionSpecification(
            long: "no-constrained",
            help: "Do not use a path that saves data (Low Data Mode).",
            group: .path
        ),
        OptionSpecification(
            long: "no-expensive",
            help: "Do not use a path that costs money, such as a cellular one.",
            group: .path
        ),
        OptionSpecification(
            long: "wait-for-connectivity",
            help: "Wait for a path without counting attempts; begin when there is one.",
            group: .path
        ),
        OptionSpecification(
            long: "user-initiated",
            help:
                "Somebody waits for this: lifts --no-constrained, --no-expensive, --discretionary.",
            group: .path
        ),
        OptionSpecification(
            long: "discretionary",
            help: "Begin only on a cheap, unconstrained path of a device with power.",
            group: .path
        ),
        OptionSpecification(
            long: "not-before",
            value: ValueSpecification(name: "TIME"),
            help: "Do not begin before: 10min from now, or 2026-12-31T22:00:00Z.",
            group: .path
        ),
        OptionSpecification(
            long: "expect-send",
            value: ValueSpecification(name: "SIZE"),
            help: "How much will be sent; smaller transfers begin first.",
            group: .path
        ),
        OptionSpecification(
            long: "expect-receive",
            value: ValueSpecification(name: "SIZE"),
            help: "How much will be received.",
            group: .path
        ),
    ]

    private static let output: [OptionSpecification] = [
        OptionSpecification(
            long: "progress",
            value: ValueSpecification(
                name: "FORM",
                completion: .words(["auto", "bar", "lines", "jsonl", "none"])
            ),
            help: """
                On standard error: auto (the default: bar on a terminal, else lines), bar, lines \
                (one in 10 s), jsonl (every record as JSON), none.
                """,
            group: .output
        ),
        OptionSpecification(
            long: "explain",
            help: "Say why each request, wait and restart happens.",
            group: .output
        ),
        OptionSpecification(
            long: "interim",
            help: "Show interim answers (1xx) with their fields.",
            group: .output
        ),
        .json,
        OptionSpecification(
            long: "quiet",
            short: "q",
            help: "Only errors.",
            group: .output
        ),
        .noColor, .help,
    ]
}
