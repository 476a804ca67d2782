internal import Basics

// Faults of the bytes of a connection, and of connecting.
extension EffectRow {
    static let ofBytes: [EffectRow] = [
        EffectRow(
            .reset,
            "rst",
            at: [.byte, .request, .response, .interim, .idle, .tls, .lull, .inside],
            family: .end,
            rank: 7,
            [.endsStream, .closesClient, .takesSee],
            near: .rst,
            far: .rst,
            search: .standard(1),
            examples: [
                "c1:down+1048576=rst": """
                1 MiB, then a reset: reading fails with "connection reset by peer". The \
                server's connection is reset, too.
                """,
                "c1:tls.hello=rst": "the first message under TLS is answered with a reset",
                "c1/r1:sse[3]=rst": "the client receives three server-sent events, then a reset",
                "c1/r1:grpc.down[2]+0=rst": "the stream is reset before the second gRPC message",
                "c1/r1:ws.down[2]+10=rst": """
                the client receives ten bytes of the second WebSocket message, its header included, \
                then a reset
                """,
                "c1:tls.handshake=rst": "the client receives the ServerHello, then a reset",
                "c*:idle(90s)=rst": """
                a middlebox that forgets: after 90 seconds without traffic in either direction, both \
                sides are reset
                """,
            ],
            form: .plain(.reset)
        ),
        EffectRow(
            .finish,
            "fin",
            at: [.byte, .request, .response, .interim, .idle, .tls, .inside],
            family: .end,
            rank: 6,
            [.endsStream, .closesClient, .takesSee, .drains],
            near: .fin,
            far: .fin,
            search: .standard(0),
            examples: [
                "c*/3:up+1..65536=fin": """
                the server receives at most 64 KiB, then a clean end of the stream; the request or \
                body is merely too short. The client sees an end, too.
                """,
                "c1:tls.record[3]=fin": """
                the client receives two TLS records (32,768 bytes of content) and half of the third; \
                then the stream ends
                """,
            ],
            form: .plain(.finish)
        ),
        EffectRow(
            .hole,
            "hole",
            at: [.byte, .request, .response, .interim, .idle, .datagram, .tls, .inside],
            family: .silence,
            rank: 4,
            [.endsStream, .silences, .takesSee, .endsConnection],
            far: .hole,
            search: .standard(2),
            examples: [
                "c1:down+5000=hole": """
                silence: nothing more arrives, the connection stays open, and what the server sends is \
                discarded. The client must rely on its own timeout; what it sends, including its end, \
                still reaches the server.
                """,
                "c1:down+5000=hole(30s)": "silence for 30 seconds, then both sides are reset",
                "c1:down+5000=hole(both)":
                    "silence in both directions; hole(both,30s) ends in resets",
                "u1:down#9=hole(5s)": """
                from the ninth datagram on, nothing arrives for five seconds; then the flow continues
                """,
            ],
            form: .hole
        ),
        EffectRow(
            .stall,
            "stall",
            at: [.byte, .request, .response, .interim, .datagram, .tls, .inside],
            family: .silence,
            rank: 2,
            [.silences, .waits, .takesSee, .stalls],
            search: .standard(3),
            examples: [
                "c2:down+100=stall(5s)": """
                nothing for five seconds, then everything held back is delivered; no byte is lost
                """
            ],
            form: EffectForm { a throws(ScheduleError) in
                try .stall(a.hold())
            } write: {
                if case .stall(let hold) = $0 { [hold.canonicalText] } else { nil }
            }
        ),
        EffectRow(
            .slow,
            "slow",
            at: [.byte, .request, .response, .interim, .inside],
            family: .silence,
            rank: 0,
            .letsAnswerPass,
            examples: [
                "c1:down+5000=slow(64kbit/s)": "the rest of the stream at this rate"
            ],
            form: EffectForm { a throws(ScheduleError) in
                try .slow(a.bitRate(like: "64kbit/s"))
            } write: {
                if case .slow(let rate) = $0 { [Quantity.text(rate)] } else { nil }
            }
        ),
        EffectRow(
            .corrupt,
            "corrupt",
            at: [.byte, .requestByte, .responseByte, .datagram, .record],
            family: .damage,
            rank: 9,
            [.changesByte, .letsAnswerPass, .actsInPassing],
            search: .onRequest(24),
            examples: [
                "c1:down+5000=corrupt": """
                one bit of byte 5,000 is flipped, chosen by the seed; everything else \
                passes unchanged
                """,
                "c1:tls.record[2]=corrupt":
                    "one bit of the second TLS record is flipped; its receiver must notice",
                "u*/1rtt:down?2%=corrupt": """
                in two percent of the datagrams with a 1-RTT packet, one bit of that packet is \
                flipped; corrupt(50) stays in its first 50 bytes
                """,
            ],
            form: .corruption
        ),
        EffectRow(
            .refuse,
            "refuse",
            at: [.connect],
            family: .end,
            [.endsStream, .closesClient],
            search: .standard(4),
            examples: [
                "c*?10%:connect=refuse": """
                accepted, then reset at the client's first byte or after 100 ms: \
                connecting succeeds, the first read or write fails. The server sees \
                nothing.
                """,
                "c1:connect=refuse(3)": "this connection and the next two",
            ],
            form: EffectForm { a throws(ScheduleError) in
                try .refuse(a.connections())
            } write: {
                if case .refuse(let count) = $0 { count == 1 ? [] : ["\(count)"] } else { nil }
            }
        ),
        EffectRow(
            .silent,
            "silent",
            at: [.connect, .lull],
            family: .silence,
            [.endsStream, .silences],
            search: .onRequest(6),
            examples: [
                "c2:connect=silent":
                    "accepted and never answered; silent(2) for two connections",
                "c*:idle(90s)=silent": """
                a NAT that forgets: after 90 seconds without traffic in either direction, nothing \
                passes any more, but the connection stays open
                """,
            ],
            form: EffectForm { a throws(ScheduleError) in
                a.area == .lull ? try a.plain(.silent(1)) : try .silent(a.connections())
            } write: {
                if case .silent(let count) = $0 { count == 1 ? [] : ["\(count)"] } else { nil }
            }
        ),
        EffectRow(
            .down,
            "down",
            at: [.connect],
            family: .end,
            .waits,
            examples: [
                "c2:connect=down(until=c1/r1:resp.end)": """
                in place of the second connection, nothing listens until the first response is \
                complete; down(2s): for two seconds
                """
            ],
            form: EffectForm { a throws(ScheduleError) in
                try .down(a.hold())
            } write: {
                if case .down(let hold) = $0 { [hold.canonicalText] } else { nil }
            }
        ),
        EffectRow(
            .purge,
            "purge",
            at: [.byte, .request, .response],
            family: .answer,
            rank: 1,
            [.letsAnswerPass, .actsInPassing],
            examples: [
                "c1:down+5000=purge(*.part)": """
                the client's files with such names in {dir} are removed, as if the system had \
                cleared its caches; combined with c1:down+5000=rst, this happens while the \
                transfer waits for its next attempt. Only with run, replay and explore.
                """
            ],
            form: EffectForm { a throws(ScheduleError) in
                try .purge(a.glob(like: "*.part"))
            } write: {
                if case .purge(let names) = $0 { [names.canonicalText] } else { nil }
            }
        ),
    ]
}
