internal import Basics
internal import HTTP2

// Faults of HTTP/2 connections and streams.
extension EffectRow {
    static let ofHTTP2: [EffectRow] = [
        EffectRow(
            .resetStream,
            "rst-stream",
            at: [.request, .response, .interim, .inside],
            family: .end,
            rank: 7,
            [.endsStream, .takesSee, .needsStream],
            far: .rst,
            search: .standard(18),
            examples: [
                "c1/r1:req.head=rst-stream(REFUSED_STREAM)": """
                HTTP/2 only: the stream is reset with this code from RFC 9113 §7, or a number. \
                REFUSED_STREAM promises that the server has done nothing.
                """
            ],
            form: EffectForm { a throws(ScheduleError) in
                try .resetStream(a.errorCode(like: "REFUSED_STREAM"))
            } write: {
                if case .resetStream(let code) = $0 { [code.name] } else { nil }
            }
        ),
        EffectRow(
            .goAway,
            "goaway",
            at: [.request, .response, .interim],
            family: .end,
            rank: 7,
            [.endsStream, .takesSee, .needsStream],
            search: .standard(19),
            examples: [
                "c1/r2:req.head=goaway": """
                HTTP/2 only: GOAWAY that leaves this stream and later ones unprocessed; the client \
                should repeat them on another connection
                """,
                "c1/r1:resp.body+9=goaway(this)": """
                GOAWAY after which this stream continues, and no later one is processed; \
                goaway(INTERNAL_ERROR) names an error
                """,
            ],
            form: .goAway
        ),
        EffectRow(
            .settings,
            "settings",
            at: [.request, .response, .interim],
            family: .damage,
            rank: 1,
            [.excusesFailure, .needsStream, .actsInPassing],
            search: .standard(29),
            examples: [
                "c1/r1:resp.head=settings(max-streams=0)": """
                HTTP/2 only: SETTINGS for the client, as if the server had changed its mind. Also \
                initial-window=0, header-table=0 and frame-size=32768; separate several with commas.
                """
            ],
            form: EffectForm { a throws(ScheduleError) in
                try .settings(a.settings(like: "max-streams=0"))
            } write: {
                if case .settings(let settings) = $0 { settings.map(\.canonicalText) } else { nil }
            }
        ),
        EffectRow(
            .withholdWindow,
            "window",
            at: [.request],
            family: .silence,
            rank: 1,
            [.silences, .needsStream, .actsInPassing],
            search: .onRequest(30),
            examples: [
                "c1/r1:req.body+1=window(0)": """
                HTTP/2 only: no further WINDOW_UPDATE for this stream reaches the client, and its \
                upload stops once its window is used up; window(0,connection) stops all streams
                """
            ],
            form: .window
        ),
        EffectRow(
            .holdPings,
            "ping",
            at: [.request, .response, .interim, .webSocket],
            family: .silence,
            rank: 1,
            [.needsStream, .actsInPassing],
            examples: [
                "c1/r1:resp.head=ping(hold)":
                    "HTTP/2 only: the client's pings are no longer answered",
                "c1/r1:ws.down[1]=ping(hold)":
                    "from the first WebSocket message on, no pong reaches the client",
            ],
            form: EffectForm { a throws(ScheduleError) in
                try a.choice("value", [("hold", .holdPings)], like: "hold")
            } write: {
                $0 == .holdPings ? ["hold"] : nil
            }
        ),
        EffectRow(
            .malformed,
            "malformed",
            at: [.request, .response, .interim],
            family: .damage,
            rank: 2,
            [.excusesFailure, .needsStream, .actsInPassing],
            search: .standard(31),
            examples: [
                "c1/r1:resp.head=malformed(window-zero)": """
                HTTP/2 only: a frame that obliges the client to end the connection: \
                \(MalformedFrame.allCases.map(\.rawValue).joined(separator: ", "))
                """
            ],
            form: .choice(Effect.malformed, like: "window-zero") {
                if case .malformed(let value) = $0 { value } else { nil }
            }
        ),
    ]
}
