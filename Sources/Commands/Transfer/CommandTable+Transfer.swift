internal import Arguments

extension CommandTable {
    private static let transferDetails = [
        """
        After a broken connection the transfer reconnects, with randomized exponential backoff, \
        and continues at the byte where it stopped. Parts are joined only if a strong validator \
        proves that they match. If the server cannot resume, the transfer restarts only with \
        --restart-from-zero.
        """,
        """
        Control-C pauses: the same command continues later, and so does --resume FILE, even after \
        a crash or a reboot. Exit code 75 means that the transfer can be resumed.
        """,
    ]

    static let downloadCommand = CommandSpecification(
        name: "download",
        summary: "Download files, resuming with range requests",
        details: transferDetails + [
            """
            The bytes are written to NAME.part, which is renamed to NAME once complete. NAME.resume \
            holds the resume data: JSON without content, readable by its owner only. Range \
            requests carry If-Range with a strong validator. A 206 is used only if it continues the \
            stored bytes; a 200 replaces them, since it carries the whole object.
            """
        ],
        examples: [
            .init(
                command: "linkcond download http://127.0.0.1:8000/bytes/10000000 -o ten.bin",
                meaning: "through a proxy on port 8000"
            ),
            .init(
                command: "linkcond download --resume ten.bin.resume",
                meaning: "continue after a crash"
            ),
            .init(
                command: "linkcond download https://example.org/a.iso --sha256 HEX --explain",
                meaning: "verify the file, and explain each request"
            ),
            .init(
                command: "linkcond --profile lte --path-socket /tmp/path",
                meaning: "a proxy that publishes the path status; then, elsewhere:"
            ),
            .init(
                command: "linkcond download URL --no-expensive --path /tmp/path",
                meaning: "download only while the path is not expensive"
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
                    Output file; - is standard output. An existing file is replaced. Default: the \
                    last part of the URL, in the working folder, unless that file exists.
                    """,
                group: .transfer
            ),
            OptionSpecification(
                long: "jobs",
                short: "j",
                value: ValueSpecification(name: "N"),
                help: "Parallel downloads (1 to 64). Default: 1.",
                group: .transfer
            ),
            OptionSpecification(
                long: "keep-coding",
                help: """
                    Store content as sent if the server encodes it (Content-Encoding) despite \
                    being asked not to. Without this option, that is an error.
                    """,
                group: .transfer
            ),
        ] + TransferOptionSpecifications.common
    )

    static let uploadCommand = CommandSpecification(
        name: "upload",
        summary: "Upload a file, resuming with the IETF draft or tus",
        details: transferDetails + [
            """
            The first request carries the whole file. A server that supports resumable uploads \
            responds with 104 and a URL; after an interruption, the client asks that URL how much \
            has arrived and sends the rest. For any other server, the same request is a plain \
            upload.
            """
        ],
        examples: [
            .init(
                command: "linkcond upload a.mov http://127.0.0.1:8000/files",
                meaning: "IETF draft (interop version 6), else a plain upload"
            ),
            .init(
                command: "linkcond upload a.mov https://tus.example.org/files --protocol tus",
                meaning: "tus 1.0.0"
            ),
            .init(
                command: "linkcond upload a.mov URL --header @token.txt --digest",
                meaning: "header fields from a file, and a digest for the server to verify"
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
