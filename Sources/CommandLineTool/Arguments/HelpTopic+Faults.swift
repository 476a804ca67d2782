extension HelpTopic {
    static let faults = HelpTopic(
        name: "faults",
        summary: "What --fault can do, and what the peers see",
        introduction: [
            """
            A fault is WHICH:WHERE=WHAT, as in c1:down+1048576=rst. Give --fault as often as you \
            like; `faults:` in a profile is a list of the same. Quote it: a shell has its own idea \
            of *, ? and parentheses.
            """,
            """
            Offsets behind up and down count every byte of the connection from 0, the heads of \
            HTTP messages and TLS records too. "Exactly" is literal: before a reset linkcond waits until the receiver's \
            kernel has acknowledged every byte before it. A fault that was never reached is named \
            in the summary; `linkcond plan` shows what a fault would do.
            """,
        ],
        sections: [
            Section(
                heading: "Which connections, in the order in which they are accepted",
                text: nil,
                entries: [
                    .init(term: "c1", meaning: "the first one"),
                    .init(term: "c*", meaning: "every one"),
                    .init(term: "c*/3", meaning: "every third: 3, 6, 9 and so on"),
                    .init(term: "c2/3", meaning: "every third from the second: 2, 5, 8 and so on"),
                    .init(
                        term: "c*?10%",
                        meaning: "each with a chance of one in ten, drawn from the seed"
                    ),
                ]
            ),
            Section(
                heading: "Where",
                text: nil,
                entries: [
                    .init(
                        term: ":down+5000",
                        meaning: "once the client has received exactly 5,000 bytes"
                    ),
                    .init(
                        term: ":up+64KiB",
                        meaning: "once the server has received exactly 65,536 bytes"
                    ),
                    .init(
                        term: ":down+1..65536",
                        meaning: "a number in this range, drawn from the seed for each connection"
                    ),
                    .init(
                        term: ":down+0",
                        meaning: "as soon as the connection is open, before any byte"
                    ),
                    .init(
                        term: ":connect",
                        meaning: "instead of opening it; goes with refuse, silent and down"
                    ),
                ]
            ),
            Section(
                heading: "What happens to the receiver: of :down the client, of :up the server",
                text: nil,
                entries: [
                    .init(
                        term: "c1:down+1048576=rst",
                        meaning: """
                            1 MiB, then a reset: reading fails with "connection reset by peer". The \
                            server's connection is reset, too.
                            """
                    ),
                    .init(
                        term: "c*/3:up+1..65536=fin",
                        meaning: """
                            the server gets up to 64 KiB, then the end of the stream in good order; \
                            a request or body is just too short. The client sees an end, too.
                            """
                    ),
                    .init(
                        term: "c1:down+5000=hole",
                        meaning: """
                            silence: nothing more arrives, nothing is closed, what the server sends \
                            vanishes. The client waits until its own timeout; what it sends goes on \
                            to the server, and so does its end.
                            """
                    ),
                    .init(
                        term: "c1:down+5000=hole(30s)",
                        meaning: "silence for 30 seconds, then both sides are reset"
                    ),
                    .init(
                        term: "c1:down+5000=hole(both)",
                        meaning: """
                            silence both ways, so that the server hears nothing more either; \
                            hole(both,30s) ends in resets
                            """
                    ),
                    .init(
                        term: "c2:down+100=stall(5s)",
                        meaning: """
                            nothing for five seconds, then everything that was held goes on; no \
                            byte is lost
                            """
                    ),
                    .init(
                        term: "c1:down+5000=slow(64kbit/s)",
                        meaning: "the rest of the stream at this rate"
                    ),
                    .init(
                        term: "c1:down+5000=corrupt",
                        meaning: """
                            one bit of the byte at 5,000 is flipped, which one by the seed; all else \
                            goes on
                            """
                    ),
                    .init(
                        term: "c*?10%:connect=refuse",
                        meaning: """
                            accepted, and reset when the client says something or after 100 ms: \
                            connecting succeeds, the first read or write fails. The server sees \
                            nothing.
                            """
                    ),
                    .init(
                        term: "c1:connect=refuse(3)",
                        meaning: "this connection and the two that follow"
                    ),
                ]
            ),
            Section(
                heading: "What the other side sees, with rst, fin and hole",
                text: """
                    Without far= it sees the same as the receiver with rst and fin; with hole, what is \
                    said there.
                    """,
                entries: [
                    .init(
                        term: "c1:up+5000=rst,far=hole",
                        meaning: """
                            the server is reset, the client hears nothing of it: its connection is \
                            half-open
                            """
                    ),
                    .init(
                        term: "c1:down+5000=rst,far=fin",
                        meaning: "the client is reset, the server sees an end in good order"
                    ),
                    .init(
                        term: "c1:down+5000=fin,far=rst",
                        meaning: "the client sees an early end, the server is reset"
                    ),
                ]
            ),
        ] + requestFaults
    )
}
