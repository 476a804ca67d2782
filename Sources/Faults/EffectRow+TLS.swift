internal import Basics

// Faults of TLS.
extension EffectRow {
    static let certificate = EffectRow(
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
        ]
    ) { a throws(ScheduleError) in try .certificate(a.choice(like: "expired")) }

    static let alert = EffectRow(
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
            a fatal alert of RFC 8446 §6 instead of a ServerHello; by name or number
            """
        ]
    ) { a throws(ScheduleError) in try .alert(a.alert(like: "handshake_failure")) }

    static let alpn = EffectRow(
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
        ]
    ) { a throws(ScheduleError) in try .alpn(a.choice(like: "none")) }

    static let refuseTicket = EffectRow(
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
        ]
    ) { a throws(ScheduleError) in try a.plain(.refuseTicket) }
}
