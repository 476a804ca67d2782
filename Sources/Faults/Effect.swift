package import Basics
package import HTTP2

/// What a fault does.
///
/// This file declares the case and the kind of each effect. Everything else about it is in its row
/// of the table, in a file such as `EffectRow+Bytes`.
///
/// Each place has one file that carries effects out, usually named `…+Effects`. It stops with the name of
/// any effect that it does not know:
///
/// - a whole connection: `InspectedConnection+Effects`, and under TLS `InspectedConnection+TLSEffects`
/// - a message: `FaultGate+Effects`; a head of a response: `FaultGate+Responses`
/// - a stream of HTTP/2: `StreamGates+Effects`
/// - a datagram: `FlowGate+Effects`
/// - the embedded origin: `OriginFault+Effects`
/// - in place of a connection: `FaultPlan`
/// - the prediction of `plan`: `Outlet`
///
/// An effect that only ends something (its row names a near ending), or only holds bytes (its row says
/// that it stalls, and `hold` for how long), needs none of them.
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
    /// `ping(hold)`: pings of the client are not answered; of a WebSocket, those of the direction's
    /// receiver.
    case holdPings
    /// `malformed(KIND)`: the client gets a frame that breaks a rule of RFC 9113.
    case malformed(MalformedFrame)

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
    /// `no-early-data`: what a client sends before the handshake is over is rejected (RFC 8446 §4.2.10).
    case rejectEarlyData

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
    /// `dup`: the client gets this interim response twice; the receiver gets this message twice.
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

    /// `drop`: the datagram, or message inside a stream, never arrives.
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

    // Messages inside a stream.

    /// `close(1011)`: the receiver gets a close frame of a WebSocket with this code, then an end.
    case closeFrame(UInt16)

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
            mark, rebind, forget, purge, certificate, alert, alpn, refuseTicket, rejectEarlyData,
            settings, withholdWindow, holdPings, malformed, query,
            closeFrame
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
        case .rejectEarlyData: .rejectEarlyData
        case .settings: .settings
        case .withholdWindow: .withholdWindow
        case .holdPings: .holdPings
        case .malformed: .malformed
        case .query: .query
        case .closeFrame: .closeFrame
        }
    }
}

/// The table of effects.
extension Effect.Kind {
    package var declaration: EffectRow { EffectRow.table[Int(rawValue)] }

    /// The word in a fault's text.
    package var name: String { declaration.name }

    /// How it makes a client fail.
    package var family: FaultFamily { declaration.family }

    /// The effect of this name; nil if there is none.
    package init?(named name: some StringProtocol) {
        guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }
}

extension Effect {
    package var name: String { kind.name }

    var rank: Int { kind.declaration.rank }

    package var canonicalText: String {
        if case .query(let effect) = self { return effect.canonicalText }
        guard let values = kind.declaration.form.write(self) else {
            preconditionFailure("the row of '\(name)' writes the values of another effect")
        }
        return values.isEmpty ? name : "\(name)(\(values.joined(separator: ",")))"
    }
}
