internal import HTTPWire
internal import Journal
internal import LinkProfile
internal import Proxy
internal import SystemIO

/// `/metrics`: base units, counters that end in `_total`, no label per connection, URL or run.
final class MetricsResource {
    private let run: ControlledRun
    private let meter: MeterResource
    private(set) var counters = MetricsCounters()
    let linkMeter = LinkMeter()
    private let lagMeter: LoopLagMeter

    init(_ run: ControlledRun, _ meter: MeterResource) {
        self.run = run
        self.meter = meter
        lagMeter = LoopLagMeter(run.server.loop)
        run.server.linkMeter = linkMeter
    }

    func addRoutes(to table: inout RouteTable) {
        table.add("GET", "/metrics") { [self] _, _ in metricsText }
    }

    func receive(_ record: JournalRecord) { counters.take(record) }

    func close() { lagMeter.close() }

    private typealias Rows = [(labels: [(String, String)], value: String)]

    private var metricsText: ControlAnswer {
        let proxies = run.fleet.all.map { ($0, $0.server.snapshot(rows: 0)) }
        var text = MetricsText()
        text.add(
            "linkcond_build_info",
            .gauge,
            "What runs; always 1.",
            [
                (
                    [
                        ("version", run.program.version), ("profile", run.server.profile.name),
                        ("seed", "\(run.program.seed)"),
                    ], "1"
                )
            ]
        )
        addTraffic(&text, proxies)
        addConditions(&text, proxies)
        addTroubles(&text, proxies)
        addTimes(&text)
        addTransfers(&text)
        text.add(ProcessUsage())
        return .text(text.text, type: MetricsText.type)
    }

    private func addTraffic(
        _ text: inout MetricsText,
        _ proxies: [(SteeredProxy, ProxySnapshot)]
    ) {
        text.add(
            "linkcond_bytes_total",
            .counter,
            "Payload bytes handed to receivers.",
            proxies.flatMap {
                Self.rows($0, "direction", ("up", $1.up.bytes), ("down", $1.down.bytes))
            }
        )
        text.add(
            "linkcond_connections_open",
            .gauge,
            "Connections that are open.",
            proxies.map { ([("proxy", $0.name)], "\($1.openConnections)") }
        )
        text.add(
            "linkcond_connections_total",
            .counter,
            "Connections that ended, by how they did.",
            run.fleet.all.flatMap { Self.rows($0, $0.book.ended, "outcome") }
        )
        addDatagrams(&text, proxies)
        text.add(
            "linkcond_requests_total",
            .counter,
            "Requests that were answered, by method and class of status.",
            run.fleet.all.flatMap(Self.requests)
        )
    }

    /// Nothing for proxies that carry no datagrams.
    private func addDatagrams(
        _ text: inout MetricsText,
        _ proxies: [(SteeredProxy, ProxySnapshot)]
    ) {
        let flows = proxies.compactMap { proxy, snapshot in snapshot.flows.map { (proxy, $0) } }
        text.add(
            "linkcond_flows_open",
            .gauge,
            "Flows of datagrams that are open.",
            flows.map { ([("proxy", $0.name)], "\($1.open)") }
        )
        text.add(
            "linkcond_flows_total",
            .counter,
            "Flows of datagrams that began.",
            flows.map { ([("proxy", $0.name)], "\($1.total)") }
        )
        text.add(
            "linkcond_datagrams_received_total",
            .counter,
            "Datagrams that came from their senders.",
            flows.flatMap {
                Self.rows($0, "direction", ("up", $1.up.count), ("down", $1.down.count))
            }
        )
        text.add(
            "linkcond_datagrams_delivered_total",
            .counter,
            "Datagrams that their receivers were sent; faults and the link took the rest.",
            flows.flatMap {
                Self.rows($0, "direction", ("up", $1.up.delivered), ("down", $1.down.delivered))
            }
        )
    }

    private static func requests(_ proxy: SteeredProxy) -> Rows {
        proxy.book.requests.sorted { $0.key < $1.key }.map { key, value in
            let parts = key.split(separator: " ").map(String.init)
            return (
                [
                    ("proxy", proxy.name), ("method", parts[0]), ("code_class", parts.last ?? ""),
                ], "\(value)"
            )
        }
    }

    private func addConditions(
        _ text: inout MetricsText,
        _ proxies: [(SteeredProxy, ProxySnapshot)]
    ) {
        text.add(
            "linkcond_queue_bytes",
            .gauge,
            "Bytes that wait in the link's queue.",
            proxies.flatMap {
                Self.rows(
                    $0,
                    "direction",
                    ("up", UInt64($1.up.queuedBytes)),
                    ("down", UInt64($1.down.queuedBytes))
                )
            }
        )
        text.add(
            "linkcond_paused",
            .gauge,
            "Whether everything is held back.",
            run.fleet.all.map { ([("proxy", $0.name)], $0.server.manual.isPaused ? "1" : "0") }
        )
        text.add(
            "linkcond_outage",
            .gauge,
            "Whether the link carries nothing.",
            run.fleet.all.map {
                ([("proxy", $0.name)], $0.server.link.outage.isPresent ? "1" : "0")
            }
        )
        text.add(
            "linkcond_faults_fired_total",
            .counter,
            "Faults that acted, by effect.",
            run.fleet.all.flatMap { Self.rows($0, $0.metrics.fired, "effect") }
        )
        text.add(
            "linkcond_faults_unreached_total",
            .counter,
            "Faults that were armed on a connection and did not act.",
            "\(counters.unreached)"
        )
    }

    private func addTroubles(
        _ text: inout MetricsText,
        _ proxies: [(SteeredProxy, ProxySnapshot)]
    ) {
        text.add(
            "linkcond_internal_faults_total",
            .counter,
            "Troubles of linkcond itself.",
            InternalTrouble.allCases.map { kind in
                ([("kind", kind.rawValue)], "\(counters.troubles[kind.rawValue] ?? 0)")
            }
        )
        text.add(
            "linkcond_changes_total",
            .counter,
            "Changes by hand, of the control API and of keys.",
            "\(counters.changes)"
        )
        text.add(
            "linkcond_late_packets_total",
            .counter,
            "Packets that left more than 20 ms late.",
            "\(proxies.reduce(0) { $0 + $1.1.lateness.count })"
        )
    }

    private func addTimes(_ text: inout MetricsText) {
        text.add(
            "linkcond_added_delay_seconds",
            "Time on the link from the sender's byte to its arrival, any handshake included, sampled.",
            linkMeter.addedDelay
        )
        text.add(
            "linkcond_pacing_error_seconds",
            "How much later than by the link's reckoning bytes left it.",
            linkMeter.pacingError
        )
        text.add(
            "linkcond_loop_lag_seconds",
            "How late the loop gets to what is due, ten times a second.",
            lagMeter.lag
        )
    }

    private func addTransfers(_ text: inout MetricsText) {
        text.add(
            "linkcond_resumes_total",
            .counter,
            "Transfers that went on where they had been cut off.",
            run.fleet.all.flatMap {
                Self.rows(
                    $0,
                    "kind",
                    ("download", $0.resumes.downloads),
                    ("upload", $0.resumes.uploads)
                )
            }
        )
        text.add(
            "linkcond_resent_bytes_total",
            .counter,
            "Content that was sent again although its receiver had it, counted at a message's end.",
            run.fleet.all.flatMap {
                Self.rows(
                    $0,
                    "direction",
                    ("up", $0.resumes.resent.up),
                    ("down", $0.resumes.resent.down)
                )
            }
        )
        meter.settleMeter()
        text.add(
            "linkcond_metered_bytes_total",
            .counter,
            "Payload bytes by what the path was like.",
            PathMeter.Class.allCases.map { kind in
                ([("class", kind.rawValue)], "\(meter[kind].up + meter[kind].down)")
            }
        )
    }

    private static func rows(
        _ proxy: SteeredProxy,
        _ label: String,
        _ counts: (String, UInt64)...
    ) -> Rows {
        counts.map { ([("proxy", proxy.name), (label, $0.0)], "\($0.1)") }
    }

    private static func rows(
        _ proxy: SteeredProxy,
        _ counts: [String: UInt64],
        _ label: String
    ) -> Rows {
        counts.sorted { $0.key < $1.key }.map { key, value in
            ([("proxy", proxy.name), (label, key)], "\(value)")
        }
    }
}
