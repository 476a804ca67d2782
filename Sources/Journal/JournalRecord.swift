package import Basics

/// One record of a run: something that happened, once, in one written form.
///
/// Records are for what a person or a program wants to know about a run, never for single reads
/// or packets. `JournalFormat` lists types and keys.
package enum JournalRecord: Hashable, Sendable {
    case start(RunStart)
    /// A connection was accepted. `environment` holds its addresses.
    case connection(ConnectionID, environment: JSONObject)
    case connectionEnd(ConnectionEnd)
    /// A client sent its first datagram. `environment` holds its address.
    case flow(ConnectionID, environment: JSONObject)
    case flowEnd(FlowEnd)
    /// A flow turned out to be a QUIC connection, of this version.
    case quic(ConnectionID, QUICReport)
    /// One of its packets, if its secrets were there.
    case quicPacket(QUICPacketReport)
    /// What became of a datagram, if that was asked for.
    case datagram(DatagramReport)
    case request(RequestReport)
    /// An interim or a final response.
    case response(ResponseReport)
    case body(BodyReport)
    case messages(MessagesReport)
    case opaque(OpaqueReport)
    /// A name server was asked. `environment` holds the client's address.
    case dns(DNSReport, environment: JSONObject)
    case fault(FaultReport)
    /// A random draw that decided something. `connection` is nil for a draw of the whole run.
    case draw(ConnectionID?, stream: String, index: UInt64, value: UInt64)
    /// What an operating system would report of the path that new connections take; of a connection,
    /// the path that it has taken, where there are two.
    case path(ConnectionID?, PathReport)
    /// The byte budget reached a limit. `bitsPerSecond` is the rate from then on, if there is one.
    case budget(BudgetLimit, bytes: UInt64, bitsPerSecond: UInt64?)
    /// The upstream server could not be reached or was lost.
    case upstream(ConnectionID, UpstreamTrouble, words: String)
    /// What the origin server stored; written by an origin that belongs to the run.
    case origin(OriginReport)
    case command(CommandReport)
    case verdict(VerdictReport)
    case note(ConnectionID?, text: String)
    /// Somebody changed something while the run went on.
    case change(ChangeReport)
    /// Trouble of the program itself, which no profile or fault asked for.
    case trouble(InternalTrouble, words: String)
    case end(RunEnd)
}

/// What a run was asked to do; enough to repeat it.
package struct RunStart: Hashable, Sendable {
    /// `linkcond 0.1.0`.
    package var tool: String
    /// The subcommand, such as `proxy`.
    package var command: String
    package var seed: UInt64
    /// Canonical text of the schedule.
    package var schedule: String
    package var profile: String
    /// SHA-256 of the profile's canonical form, in lower-case hexadecimal.
    package var profileDigest: String
    /// Whatever differs from place to place: arguments, addresses, ports, process id, host.
    package var environment: JSONObject

    package init(
        tool: String,
        command: String,
        seed: UInt64,
        schedule: String,
        profile: String,
        profileDigest: String,
        environment: JSONObject
    ) {
        self.tool = tool
        self.command = command
        self.seed = seed
        self.schedule = schedule
        self.profile = profile
        self.profileDigest = profileDigest
        self.environment = environment
    }
}

/// How a connection ended.
package struct ConnectionEnd: Hashable, Sendable {
    /// Who brought the end about.
    package enum Party: String, Hashable, Sendable {
        case client, upstream, fault, limit, shutdown
    }

    package enum Manner: String, Hashable, Sendable {
        /// Both directions came to their own end.
        case fin
        case rst
        /// Silence: nothing was closed until one side gave up.
        case hole
        /// It was accepted and reset before anything else.
        case refused
        /// Nothing moved for longer than a limit allows.
        case timeout
    }

    /// The bytes delivered in one direction.
    package struct Delivered: Hashable, Sendable {
        package var bytes: UInt64
        /// Whether the direction ended by its own FIN or by a fault at an exact byte.
        ///
        /// A count that was cut from outside depends on timing.
        package var isExact: Bool
        /// SHA-256 of the bytes in lower-case hexadecimal; written only if the count is exact.
        package var digest: String?

        package init(bytes: UInt64, isExact: Bool, digest: String? = nil) {
            self.bytes = bytes
            self.isExact = isExact
            self.digest = digest
        }
    }

    /// Who spoke TLS, by the first bytes of each side.
    package enum PassedTLS: Hashable, Sendable {
        case none
        /// The client did, and the server has answered otherwise or not at all.
        case fromClient
        case fromBoth
    }

    package var connection: ConnectionID
    /// Not in the canonical form when both directions ended on their own: which of two FINs comes
    /// first is up to timing.
    package var by: Party
    /// Nor is this for HTTP/2 when a side ended on its own: one that closes a connection with
    /// unread frames resets it instead.
    package var how: Manner
    package var down: Delivered
    package var up: Delivered
    /// When the client ended its side, on the journal's clock, if that was seen.
    ///
    /// Under a silence that a fault made, it is how long the client's patience was.
    package var clientEndedAt: Instant?
    /// The address of its server; nil if that was not reached, or was reached through another proxy.
    package var server: String?
    /// Whether its client spoke TLS that was opened here, so that all counts are of content.
    package var isSealed = false
    /// Bytes that its client sent as early data, before the TLS handshake was over (RFC 8446 §2.3).
    package var earlyBytes: UInt64 = 0
    /// Who spoke TLS that was passed on unopened; not in journals.
    package var passedTLS = PassedTLS.none
    /// Whether it spoke HTTP/2.
    package var hasStreams: Bool
    /// Streams of HTTP/2 that the client has opened after it had read that no more are taken.
    package var lateStreams: UInt64

    package init(
        connection: ConnectionID,
        by: Party,
        how: Manner,
        down: Delivered,
        up: Delivered,
        clientEndedAt: Instant? = nil,
        hasStreams: Bool = false,
        lateStreams: UInt64 = 0
    ) {
        self.clientEndedAt = clientEndedAt
        self.hasStreams = hasStreams
        self.lateStreams = lateStreams
        self.connection = connection
        self.by = by
        self.how = how
        self.down = down
        self.up = up
    }
}

/// What became of one fault on one connection, or in the whole run.
package struct FaultReport: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        case fired
        /// It acted, but without proof that every byte before it arrived.
        case undelivered
        /// It did not act, and why, in words that are the same in equal runs.
        case unreached(reason: String)
    }

    /// Nil for a fault that was never armed on any connection.
    package var connection: ConnectionID?
    /// Ordinal of the request on its connection; nil for a fault that is not about a request.
    package var request: UInt32?
    package var id: String
    /// Where it was, with everything drawn: `down+1536`, `connect`.
    package var address: String
    package var effect: String
    package var state: State
    /// The byte offset, if it has one.
    package var offset: UInt64?
    /// Whether timing had a say in it.
    package var isRacy: Bool
    /// Whether somebody did this by hand, so that no schedule held it.
    package var isByHand: Bool

    package init(
        connection: ConnectionID?,
        request: UInt32? = nil,
        id: String,
        address: String,
        effect: String,
        state: State,
        offset: UInt64?,
        isRacy: Bool = false,
        isByHand: Bool = false
    ) {
        self.connection = connection
        self.request = request
        self.id = id
        self.address = address
        self.effect = effect
        self.state = state
        self.offset = offset
        self.isRacy = isRacy
        self.isByHand = isByHand
    }
}

package enum BudgetLimit: String, Hashable, Sendable {
    /// Slower from here on.
    case soft
    /// Nothing passes any more.
    case hard
}

/// Why the upstream server could not be reached or was lost.
package enum UpstreamTrouble: String, Hashable, Sendable {
    case refused
    case timeout
    case unreachable
    case nameNotFound = "name-not-found"
    case nameServer = "name-server"
    case lost
    /// A client asked a forward proxy for what no `--allow` names.
    case notAllowed = "not-allowed"
    /// The proxy on the way to it did not lead there.
    case proxy
    case other
}

/// Trouble of the program itself.
package enum InternalTrouble: String, Hashable, Sendable, CaseIterable {
    case descriptorLimit = "descriptor-limit"
    case journalOverflow = "journal-overflow"
    case latePacing = "late-pacing"
    case clockStep = "clock-step"
    case datagramsLost = "udp-drops"
    case other

    /// Whether the machine did it: times are not what they should be, everything else is.
    package var isDisturbance: Bool {
        switch self {
        case .latePacing, .clockStep: true
        case .descriptorLimit, .journalOverflow, .datagramsLost, .other: false
        }
    }
}

/// How a run ended.
package struct RunEnd: Hashable, Sendable {
    package var exitCode: UInt8
    /// What all checks together say; nil if nothing was judged.
    package var verdict: Verdict?
    /// Digest of the canonical form, in lower-case hexadecimal; nil if it was not computed.
    package var digest: String?
    /// A command line that repeats the run, with what was changed meanwhile; nil if nothing was.
    package var reproduction: String?
    /// What was done by hand and that line does not do, in words; nil for nothing.
    package var unrepeated: String?

    package init(
        exitCode: UInt8,
        verdict: Verdict? = nil,
        digest: String?,
        reproduction: String? = nil,
        unrepeated: String? = nil
    ) {
        self.exitCode = exitCode
        self.verdict = verdict
        self.digest = digest
        self.reproduction = reproduction
        self.unrepeated = unrepeated
    }
}
