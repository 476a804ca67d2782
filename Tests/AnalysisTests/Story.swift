import Analysis
import Basics
import Journal

/// A journal told step by step; times in milliseconds.
struct Story {
    private(set) var records: [Timed<JournalRecord>] = []

    typealias Fields = [(name: String, value: String)]

    /// - Parameter upstream: as it was named to linkcond.
    init(upstream: String = "embedded") {
        add(
            .start(
                RunStart(
                    tool: "linkcond 0.1.0",
                    command: "run",
                    seed: 1,
                    schedule: "lc1",
                    profile: "lan",
                    profileDigest: "",
                    environment: ["upstream": [.string(upstream)]]
                )
            ),
            at: 0
        )
    }

    mutating func add(_ record: JournalRecord, at milliseconds: Int) {
        records.append(
            Timed(
                record,
                line: records.count + 1,
                // As a reader of journals cuts it.
                at: Instant(nanoseconds: Int64(min(UInt64(milliseconds) * 1_000_000, 1 << 60)))
            )
        )
    }

    func report(_ change: (inout Evidence) -> Void = { _ in }) -> RunReport {
        var evidence = Evidence()
        change(&evidence)
        return RunReport(records, evidence: evidence)
    }

    static func id(_ connection: Int, _ ordinal: Int = 1) -> ExchangeID {
        ExchangeID(ConnectionID(ordinal: UInt32(connection)), ordinal: UInt32(ordinal))
    }

    // MARK: Single records

    mutating func connect(_ connection: Int, at time: Int) {
        add(.connection(Self.id(connection).connection, environment: [:]), at: time)
    }

    mutating func request(
        _ connection: Int,
        r ordinal: Int = 1,
        _ method: String,
        _ target: String,
        _ fields: Fields = [],
        length: Int? = nil,
        isStream: Bool = false,
        at time: Int
    ) {
        add(
            .request(
                RequestReport(
                    Self.id(connection, ordinal),
                    method: method,
                    target: target,
                    framing: length.map { .length(UInt64($0)) } ?? .none,
                    headBytes: 100,
                    fields: ReportedFields([(name: "Host", value: "h:1")] + fields),
                    isStream: isStream
                )
            ),
            at: time
        )
    }

    mutating func respond(
        _ connection: Int,
        r ordinal: Int = 1,
        _ status: Int,
        _ fields: Fields = [],
        framing: ReportedFraming = .length(0),
        at time: Int
    ) {
        add(
            .response(
                ResponseReport(
                    Self.id(connection, ordinal),
                    status: status,
                    framing: framing,
                    headBytes: 100,
                    fields: ReportedFields(fields),
                    interimOrdinal: (100..<200).contains(status) ? 1 : nil
                )
            ),
            at: time
        )
    }

    mutating func body(
        _ connection: Int,
        r ordinal: Int = 1,
        _ side: MessageSide,
        _ bytes: Int,
        isComplete: Bool = true,
        prefix: String? = nil,
        at time: Int
    ) {
        add(
            .body(
                BodyReport(
                    Self.id(connection, ordinal),
                    side,
                    bytes: UInt64(bytes),
                    isComplete: isComplete,
                    prefixDigest: prefix
                )
            ),
            at: time
        )
    }

    mutating func fault(
        _ connection: Int?,
        r ordinal: Int? = 1,
        _ effect: String,
        _ state: FaultReport.State = .fired,
        id: String? = nil,
        at time: Int
    ) {
        add(
            .fault(
                FaultReport(
                    connection: connection.map { Self.id($0).connection },
                    request: connection == nil ? nil : ordinal.map { UInt32($0) },
                    id: id ?? "c*/r1:resp.body+1=\(effect)",
                    address: "c\(connection ?? 1)/r1:resp.body+1",
                    effect: effect,
                    state: state,
                    offset: 1
                )
            ),
            at: time
        )
    }

    mutating func end(
        _ connection: Int,
        by party: ConnectionEnd.Party = .client,
        _ manner: ConnectionEnd.Manner = .fin,
        down: Int = 100,
        up: Int = 100,
        clientEnd: Int? = nil,
        isSealed: Bool = false,
        earlyBytes: Int = 0,
        lateStreams: Int = 0,
        server: String? = nil,
        at time: Int
    ) {
        var end = ConnectionEnd(
            connection: Self.id(connection).connection,
            by: party,
            how: manner,
            down: .init(bytes: UInt64(down), isExact: true),
            up: .init(bytes: UInt64(up), isExact: true),
            clientEndedAt: clientEnd.map { .start + .milliseconds(Int64($0)) }
        )
        end.isSealed = isSealed
        end.earlyBytes = UInt64(earlyBytes)
        end.lateStreams = UInt64(lateStreams)
        end.server = server
        add(.connectionEnd(end), at: time)
    }

    mutating func origin(
        _ event: OriginReport.Event,
        _ resource: String,
        _ offset: Int? = nil,
        at time: Int
    ) {
        add(
            .origin(OriginReport(event, resource: resource, offset: offset.map { UInt64($0) })),
            at: time
        )
    }

    mutating func command(
        exit code: Int? = 0,
        signal: Int? = nil,
        isTimedOut: Bool = false,
        at time: Int
    ) {
        add(
            .command(
                CommandReport(
                    ["client"],
                    exitCode: signal == nil ? code.map { UInt8($0) } : nil,
                    signal: signal.map { UInt8($0) },
                    isTimedOut: isTimedOut
                )
            ),
            at: time
        )
    }

    // MARK: Whole exchanges, each on a connection of its own

    /// How an exchange ends: by a fault, or in order.
    enum Ending {
        case whole
        case cut(String)
        /// Closed by the client itself, after a silence.
        case givenUp
    }

    /// A download of `/big` whose answer comes 10 ms after the connect and ends 10 ms later.
    mutating func get(
        _ connection: Int,
        from start: Int? = nil,
        _ fields: Fields = [],
        status: Int? = nil,
        answer: Fields = [("ETag", "\"v1\"")],
        size: Int = 1_000,
        delivered: Int? = nil,
        _ ending: Ending = .whole,
        at time: Int
    ) {
        let first = start ?? 0
        connect(connection, at: time)
        let range: Fields = start.map { [("Range", "bytes=\($0)-")] } ?? []
        request(connection, "GET", "/big", range + fields, at: time + 1)
        let status = status ?? (start == nil ? 200 : 206)
        let part: Fields =
            status == 206 ? [("Content-Range", "bytes \(first)-\(size - 1)/\(size)")] : []
        let length = status == 200 ? size : size - first
        respond(
            connection,
            status,
            answer + part + [("Content-Length", "\(length)")],
            framing: .length(UInt64(length)),
            at: time + 10
        )
        body(
            connection,
            .response,
            delivered ?? length,
            isComplete: (delivered ?? length) == length,
            at: time + 20
        )
        finish(connection, ending, at: time + 20)
    }

    /// An answer without content, such as a 503.
    mutating func refuse(
        _ connection: Int,
        _ method: String = "GET",
        _ target: String = "/big",
        _ fields: Fields = [],
        status: Int,
        answer: Fields = [],
        at time: Int
    ) {
        connect(connection, at: time)
        request(connection, method, target, fields, at: time + 1)
        respond(connection, status, answer, at: time + 10)
        finish(connection, .whole, at: time + 10)
    }

    /// A request with content for an upload.
    mutating func send(
        _ connection: Int,
        _ method: String,
        _ target: String,
        _ fields: Fields,
        length: Int,
        delivered: Int? = nil,
        interim: Fields? = nil,
        status: Int? = nil,
        answer: Fields = [],
        prefix: String? = nil,
        _ ending: Ending = .whole,
        at time: Int
    ) {
        connect(connection, at: time)
        request(connection, method, target, fields, length: length, at: time + 1)
        if let interim { respond(connection, 104, interim, framing: .none, at: time + 5) }
        body(
            connection,
            .request,
            delivered ?? length,
            isComplete: (delivered ?? length) == length,
            prefix: prefix,
            at: time + 15
        )
        if let status { respond(connection, status, answer, at: time + 20) }
        finish(connection, ending, at: time + 20)
    }

    /// A question for the offset of an upload.
    mutating func head(
        _ connection: Int,
        _ target: String,
        status: Int = 204,
        offset: Int?,
        at time: Int
    ) {
        connect(connection, at: time)
        request(connection, "HEAD", target, at: time + 1)
        respond(
            connection,
            status,
            offset.map { [("Upload-Offset", "\($0)")] } ?? [],
            framing: .none,
            at: time + 10
        )
        finish(connection, .whole, at: time + 10)
    }

    mutating func finish(_ connection: Int, _ ending: Ending, at time: Int) {
        switch ending {
        case .whole: end(connection, at: time)
        case .cut(let effect):
            fault(connection, effect, at: time)
            end(connection, by: .fault, effect == "rst" ? .rst : .fin, at: time + 1)
        case .givenUp: end(connection, by: .client, .rst, at: time)
        }
    }
}
