internal import Arguments

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
                Upload protocol: ietf (needs no request beforehand), tus, plain (never resumes), \
                or auto (asks with OPTIONS first). Default: ietf.
                """,
            group: .transfer
        ),
        OptionSpecification(
            long: "interop",
            value: ValueSpecification(name: "N", completion: .words(["3", "5", "6", "8"])),
            help: "Interop version of the IETF draft: 3, 5, 6 or 8. Default: 6.",
            group: .transfer
        ),
        OptionSpecification(
            long: "careful",
            help: "Create the upload with an empty request first; the server must support it.",
            group: .transfer
        ),
        OptionSpecification(
            long: "append-size",
            value: ValueSpecification(name: "SIZE"),
            help: "Largest append, for example 8MiB. Default: no limit.",
            group: .transfer
        ),
        OptionSpecification(
            long: "digest",
            help: "Send the SHA-256 of the file, and compare it with the one in the response.",
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
            help: "Add Upload-Metadata (tus), for example filename=a.mov.",
            group: .transfer,
            isRepeatable: true
        ),
        OptionSpecification(
            long: "form",
            value: ValueSpecification(name: "NAME"),
            help: """
                Send the file as this field of a form (multipart/form-data), as a web page does; \
                the upload is still resumable. Not with tus.
                """,
            group: .transfer
        ),
        OptionSpecification(
            long: "form-field",
            value: ValueSpecification(name: "KEY=VALUE"),
            help: "Another field of the form, before the file.",
            group: .transfer,
            isRepeatable: true
        ),
        OptionSpecification(
            long: "want-response",
            help:
                "Fetch the final response even of an upload that is already complete (version 8).",
            group: .transfer
        ),
        OptionSpecification(
            long: "method",
            value: ValueSpecification(name: "NAME", completion: .words(["POST", "PUT"])),
            help: "Method of the first request. Default: POST.",
            group: .transfer
        ),
        OptionSpecification(
            long: "response",
            value: ValueSpecification(name: "FILE", completion: .file),
            help: "Write the body of the final response (up to 64 KiB) here. - is standard output.",
            group: .output
        ),
    ]

    static let common = transfer + request + retry + path + output

    private static let transfer: [OptionSpecification] = [
        OptionSpecification(
            long: "resume",
            value: ValueSpecification(name: "FILE", completion: .file),
            help: "Resume from this file of resume data; no other argument is needed.",
            group: .transfer
        ),
        OptionSpecification(
            long: "resume-data",
            value: ValueSpecification(name: "FILE", completion: .file),
            help: """
                File for resume data. Default: NAME.resume next to the file; for an upload under \
                run or explore, in the folder of the run.
                """,
            group: .transfer
        ),
        OptionSpecification(
            long: "fresh",
            help: "Start from zero and discard what an earlier run stored.",
            group: .transfer
        ),
        OptionSpecification(
            long: "restart-from-zero",
            help: """
                Restart automatically if the transfer cannot be resumed. Implied by --background.
                """,
            group: .transfer
        ),
        OptionSpecification(
            long: "background",
            help: """
                Hand the transfer to a worker process that outlives this one, retries for days, \
                and restarts if it cannot resume; see `linkcond transfers`.
                """,
            group: .transfer
        ),
        OptionSpecification(
            long: "id",
            value: ValueSpecification(name: "NAME"),
            help: "Name of the background transfer. Default: chosen and printed.",
            group: .transfer
        ),
        OptionSpecification(
            long: "sha256",
            value: ValueSpecification(name: "HEX"),
            help: "Expected SHA-256 of the file.",
            group: .transfer
        ),
    ]

    static let header = OptionSpecification(
        long: "header",
        value: ValueSpecification(name: "FIELD|@FILE", completion: .file),
        help: """
            Header field to send, as in 'Accept: text/plain', or a file with one field per \
            line. Authorization and Cookie are accepted only from a file, since other users can \
            see arguments. To another host, port or scheme (after a redirect, or an upload's \
            Location) only harmless fields are sent, such as Accept and User-Agent.
            """,
        group: .request,
        isRepeatable: true
    )

    static let authorities = OptionSpecification(
        long: "cacert",
        value: ValueSpecification(name: "FILE", completion: .file),
        help: "Trust the authorities in this PEM file as well as the system's.",
        group: .request
    )

    static let insecure = OptionSpecification(
        long: "insecure",
        help: "Accept any server certificate, with a warning.",
        group: .request
    )

    private static let request: [OptionSpecification] = [
        header, authorities, insecure,
        OptionSpecification(
            long: "http1",
            help: "Use HTTP/1.1 even with https servers that support HTTP/2.",
            group: .request
        ),
        OptionSpecification(
            long: "unix-socket",
            value: ValueSpecification(name: "PATH", completion: .file),
            help: "Connect to this Unix socket instead of the URL's host.",
            group: .request
        ),
    ]

    private static let retry: [OptionSpecification] = [
        OptionSpecification(
            long: "max-attempts",
            value: ValueSpecification(name: "N"),
            help: "Maximum number of failures in total (1 to 1000000). Default: 100.",
            group: .retry
        ),
        OptionSpecification(
            long: "max-failures",
            value: ValueSpecification(name: "N"),
            help: """
                Maximum number of failures in a row without progress (1 to 1000000). Default: 8.
                """,
            group: .retry
        ),
        OptionSpecification(
            long: "deadline",
            value: ValueSpecification(name: "TIME"),
            help: "Give up after this time, for example 10min. Default: never.",
            group: .retry
        ),
        OptionSpecification(
            long: "retry-after-max",
            value: ValueSpecification(name: "TIME"),
            help: "Longest Retry-After to honour; give up on a longer one. Default: 5min.",
            group: .retry
        ),
        OptionSpecification(
            long: "connect-timeout",
            value: ValueSpecification(name: "TIME"),
            help: "Connect timeout. Default: 10s.",
            group: .retry
        ),
        OptionSpecification(
            long: "idle-timeout",
            value: ValueSpecification(name: "TIME"),
            help: "Idle timeout: longest time without a byte. Default: 30s.",
            group: .retry
        ),
        OptionSpecification(
            long: "no-auto-resume",
            help: "Exit on the first failure and keep resume data.",
            group: .retry
        ),
        OptionSpecification(
            long: "strict-4xx",
            help: "Never retry after a 4xx, not even 408, 425 or 429.",
            group: .retry
        ),
        OptionSpecification(
            long: "seed",
            value: OptionSpecification.seed.value,
            help: "Seed of the random delays (0 to 2^64-1). Default: random.",
            group: .retry,
            environment: OptionSpecification.seed.environment
        ),
    ]

    private static let path: [OptionSpecification] = [
        OptionSpecification(
            long: "path",
            value: ValueSpecification(name: "FILE|none", completion: .file),
            help: """
                Source of the network path's status: the --path-socket of a proxy, or a file with \
                one line of JSON such as {"status":"satisfied","isExpensive":true}. Other keys: \
                isConstrained, interface, power, betterPath; status may also be unsatisfied. Default: none.
                """,
            group: .path,
            environment: "LINKCOND_PATH"
        ),
        OptionSpecification(
            long: "no-constrained",
            help: "Do not use a constrained path (Low Data Mode).",
            group: .path
        ),
        OptionSpecification(
            long: "no-expensive",
            help: "Do not use an expensive path, such as a cellular one.",
            group: .path
        ),
        OptionSpecification(
            long: "move-to-better-path",
            help: "Move to a new connection when the path's status reports betterPath.",
            group: .path
        ),
        OptionSpecification(
            long: "wait-for-connectivity",
            help: "Wait for a path without counting attempts, and start once there is one.",
            group: .path
        ),
        OptionSpecification(
            long: "user-initiated",
            help:
                "A user is waiting: lift --no-constrained, --no-expensive and --discretionary.",
            group: .path
        ),
        OptionSpecification(
            long: "discretionary",
            help: """
                Start only on an inexpensive, unconstrained path, with the device plugged in. With \
                --background, discretionary transfers take turns: one at a time, the smallest first.
                """,
            group: .path
        ),
        OptionSpecification(
            long: "not-before",
            value: ValueSpecification(name: "TIME"),
            help: "Earliest start: after a time such as 10min, or at 2026-12-31T22:00:00Z.",
            group: .path
        ),
        OptionSpecification(
            long: "expect-send",
            value: ValueSpecification(name: "SIZE"),
            help: """
                Bytes expected to be sent; smaller transfers start first, in the background among \
                those with --discretionary.
                """,
            group: .path
        ),
        OptionSpecification(
            long: "expect-receive",
            value: ValueSpecification(name: "SIZE"),
            help: """
                Bytes expected to be received; smaller transfers start first, in the background \
                among those with --discretionary. Once, or once for each URL.
                """,
            group: .path,
            isRepeatable: true
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
                Progress on standard error: bar, lines (one every 10 s), jsonl (every record as \
                JSON), none, or auto (bar on a terminal, else lines). Default: auto.
                """,
            group: .output
        ),
        OptionSpecification(
            long: "explain",
            help: "Explain each request, wait and restart.",
            group: .output
        ),
        OptionSpecification(
            long: "interim",
            help: "Show interim responses (1xx) with their fields.",
            group: .output
        ),
        .json,
        OptionSpecification(
            long: "quiet",
            short: "q",
            help: "Print errors only.",
            group: .output
        ),
        .noColor, .help,
    ]
}
