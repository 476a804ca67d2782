package import Basics
package import HTTP2

/// What a fault does.
///
/// This file declares each effect in full: its case, its row in the table, and how its values are
/// written. What it does to the traffic is up to the gates, and to the origin.
///
/// The near leg is the connection to the side that receives the direction of the fault's anchor,
/// the far leg the other one.
package enum Effect: Hashable, Sendable {
    // Endings.

    /// `rst`: the near leg is reset once all bytes up to the offset are acknowledged there.
    case reset
    /// `fin`: the near leg's sending side is shut down after the offset.
    case finish
    /// `hole`: nothing more is forwarded in this direction, or in `both`; nothing is closed.
    ///
    /// With a duration the silence ends in a reset of both legs, without it lasts until the
    /// client closes.
    case hole(both: Bool, for: Duration?)
    /// `truncate`: as `fin`, for content whose end no length tells: what arrived is whole chunks,
    /// or could be everything.
    case truncate

    /// `rst-stream(CODE)`: the stream of HTTP/2 is reset with this code, for the client.
    case resetStream(ErrorCode)
    /// `goaway(CODE)`: the client is told that the server takes no stream after this one, or after those
    /// before it, and the streams that it does not take are forgotten.
    case goAway(ErrorCode, takesThis: Bool)

    /// `settings(max-streams=0)`: the client is told other settings of the server.
    case settings([AnnouncedSetting])
    /// `window(0)`: the client gets no more room for its content, on its stream or the connection.
    case withholdWindow(ofConnection: Bool)
    /// `ping(hold)`: pings of the client are not answered.
    case holdPings
    /// `malformed(KIND)`: the client gets a frame that breaks a rule of RFC 9113.
    case malformed(BadFrame)

    // Changes that the stream survives.

    /// `stall`: silence for a while, then the held bytes flow on.
    case stall(Hold)
    /// `slow`: the rest of the stream, or of the message, flows at this rate.
    case slow(BitRate)
    /// `corrupt`: one drawn bit of the byte at the offset is flipped, then the stream goes on; of a
    /// datagram a drawn bit of its first bytes, `corrupt(50)`, or anywhere.
    case corrupt(within: UInt16?)

    // Connecting.

    /// `refuse(N)`: this connection and the N - 1 after it are accepted and reset, N ≥ 1.
    case refuse(UInt32)
    /// `silent(N)`: this connection and the N - 1 after it are accepted and never answered.
    case silent(UInt32)
    /// `down(D)`, `down(until=A)`: nothing listens in place of this connection, for a while.
    case down(Hold)

    // TLS.

    /// `certificate(expired)`: the client is shown a certificate that it must refuse.
    case certificate(CertificateFlaw)
    /// `alert(40)`: the client's first message is answered by this alert (RFC 8446 §6), and no more.
    case alert(TLSAlert)
    /// `alpn(none)`: of the protocols that the client offers this one is taken, or none.
    case alpn(TakenProtocol)
    /// `no-ticket`: the ticket by which the client wants to resume a session is not taken.
    case refuseTicket

    // Whole exchanges.

    /// `swallow`: the server's answer is read to its end, the client gets no more than `keep`, then
    /// its leg ends.
    case swallow(keep: KeptAnswer, ending: NearEnding)
    /// `late(K,until=A)`: K more bytes are read, then the client is reset; they reach the server
    /// once the event has happened.
    case late(UInt64, until: FaultAddress)
    /// `status(503)`: this answer, and the server hears nothing of the request.
    case status(InjectedMessage)
    /// `early(413)`: this answer before the content is read, then the end of the connection.
    case early(InjectedMessage)
    /// `inject(103)`: this interim response in addition.
    case inject(InjectedMessage)
    /// `withhold`: the client does not get this interim response.
    case withhold
    /// `dup`: the client gets this interim response twice.
    case duplicate
    /// `edit(location=…)`: these fields of the response have other values.
    case edit([InjectedField])
    /// `rst-on-next`: the kept connection is reset when the head of another request arrives.
    case resetOnNext
    /// `buffer(req)`, `buffer(resp)`: nothing passes before the whole message is there.
    case buffer(Direction)
    /// `strip(1xx)`: the client gets no interim response; a 101 is none.
    case strip

    // Datagrams.

    /// `drop`: the datagram never arrives.
    case drop
    /// `reorder(3)`: the datagram arrives after so many later ones, or with the next pause.
    case reorder(UInt8)
    /// `delay(50ms)`: the datagram alone arrives later by this.
    case delay(Duration)
    /// `mtu(1300)`: from this datagram on, those whose IP packet is longer never arrive.
    case packetLimit(UInt16)
    /// `ecn(ce)`: what the ECN field of the datagram becomes (RFC 3168 §5).
    case mark(CongestionMark)
    /// `rebind(port)`: from this datagram on, the flow comes from another port or address.
    case rebind(Rebinding)
    /// `forget`: what the server sends vanishes until the client sends again, from another port.
    case forget

    // The client's files.

    /// `purge(*.part)`: the client's files with such a name are removed, as a system removes caches.
    case purge(PathGlob)

    // The embedded origin.

    /// `crash`: the origin is killed and started again, with a part of its state lost.
    case crash(CrashLoss)
    /// `mutate`: from this request on the object is another one.
    case mutate(ObjectMutation)
    /// `range`: what the origin does wrong with a range request.
    case range(RangeMisbehaviour)
    /// `expire`: the upload is gone from this request on.
    case expire
    /// `limit`: what the origin says that it takes at most.
    case limit(UploadLimit, UInt64)

    // Name lookups.

    /// `servfail` and its like: what becomes of the answer, at the name server.
    case query(QueryEffect)
}

/// An effect without its values.
extension Effect {
    package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        case reset, finish, hole, stall, slow, corrupt, refuse, silent, down, swallow, late, status,
            early, inject, withhold, duplicate, edit, truncate, resetOnNext, buffer, strip, crash,
            mutate, range, expire, limit, resetStream, goAway, drop, reorder, delay, packetLimit,
            mark, rebind, forget, purge, certificate, alert, alpn, refuseTicket,
            settings, withholdWindow, holdPings, malformed, query
    }

    package var kind: Kind {
        switch self {
        case .reset: .reset
        case .finish: .finish
        case .hole: .hole
        case .stall: .stall
        case .slow: .slow
        case .corrupt: .corrupt
        case .refuse: .refuse
        case .silent: .silent
        case .down: .down
        case .swallow: .swallow
        case .late: .late
        case .status: .status
        case .early: .early
        case .inject: .inject
        case .withhold: .withhold
        case .duplicate: .duplicate
        case .edit: .edit
        case .truncate: .truncate
        case .resetOnNext: .resetOnNext
        case .buffer: .buffer
        case .strip: .strip
        case .crash: .crash
        case .mutate: .mutate
        case .range: .range
        case .expire: .expire
        case .limit: .limit
        case .resetStream: .resetStream
        case .goAway: .goAway
        case .drop: .drop
        case .reorder: .reorder
        case .delay: .delay
        case .packetLimit: .packetLimit
        case .mark: .mark
        case .rebind: .rebind
        case .forget: .forget
        case .purge: .purge
        case .certificate: .certificate
        case .alert: .alert
        case .alpn: .alpn
        case .refuseTicket: .refuseTicket
        case .settings: .settings
        case .withholdWindow: .withholdWindow
        case .holdPings: .holdPings
        case .malformed: .malformed
        case .query: .query
        }
    }
}

/// The table of effects.
extension Effect.Kind {
    package var declaration: EffectRow { Self.table[Int(rawValue)] }

    private static let table = allCases.map(\.declared)

    /// The word in a fault's text.
    package var name: String { declaration.name }

    /// The effect of this name; nil if there is none.
    package init?(named name: some StringProtocol) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }

    private var declared: EffectRow {
        switch self {
        case .reset:
            EffectRow(
                "rst",
                at: [.byte, .request, .response, .interim, .idle, .tls, .lull],
                rank: 7,
                [.endsStream, .closesClient, .takesSee],
                far: .rst,
                search: .standard(1),
                examples: [
                    "c1:down+1048576=rst": """
                    1 MiB, then a reset: reading fails with "connection reset by peer". The \
                    server's connection is reset, too.
                    """,
                    "c1:tls.hello=rst": "the first message under TLS is answered by a reset",
                    "c1:tls.handshake=rst": "the client has the ServerHello, then a reset",
                    "c*:idle(90s)=rst": """
                    a middlebox that forgets: once nothing has passed for 90 seconds in either \
                    direction, both sides are reset
                    """,
                ]
            ) { a throws(ScheduleError) in try a.plain(.reset) }
        case .finish:
            EffectRow(
                "fin",
                at: [.byte, .request, .response, .interim, .idle, .tls],
                rank: 6,
                [.endsStream, .closesClient, .takesSee, .drains],
                far: .fin,
                search: .standard(0),
                examples: [
                    "c*/3:up+1..65536=fin": """
                    the server receives at most 64 KiB, then a clean end of the stream; a \
                    request or body is just too short. The client sees an end, too.
                    """,
                    "c1:tls.record[3]=fin": """
                    the client has two TLS records, which are 32,768 bytes of content, and half of \
                    the third; then the stream ends
                    """,
                ]
            ) { a throws(ScheduleError) in try a.plain(.finish) }
        case .hole:
            EffectRow(
                "hole",
                at: [.byte, .request, .response, .interim, .idle, .datagram, .tls],
                rank: 4,
                [.endsStream, .silences, .takesSee],
                far: .hole,
                search: .standard(2),
                examples: [
                    "c1:down+5000=hole": """
                    silence: nothing more arrives, nothing is closed, and what the server \
                    sends is discarded. The client waits for its own timeout; what it sends, \
                    its end included, still reaches the server.
                    """,
                    "c1:down+5000=hole(30s)": "silence for 30 seconds, then both sides are reset",
                    "c1:down+5000=hole(both)":
                        "silence in both directions; hole(both,30s) ends in resets",
                    "u1:down#9=hole(5s)": """
                    from the ninth datagram on nothing arrives, for five seconds; then the flow \
                    goes on
                    """,
                ]
            ) { a throws(ScheduleError) in try a.hole() }
        case .stall:
            EffectRow(
                "stall",
                at: [.byte, .request, .response, .interim, .datagram, .tls],
                rank: 2,
                [.silences, .waits, .takesSee],
                search: .standard(3),
                examples: [
                    "c2:down+100=stall(5s)": """
                    nothing for five seconds, then everything held back continues; no byte is \
                    lost
                    """
                ]
            ) { a throws(ScheduleError) in try .stall(a.hold()) }
        case .slow:
            EffectRow(
                "slow",
                at: [.byte, .request, .response, .interim],
                rank: 0,
                examples: [
                    "c1:down+5000=slow(64kbit/s)": "the rest of the stream at this rate"
                ]
            ) { a throws(ScheduleError) in try .slow(a.bitRate(like: "64kbit/s")) }
        case .corrupt:
            EffectRow(
                "corrupt",
                at: [.byte, .requestByte, .responseByte, .datagram, .record],
                rank: 9,
                .changesByte,
                search: .onRequest(24),
                examples: [
                    "c1:down+5000=corrupt": """
                    one bit of byte 5,000 is flipped, chosen by the seed; everything else \
                    passes unchanged
                    """,
                    "c1:tls.record[2]=corrupt":
                        "one bit of the second TLS record is flipped; its receiver must notice",
                    "u*/1rtt:down?2%=corrupt": """
                    one bit of two percent of the datagrams with a 1-RTT packet is flipped, in \
                    that packet; corrupt(50) stays in its first 50 bytes
                    """,
                ]
            ) { a throws(ScheduleError) in try a.corruption() }
        case .refuse:
            EffectRow(
                "refuse",
                at: [.connect],
                [.endsStream, .closesClient],
                search: .standard(4),
                examples: [
                    "c*?10%:connect=refuse": """
                    accepted, then reset at the client's first byte or after 100 ms: \
                    connecting succeeds, the first read or write fails. The server sees \
                    nothing.
                    """,
                    "c1:connect=refuse(3)": "this connection and the next two",
                ]
            ) { a throws(ScheduleError) in try .refuse(a.connections()) }
        case .silent:
            EffectRow(
                "silent",
                at: [.connect, .lull],
                [.endsStream, .silences],
                search: .onRequest(6),
                examples: [
                    "c2:connect=silent":
                        "accepted and never answered; silent(2) for two connections",
                    "c*:idle(90s)=silent": """
                    a NAT that forgets: once nothing has passed for 90 seconds in either \
                    direction, nothing passes any more, and nothing is closed
                    """,
                ]
            ) { a throws(ScheduleError) in
                a.area == .lull ? try a.plain(.silent(1)) : try .silent(a.connections())
            }
        case .down:
            EffectRow(
                "down",
                at: [.connect],
                .waits,
                examples: [
                    "c2:connect=down(until=c1/r1:resp.end)": """
                    nothing listens when the second connection comes, until the first response \
                    is complete; down(2s) for two seconds
                    """
                ]
            ) { a throws(ScheduleError) in try .down(a.hold()) }
        case .swallow:
            EffectRow(
                "swallow",
                at: [.requestEnd],
                [.endsStream, .closesClient, .drains],
                search: .standard(5),
                examples: [
                    "POST(/f)#1:req.end=swallow": """
                    the server responds in full, but the client is reset before it learns \
                    that; swallow(keep=head,end=fin) delivers the head. keep= is none, \
                    interim, head or half.
                    """
                ]
            ) { a throws(ScheduleError) in try a.lostAnswer() }
        case .late:
            EffectRow(
                "late",
                at: [.request],
                rank: 3,
                [.endsStream, .closesClient, .waits, .takesSee],
                search: .standard(7),
                examples: [
                    "c1/r1:req.body+9=late(5,until=PATCH(/u/*)#2:req.end)": """
                    the client is reset; five more of its bytes reach the server on the old \
                    connection once that other request is complete
                    """
                ]
            ) { a throws(ScheduleError) in try a.lateBytes() }
        case .status:
            EffectRow(
                "status",
                at: [.request],
                search: .standard(8),
                examples: [
                    "c1/r1:req.head=status(503,retry-after=4)": """
                    linkcond responds, and the server never sees the request. Any status and \
                    fields; retry-after=date+4 for a date, close to end the connection.
                    """
                ]
            ) { a throws(ScheduleError) in try .status(a.message(200...999, like: 503)) }
        case .early:
            EffectRow(
                "early",
                at: [.requestHead],
                [.endsStream, .drains],
                search: .onRequest(9),
                examples: [
                    "c1/r1:req.head=early(413)":
                        "this response while the content is still arriving, then the end"
                ]
            ) { a throws(ScheduleError) in try .early(a.message(200...999, like: 413)) }
        case .inject:
            EffectRow(
                "inject",
                at: [.request],
                rank: 1,
                search: .standard(25),
                examples: [
                    "c1/r1:req.head=inject(103)": "an additional interim response"
                ]
            ) { a throws(ScheduleError) in try .inject(a.message(100...199, like: 103)) }
        case .withhold:
            EffectRow(
                "withhold",
                at: [.wholeInterim],
                search: .onRequest(11),
                examples: [
                    "c1/r1:interim(104)=withhold":
                        "the client does not receive it; stall(2s) delays it"
                ]
            ) { a throws(ScheduleError) in try a.plain(.withhold) }
        case .duplicate:
            EffectRow(
                "dup",
                at: [.wholeInterim, .datagram],
                search: .onRequest(12),
                examples: [
                    "c1/r1:interim(104)=dup": "the client receives it twice",
                    "u1:up#2=dup": "the second datagram arrives twice",
                ]
            ) { a throws(ScheduleError) in try a.plain(.duplicate) }
        case .edit:
            EffectRow(
                "edit",
                at: [.wholeInterim, .responseHead],
                examples: [
                    "c1/r1:interim(104)=edit(location=/x)": "changes or adds fields of it",
                    "c1/r1:resp.head=edit(x-cache=hit,etag=)":
                        "the same for the final response; an empty value removes the field",

                ]
            ) { a throws(ScheduleError) in try .edit(a.fields(like: "location=/x")) }
        case .truncate:
            EffectRow(
                "truncate",
                at: [.responseContent],
                rank: 5,
                [.endsStream, .closesClient, .drains],
                far: .fin,
                search: .onRequest(10),
                examples: [
                    "c1/r1:resp.body+9=truncate": """
                    ends the body early in a way the client cannot detect; only without \
                    Content-Length, as with --framing chunked or close
                    """
                ]
            ) { a throws(ScheduleError) in try a.plain(.truncate) }
        case .resetOnNext:
            EffectRow(
                "rst-on-next",
                at: [.idle],
                .endsStream,
                far: .rst,
                examples: [
                    "c1/r1:idle=rst-on-next": "the kept connection is reset when it is used again"
                ]
            ) { a throws(ScheduleError) in try a.plain(.resetOnNext) }
        case .buffer:
            EffectRow(
                "buffer",
                at: [.whole],
                search: .onRequest(17),
                examples: [
                    "c*=buffer(req)": """
                    forwards no request before it is complete; buffer(resp) does the same for \
                    responses
                    """
                ]
            ) { a throws(ScheduleError) in
                try .buffer(a.choice("message", [("req", .up), ("resp", .down)], like: "req"))
            }
        case .strip:
            EffectRow(
                "strip",
                at: [.whole],
                examples: [
                    "c*=strip(1xx)": "removes interim responses"
                ]
            ) { a throws(ScheduleError) in
                try a.choice("kind of response", [("1xx", .strip)], like: "1xx")
            }
        case .crash:
            EffectRow(
                "crash",
                at: [.request],
                [.endsStream, .closesClient, .tampers, .takesSee],
                search: .onRequest(13),
                examples: [
                    "c1/r1:req.body+9=crash,see=104": """
                    kills the server after nine bytes and restarts it with only what it had \
                    persisted. The client is reset once the server is back; new connections \
                    wait until then.
                    """,
                    "c1/r1:req.body+9=crash(loss=tail:5)": """
                    also loses five bytes that it had acknowledged; or uncommitted, meta, all
                    """,
                ]
            ) { a throws(ScheduleError) in try .crash(a.loss()) }
        case .mutate:
            EffectRow(
                "mutate",
                at: [.object],
                .tampers,
                search: .standard(14),
                examples: [
                    "obj(/big.bin)#2=mutate(same-size)": """
                    the object changes before its second request: same-size, shrink, grow, \
                    weak-etag, lm-only, same-second, touch
                    """
                ]
            ) { a throws(ScheduleError) in try .mutate(a.choice(like: "same-size")) }
        case .range:
            EffectRow(
                "range",
                at: [.object],
                .tampers,
                search: .standard(15),
                examples: [
                    "obj(/big.bin)#2=range(ignore)": """
                    or shift:-1000, short:9, no-content-range, wrong-total, 200-partial, 304, \
                    416, multipart; gzip: compressed under the same tag, with ranges of the \
                    compressed bytes
                    """
                ]
            ) { a throws(ScheduleError) in try .range(a.range()) }
        case .expire:
            EffectRow(
                "expire",
                at: [.object],
                .tampers,
                search: .onRequest(16),
                examples: [
                    "obj(/u/*)#2=expire": "the upload is gone"
                ]
            ) { a throws(ScheduleError) in try a.plain(.expire) }
        case .limit:
            EffectRow(
                "limit",
                at: [.object],
                examples: [
                    "obj(/u/*)#2=limit(max-size=1000)": """
                    from the second request on no upload may be larger; max-append-size \
                    limits one append
                    """
                ]
            ) { a throws(ScheduleError) in try a.limit() }
        case .resetStream:
            EffectRow(
                "rst-stream",
                at: [.request, .response, .interim],
                rank: 7,
                [.endsStream, .takesSee],
                far: .rst,
                search: .standard(18),
                examples: [
                    "c1/r1:req.head=rst-stream(REFUSED_STREAM)": """
                    HTTP/2 only: the stream is reset with this code of RFC 9113 §7, or a number. \
                    REFUSED_STREAM promises that the server has done nothing.
                    """
                ]
            ) { a throws(ScheduleError) in try .resetStream(a.errorCode(like: "REFUSED_STREAM")) }
        case .goAway:
            EffectRow(
                "goaway",
                at: [.request, .response, .interim],
                rank: 7,
                [.endsStream, .takesSee],
                search: .standard(19),
                examples: [
                    "c1/r2:req.head=goaway": """
                    HTTP/2 only: GOAWAY that leaves this stream and later ones untaken; the \
                    client should repeat them on another connection
                    """,
                    "c1/r1:resp.body+9=goaway(this)": """
                    GOAWAY after which this stream goes on, and no later one is taken; \
                    goaway(INTERNAL_ERROR) names an error
                    """,
                ]
            ) { a throws(ScheduleError) in try a.goAway() }
        case .settings:
            EffectRow(
                "settings",
                at: [.request, .response, .interim],
                rank: 1,
                .excusesFailure,
                search: .standard(29),
                examples: [
                    "c1/r1:resp.head=settings(max-streams=0)": """
                    HTTP/2 only: SETTINGS for the client, as if the server had changed its mind. Also \
                    initial-window=0, header-table=0 and frame-size=32768, several with commas.
                    """
                ]
            ) { a throws(ScheduleError) in try .settings(a.settings(like: "max-streams=0")) }
        case .withholdWindow:
            EffectRow(
                "window",
                at: [.request],
                rank: 1,
                .silences,
                search: .onRequest(30),
                examples: [
                    "c1/r1:req.body+1=window(0)": """
                    HTTP/2 only: no WINDOW_UPDATE of this stream reaches the client any more, so that \
                    its upload stops once its window is used up; window(0,connection) stops all
                    """
                ]
            ) { a throws(ScheduleError) in try a.window() }
        case .holdPings:
            EffectRow(
                "ping",
                at: [.request, .response, .interim],
                rank: 1,
                examples: [
                    "c1/r1:resp.head=ping(hold)":
                        "HTTP/2 only: the client's pings are not answered any more"
                ]
            ) { a throws(ScheduleError) in
                try a.choice("value", [("hold", .holdPings)], like: "hold")
            }
        case .malformed:
            EffectRow(
                "malformed",
                at: [.request, .response, .interim],
                rank: 2,
                .excusesFailure,
                search: .standard(31),
                examples: [
                    "c1/r1:resp.head=malformed(window-zero)": """
                    HTTP/2 only: a frame for which the client must end the connection: \
                    \(BadFrame.allCases.map(\.rawValue).joined(separator: ", "))
                    """
                ]
            ) { a throws(ScheduleError) in try .malformed(a.choice(like: "window-zero")) }
        case .drop:
            EffectRow(
                "drop",
                at: [.datagram],
                rank: 1,
                search: .standard(20),
                examples: [
                    "u1:down#3=drop": "the third datagram for the client of the first flow is lost",
                    "u1/initial:up#1..3=drop":
                        "so are the first three that hold an Initial packet of QUIC",
                ]
            ) { a throws(ScheduleError) in try a.plain(.drop) }
        case .reorder:
            EffectRow(
                "reorder",
                at: [.datagram],
                rank: 2,
                search: .standard(22),
                examples: [
                    "u1:down#5=reorder(3)":
                        "the fifth datagram arrives after the eighth, or after 100 ms"
                ]
            ) { a throws(ScheduleError) in
                try .reorder(UInt8(a.number(in: 1...100, like: "3", of: "datagrams")))
            }
        case .delay:
            EffectRow(
                "delay",
                at: [.datagram],
                rank: 2,
                examples: [
                    "u1:down#5=delay(50ms)": "later ones may overtake it"
                ]
            ) { a throws(ScheduleError) in try .delay(a.duration(like: "50ms")) }
        case .packetLimit:
            EffectRow(
                "mtu",
                at: [.datagram],
                rank: 1,
                examples: [
                    "u1:down=mtu(1300)": """
                    an MTU black hole: datagrams that make IP packets of more than 1,300 bytes are \
                    lost, and nobody is told
                    """
                ]
            ) { a throws(ScheduleError) in
                try .packetLimit(UInt16(a.number(in: 29...65_535, like: "1300", of: "bytes")))
            }
        case .mark:
            EffectRow(
                "ecn",
                at: [.datagram],
                rank: 3,
                examples: [
                    "u*:down?10%=ecn(ce)": """
                    congestion is experienced (CE) by datagrams of a sender that can ECN; \
                    ecn(bleach) clears the field
                    """
                ]
            ) { a throws(ScheduleError) in try .mark(a.choice(like: "ce")) }
        case .rebind:
            EffectRow(
                "rebind",
                at: [.datagram],
                rank: 0,
                search: .standard(21),
                examples: [
                    "u1:up#100=rebind(port)": """
                    before its hundredth datagram the flow gets another port, as behind a NAT that \
                    forgot; what is sent to the old one is lost. rebind(address) is 127.0.0.2 and \
                    so on towards a server on this machine.
                    """
                ]
            ) { a throws(ScheduleError) in try .rebind(a.choice(like: "port")) }
        case .forget:
            EffectRow(
                "forget",
                at: [.datagram, .silence],
                rank: 0,
                search: .onRequest(23),
                examples: [
                    "u*:idle(30s)=forget": """
                    after 30 seconds without a datagram the flow is forgotten: what the server \
                    sends is lost, and the client's next datagram comes from another port
                    """
                ]
            ) { a throws(ScheduleError) in try a.plain(.forget) }
        case .purge:
            EffectRow(
                "purge",
                at: [.byte, .request, .response],
                rank: 1,
                examples: [
                    "c1:down+5000=purge(*.part)": """
                    the client's files of this name in {dir} are removed, as if the system cleared \
                    caches; with c1:down+5000=rst, too, while the transfer waits for its next \
                    attempt. Only with run, replay and explore.
                    """
                ]
            ) { a throws(ScheduleError) in try .purge(a.glob(like: "*.part")) }
        case .certificate:
            EffectRow(
                "certificate",
                at: [.hello],
                rank: 1,
                .excusesFailure,
                search: .standard(25),
                examples: [
                    "c1:tls.hello=certificate(expired)": """
                    the client is shown a certificate that it must refuse: expired, not-yet-valid, \
                    wrong-name, self-signed, no-chain (its issuer is not sent), wrong-usage (for \
                    clients only)
                    """
                ]
            ) { a throws(ScheduleError) in try .certificate(a.choice(like: "expired")) }
        case .alert:
            EffectRow(
                "alert",
                at: [.hello],
                rank: 5,
                [.endsStream, .closesClient, .drains, .excusesFailure],
                far: .fin,
                search: .standard(26),
                examples: [
                    "c1:tls.hello=alert(handshake_failure)": """
                    a fatal alert of RFC 8446 §6 instead of a ServerHello; by name or number
                    """
                ]
            ) { a throws(ScheduleError) in try .alert(a.alert(like: "handshake_failure")) }
        case .alpn:
            EffectRow(
                "alpn",
                at: [.hello],
                rank: 1,
                .excusesFailure,
                search: .standard(27),
                examples: [
                    "c1:tls.hello=alpn(none)": """
                    no protocol is agreed on (ALPN), so that it is HTTP/1.1; alpn(h2) and \
                    alpn(http/1.1) take this one alone, and refuse a client that does not offer it
                    """
                ]
            ) { a throws(ScheduleError) in try .alpn(a.choice(like: "none")) }
        case .refuseTicket:
            EffectRow(
                "no-ticket",
                at: [.hello],
                rank: 1,
                search: .onRequest(28),
                examples: [
                    "c2:tls.hello=no-ticket": """
                    the session that the client wants to resume is not known any more; a full \
                    handshake follows
                    """
                ]
            ) { a throws(ScheduleError) in try a.plain(.refuseTicket) }
        case .query:
            // One row for all of them, which have names and values of their own.
            EffectRow(
                "dns",
                at: [.query],
                search: .standard(32),
                examples: [
                    "A(api.test)#1=nxdomain": "the name does not exist",
                    "AAAA(api.test)#*=nodata": "it exists, but has no IPv6 address",
                    "*(api.test)#1=servfail": "the server cannot say",
                    "*(*.test)#*=refused": "the server does not want to",
                    "A(api.test)#1..2=timeout": "no answer, twice",
                    "A(api.test)#*=delay(2s)": "late answers",
                    "A(api.test)#1=truncate": """
                    an empty answer that asks for TCP, where the query is answered; truncate(hole), \
                    truncate(fin), truncate(rst): no answer comes there, or the connection ends
                    """,
                    "A(api.test)#1=wrong(10.0.0.1)":
                        "other addresses than the right ones; wrong: an unused one",
                    "A(api.test)#*=rotate(127.0.0.1,127.0.0.2)": """
                    one of these in each answer, in turn; rotate: one of the right ones
                    """,
                    "*(api.test)#*=dead-first": """
                    an unused address before the right ones; dead-first(127.0.0.9): this one
                    """,
                    "A(api.test)#*=ttl(0)": "an answer that may not be kept",
                    "A(api.test)#1=cname-loop": "an alias that leads back to itself",
                ]
            ) { a throws(ScheduleError) in
                throw a.scanner.error("'\(a.name)' is no effect of its own", at: a.start)
            }
        }
    }
}

extension Effect {
    /// Whether no byte passes after this effect, ever.
    package var endsStream: Bool { kind.declaration.traits.contains(.endsStream) }
    /// Whether it acts on the byte at its place, and so waits for it.
    package var changesByte: Bool { kind.declaration.traits.contains(.changesByte) }

    /// Whether this effect, in one direction, also cuts the other one short.
    package var endsConnection: Bool {
        switch self {
        case .hole(let both, let duration): both || duration != nil
        default: endsStream
        }
    }

    package var name: String { kind.name }

    var rank: Int { kind.declaration.rank }

    package var canonicalText: String {
        if case .query(let effect) = self { return effect.canonicalText }
        let values = canonicalValues
        return values.isEmpty ? name : "\(name)(\(values.joined(separator: ",")))"
    }

    private var canonicalValues: [String] {
        switch self {
        case .reset, .finish, .truncate, .withhold, .duplicate, .resetOnNext, .expire, .drop,
            .forget, .refuseTicket, .query:
            []
        case .corrupt(let count): count.map { ["\($0)"] } ?? []
        case .refuse(let count), .silent(let count): count == 1 ? [] : ["\(count)"]
        case .hole(let both, let duration):
            (both ? ["both"] : []) + (duration.map { [Quantity.text($0)] } ?? [])
        case .stall(let hold), .down(let hold): [hold.canonicalText]
        case .slow(let rate): [Quantity.text(rate)]
        case .swallow(let keep, let ending):
            (keep == .none ? [] : ["keep=\(keep.rawValue)"])
                + (ending == .rst ? [] : ["end=\(ending.rawValue)"])
        case .late(let count, let address): ["\(count)", "until=\(address.canonicalText)"]
        case .status(let message), .early(let message), .inject(let message):
            message.canonicalValues
        case .edit(let fields): fields.map(\.canonicalText)
        case .buffer(let direction): [direction == .up ? "req" : "resp"]
        case .strip: ["1xx"]
        case .crash(let loss): loss == .none ? [] : ["loss=\(loss.canonicalText)"]
        case .mutate(let mutation): [mutation.rawValue]
        case .range(let misbehaviour): [misbehaviour.canonicalText]
        case .limit(let limit, let bytes): ["\(limit.rawValue)=\(bytes)"]
        case .resetStream(let code): [code.name]
        case .goAway(let code, let takesThis):
            (takesThis ? ["this"] : []) + (code == .none ? [] : [code.name])
        case .reorder(let count): ["\(count)"]
        case .delay(let duration): [Quantity.text(duration)]
        case .packetLimit(let bytes): ["\(bytes)"]
        case .mark(let mark): [mark.rawValue]
        case .rebind(let what): [what.rawValue]
        case .purge(let names): [names.canonicalText]
        case .certificate(let flaw): [flaw.rawValue]
        case .alert(let alert): [alert.canonicalText]
        case .alpn(let taken): [taken.rawValue]
        case .settings(let settings): settings.map(\.canonicalText)
        case .withholdWindow(let isOfConnection): ["0"] + (isOfConnection ? ["connection"] : [])
        case .holdPings: ["hold"]
        case .malformed(let kind): [kind.rawValue]
        }
    }
}
