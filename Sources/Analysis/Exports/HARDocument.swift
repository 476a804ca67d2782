package import Basics
internal import Journal

/// A run as an HTTP Archive, version 1.2: an entry for each attempt, as far as the journal knows it.
///
/// The format is that of http://www.softwareishard.com/blog/har-12-spec/. A journal holds the fields
/// that bear on ranges, uploads and repetition, neither cookies nor query strings, and of contents
/// the length: what is not known is left empty, or −1 where the format has that for it. What only
/// linkcond knows is under `_linkcond`.
package struct HARDocument {
    private let transcript: Transcript
    private let beganMilliseconds: UInt64?
    private let creatorVersion: String

    /// - Parameters:
    ///   - transcript: of one run.
    ///   - creatorVersion: of the program that makes the document.
    package init(_ transcript: Transcript, creatorVersion: String) {
        self.transcript = transcript
        self.creatorVersion = creatorVersion
        if case .integer(let value)? = transcript.start?.environment["began_ms"] {
            beganMilliseconds = UInt64(exactly: value)
        } else {
            beganMilliseconds = nil
        }
    }

    package var json: JSONValue {
        let clock = HARClock(beganMilliseconds: beganMilliseconds ?? 0)
        let faults = connectionFaults
        let entries = transcript.exchanges.map { exchange in
            HAREntry(exchange, faults: exchange.faults + faults[exchange.id, default: []], clock)
                .json
        }
        return [
            "log": .object([
                "version": "1.2",
                "creator": ["name": "linkcond", "version": .string(creatorVersion)],
                "entries": .array(entries),
                "comment": beganMilliseconds == nil
                    ? "The journal does not say when the run began: times count from 1970." : nil,
                "_linkcond": .object(run(clock)),
            ])
        ]
    }

    /// The faults at bytes of a connection that has requests, with the requests that they met.
    private var connectionFaults: [ExchangeID: [Timed<FaultReport>]] {
        var found: [ExchangeID: [Timed<FaultReport>]] = [:]
        let exchanges = Dictionary(grouping: transcript.exchanges, by: \.id.connection)
        for connection in transcript.connections {
            guard let exchanges = exchanges[connection.id] else { continue }
            for fault in connection.faults where fault.value.request == nil {
                for exchange in exchanges.met(at: fault.at) {
                    found[exchange.id, default: []].append(fault)
                }
            }
        }
        return found
    }

    /// What the run was, and its connections on which no request is known.
    private func run(_ clock: HARClock) -> JSONObject {
        var run = JSONObject()
        if let start = transcript.start {
            run.append("tool", .string(start.tool))
            run.append("profile", .string(start.profile))
            run.append("seed", .number(start.seed))
            run.append("schedule", .string(transcript.schedule ?? start.schedule))
        }
        let changes = transcript.changes.list.map { Self.document($0, clock) }
        if !changes.isEmpty { run.append("changes", .array(changes)) }
        let silent = transcript.connections.filter { $0.requestCount == 0 }
        run.append("connectionsWithoutRequests", .array(silent.map(Self.document)))
        return run
    }

    private static func document(_ change: Timed<LiveChange>, _ clock: HARClock) -> JSONValue {
        var members = change.members
        members.append("startedDateTime", .string(clock.date(change.at)))
        return .object(members)
    }

    private static func document(_ connection: ConnectionTrace) -> JSONValue {
        .object([
            "connection": .string(connection.id.harName),
            "startedNanoseconds": .number(connection.opened.at.nanoseconds),
            "by": connection.end.map { .string($0.value.by.rawValue) },
            "how": connection.end.map { .string($0.value.how.rawValue) },
            "opaque": connection.opaque.map { .string($0.value.reason) },
            "faults": .array(connection.faults.map { HAREntry.document($0.value) }),
        ])
    }
}

extension [Exchange] {
    /// Of the exchanges on one connection, those that were under way at a time; without any the latest
    /// before, or the first.
    fileprivate func met(at time: Instant) -> [Exchange] {
        let begun = prefix { $0.beganAt <= time }
        let underWay = begun.filter { ($0.endedAt ?? .never) >= time }
        if !underWay.isEmpty { return Array(underWay) }
        return (begun.last ?? first).map { [$0] } ?? []
    }
}

extension ConnectionID {
    /// `c3`, or `l2c3` at a further listener.
    var harName: String { listener == 1 ? "c\(ordinal)" : "l\(listener)c\(ordinal)" }
}
