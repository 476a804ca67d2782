internal import Basics
internal import HTTPWire
internal import Journal

/// One request with what became of it, as an entry of an HTTP Archive.
struct HAREntry {
    private let exchange: Exchange
    /// Those of the exchange, and those of its connection that it met.
    private let faults: [Timed<FaultReport>]
    private let clock: HARClock

    init(_ exchange: Exchange, faults: [Timed<FaultReport>], _ clock: HARClock) {
        self.exchange = exchange
        self.faults = faults
        self.clock = clock
    }

    var json: JSONValue {
        let timings = timings
        return [
            "startedDateTime": .string(clock.date(exchange.beganAt)),
            "time": HARClock.milliseconds(timings.send + timings.wait + timings.receive),
            "request": request,
            "response": response,
            "cache": [:],
            "timings": [
                "blocked": -1, "dns": -1, "connect": -1, "ssl": -1,
                "send": HARClock.milliseconds(timings.send),
                "wait": HARClock.milliseconds(timings.wait),
                "receive": HARClock.milliseconds(timings.receive),
            ],
            "connection": .string(exchange.id.connection.harName),
            "_linkcond": .object(own),
        ]
    }

    // MARK: Messages

    private var request: JSONValue {
        let report = exchange.request.value
        return [
            "method": .string(report.method),
            "url": .string(url),
            "httpVersion": .string(version),
            "cookies": [],
            "headers": Self.headers(report.fields),
            "queryString": [],
            "headersSize": .number(report.headBytes),
            "bodySize": bodySize(exchange.requestBody?.value, report.framing),
        ]
    }

    private var version: String { exchange.request.value.isStream ? "HTTP/2" : "HTTP/1.1" }

    private var url: String {
        let report = exchange.request.value
        guard report.target.hasPrefix("/") else { return report.target }
        return "http://\(report.fields["host"] ?? "unknown")\(report.target)"
    }

    private var response: JSONValue {
        guard let report = exchange.response?.value else { return Self.noResponse }
        let isRedirection = (300..<400).contains(report.status)
        return [
            "status": .number(report.status),
            "statusText": .string(ReasonPhrase.of(report.status)),
            "httpVersion": .string(version),
            "cookies": [],
            "headers": Self.headers(report.fields),
            "content": [
                "size": .number(exchange.receivedBytes),
                "mimeType": .string(report.fields["content-type"] ?? ""),
            ],
            "redirectURL": .string(isRedirection ? report.fields["location"] ?? "" : ""),
            "headersSize": .number(report.headBytes),
            "bodySize": bodySize(exchange.responseBody?.value, report.framing),
        ]
    }

    /// There was no final answer.
    private static let noResponse: JSONValue = [
        "status": 0, "statusText": "", "httpVersion": "", "cookies": [], "headers": [],
        "content": ["size": 0, "mimeType": ""], "redirectURL": "", "headersSize": -1,
        "bodySize": -1,
    ]

    private static func headers(_ fields: ReportedFields) -> JSONValue {
        .array(
            fields.fields.map { ["name": .string($0.name), "value": .string($0.value)] }
        )
    }

    private func bodySize(_ body: Exchange.Content?, _ framing: ReportedFraming) -> JSONValue {
        if let body { return .number(body.bytes) }
        switch framing {
        case .none, .length(0): return 0
        case .length, .chunked, .close: return -1
        }
    }

    // MARK: Times

    /// In whole microseconds, each not negative.
    private var timings: (send: UInt64, wait: UInt64, receive: UInt64) {
        let begin = exchange.beganAt
        let end = max(begin, exchange.endedAt ?? latest)
        let first = min(end, max(begin, exchange.response?.at ?? end))
        let sent = min(first, max(begin, exchange.requestBody?.at ?? begin))
        return (
            Self.microseconds(sent - begin), Self.microseconds(first - sent),
            Self.microseconds(end - first)
        )
    }

    private static func microseconds(_ time: Duration) -> UInt64 {
        UInt64(max(0, time.wholeMicroseconds))
    }

    /// The last that is known of it.
    private var latest: Instant {
        let times = [
            exchange.response?.at, exchange.responseBody?.at,
            exchange.requestBody?.at, exchange.faults.last?.at,
        ]
        return times.compactMap(\.self).max() ?? exchange.beganAt
    }

    // MARK: What only linkcond knows

    private var own: JSONObject {
        var own: JSONObject = [
            "request": .string("\(exchange.id.connection.harName)/r\(exchange.id.ordinal)"),
            "line": .number(exchange.request.line),
        ]
        switch exchange.outcome {
        case .answered: own.append("outcome", "answered")
        case .cut(_, _, let cause):
            own.append("outcome", "cut")
            own.append("cutBy", .string(cause))
        case .abandoned: own.append("outcome", "abandoned")
        case .open: own.append("outcome", exchange.isLeftInSilence ? "silence" : "open")
        }
        let interims = exchange.interims.map { interim -> JSONValue in
            [
                "status": .number(interim.value.status),
                "startedDateTime": .string(clock.date(interim.at)),
                "headers": Self.headers(interim.value.fields),
            ]
        }
        if !interims.isEmpty { own.append("interims", .array(interims)) }
        own.append("faults", .array(faults.map { Self.document($0.value) }))
        return own
    }

    static func document(_ fault: FaultReport) -> JSONValue {
        let state: String
        var reason: String?
        switch fault.state {
        case .fired: state = "fired"
        case .undelivered: state = "undelivered"
        case .unreached(let why): (state, reason) = ("unreached", why)
        }
        return .object([
            "fault": .string(fault.id), "address": .string(fault.address),
            "effect": .string(fault.effect), "state": .string(state),
            "reason": reason.map { .string($0) }, "offset": fault.offset.map { .number($0) },
            "isByHand": fault.isByHand ? true : nil,
        ])
    }
}
