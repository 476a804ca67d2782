internal import Basics

// Faults of datagrams.
extension EffectRow {
    static let ofDatagrams: [EffectRow] = [
        EffectRow(
            .drop,
            "drop",
            at: [.datagram, .wholeMessage],
            family: .datagrams,
            rank: 1,
            search: .standard(20),
            examples: [
                "u1:down#3=drop": "the third datagram for the client of the first flow is lost",
                "u1/initial:up#1..3=drop":
                    "the first three that contain a QUIC Initial packet are lost",
                "c1/r1:ws.down[2]=drop": "the second WebSocket message never arrives",
                "c1/r1:sse[2]=drop": """
                the second server-sent event becomes a comment of the same length
                """,
            ],
            form: .plain(.drop)
        ),
        EffectRow(
            .reorder,
            "reorder",
            at: [.datagram],
            family: .datagrams,
            rank: 2,
            search: .standard(22),
            examples: [
                "u1:down#5=reorder(3)":
                    "the fifth datagram arrives after the eighth, or after 100 ms"
            ],
            form: EffectForm { a throws(ScheduleError) in
                try .reorder(UInt8(a.number(in: 1...100, like: "3", of: "datagrams")))
            } write: {
                if case .reorder(let count) = $0 { ["\(count)"] } else { nil }
            }
        ),
        EffectRow(
            .delay,
            "delay",
            at: [.datagram],
            family: .datagrams,
            rank: 2,
            examples: [
                "u1:down#5=delay(50ms)":
                    "the fifth datagram is 50 ms late; later ones may overtake it"
            ],
            form: EffectForm { a throws(ScheduleError) in
                try .delay(a.duration(like: "50ms"))
            } write: {
                if case .delay(let duration) = $0 { [Quantity.text(duration)] } else { nil }
            }
        ),
        EffectRow(
            .packetLimit,
            "mtu",
            at: [.datagram],
            family: .datagrams,
            rank: 1,
            examples: [
                "u1:down=mtu(1300)": """
                an MTU black hole: datagrams that make IP packets of more than 1,300 bytes are \
                silently lost
                """
            ],
            form: EffectForm { a throws(ScheduleError) in
                try .packetLimit(UInt16(a.number(in: 29...65_535, like: "1300", of: "bytes")))
            } write: {
                if case .packetLimit(let bytes) = $0 { ["\(bytes)"] } else { nil }
            }
        ),
        EffectRow(
            .mark,
            "ecn",
            at: [.datagram],
            family: .datagrams,
            rank: 3,
            examples: [
                "u*:down?10%=ecn(ce)": """
                if the sender supports ECN, its datagrams are marked CE (congestion experienced); \
                ecn(bleach) clears the field
                """
            ],
            form: .choice(Effect.mark, like: "ce") {
                if case .mark(let value) = $0 { value } else { nil }
            }
        ),
        EffectRow(
            .rebind,
            "rebind",
            at: [.datagram],
            family: .datagrams,
            rank: 0,
            search: .standard(21),
            examples: [
                "u1:up#100=rebind(port)": """
                before its hundredth datagram the flow gets a new port, as behind a NAT that forgot \
                it; datagrams to the old port are lost. rebind(address) uses 127.0.0.2 and so on \
                towards a server on this machine.
                """
            ],
            form: .choice(Effect.rebind, like: "port") {
                if case .rebind(let value) = $0 { value } else { nil }
            }
        ),
        EffectRow(
            .forget,
            "forget",
            at: [.datagram, .silence],
            family: .datagrams,
            rank: 0,
            search: .onRequest(23),
            examples: [
                "u*:idle(30s)=forget": """
                after 30 seconds without a datagram the flow is forgotten: what the server sends is \
                lost, and the client's next datagram comes from a new port
                """
            ],
            form: .plain(.forget)
        ),
    ]
}
