internal import Basics

// Faults of messages inside a stream.
extension EffectRow {
    static let ofMessagesInside: [EffectRow] = [
        EffectRow(
            .closeFrame,
            "close",
            at: [.webSocketEdge],
            family: .end,
            rank: 5,
            [.endsStream, .closesClient, .drains],
            near: .fin,
            far: .fin,
            search: .standard(32),
            examples: [
                "c1/r1:ws.down[1]=close(1011)": """
                after the first WebSocket message, the client gets a close frame with this code, then \
                the end of the stream
                """
            ],
            form: EffectForm { a throws(ScheduleError) in
                try .closeFrame(a.closeCode(like: "1011"))
            } write: {
                if case .closeFrame(let code) = $0 { ["\(code)"] } else { nil }
            }
        )
    ]
}
