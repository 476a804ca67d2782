internal import Basics

// Faults of TLS.
extension EffectRow {
    static let ofTLS: [EffectRow] = [
        EffectRow(
            .certificate,
            "certificate",
            at: [.hello],
            family: .end,
            rank: 1,
            .excusesFailure,
            search: .standard(25),
            examples: [
                "c1:tls.hello=certificate(expired)": """
                the client gets a certificate that it must reject: expired, not-yet-valid, wrong-name, \
                self-signed, no-chain (its issuer is not sent), wrong-usage (for clients only)
                """
            ],
            form: .choice(Effect.certificate, like: "expired") {
                if case .certificate(let value) = $0 { value } else { nil }
            }
        ),
        EffectRow(
            .alert,
            "alert",
            at: [.hello],
            family: .end,
            rank: 5,
            [.endsStream, .closesClient, .drains, .excusesFailure],
            near: .fin,
            far: .fin,
            search: .standard(26),
            examples: [
                "c1:tls.hello=alert(handshake_failure)": """
                a fatal alert from RFC 8446 §6 instead of a ServerHello; by name or number
                """
            ],
            form: EffectForm { a throws(ScheduleError) in
                try .alert(a.alert(like: "handshake_failure"))
            } write: {
                if case .alert(let alert) = $0 { [alert.canonicalText] } else { nil }
            }
        ),
        EffectRow(
            .alpn,
            "alpn",
            at: [.hello],
            family: .end,
            rank: 1,
            .excusesFailure,
            near: .fin,
            search: .standard(27),
            examples: [
                "c1:tls.hello=alpn(none)": """
                no protocol is agreed on (ALPN), which means HTTP/1.1; alpn(h2) and alpn(http/1.1) \
                accept only that protocol, and reject a client that does not offer it
                """
            ],
            form: .choice(Effect.alpn, like: "none") {
                if case .alpn(let value) = $0 { value } else { nil }
            }
        ),
        EffectRow(
            .refuseTicket,
            "no-ticket",
            at: [.hello],
            family: .end,
            rank: 1,
            search: .onRequest(28),
            examples: [
                "c2:tls.hello=no-ticket": """
                the session that the client wants to resume is no longer known; a full handshake \
                follows
                """
            ],
            form: .plain(.refuseTicket)
        ),
        EffectRow(
            .rejectEarlyData,
            "no-early-data",
            at: [.hello],
            family: .end,
            rank: 1,
            search: .onRequest(29),
            examples: [
                "c2:tls.hello=no-early-data": """
                what the client sends before the handshake is complete (0-RTT) is rejected; it must \
                send that again
                """
            ],
            form: .plain(.rejectEarlyData)
        ),
    ]
}
