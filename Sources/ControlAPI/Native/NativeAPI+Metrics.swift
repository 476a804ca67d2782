internal import HTTPWire
internal import Journal
internal import LinkProfile
internal import Libuv
internal import Proxy

// Metrics: base units, counters that end in `_total`, no label per connection, URL or run.
extension NativeAPI {
    var metricsText: ControlAnswer {
        let snapshot = server.snapshot(rows: 0)
        let proxy = ("proxy", Self.proxyName)
        var text = MetricsText()
        text.add(
            "linkcond_build_info",
            .gauge,
            "What runs; always 1.",
            [
                (
                    [
                        ("version", program.version), ("profile", server.profile.name),
                        ("seed", "\(program.seed)"),
                    ], "1"
                )
            ]
        )
        text.add(
            "linkcond_bytes_total",
            .counter,
            "Payload bytes handed to receivers.",
            [
                ([proxy, ("direction", "up")], "\(snapshot.up.bytes)"),
                ([proxy, ("direction", "down")], "\(snapshot.down.bytes)"),
            ]
        )
        text.add(
            "linkcond_connections_open",
            .gauge,
            "Connections that are open.",
            [([proxy], "\(snapshot.openConnections)")]
        )
        text.add(
            "linkcond_connections_total",
            .counter,
            "Connections that ended, by how they did.",
            rows(book.ended, "outcome")
        )
        text.add(
            "linkcond_requests_total",
            .counter,
            "Requests that were answered, by method and class of status.",
            book.requests.sorted { $0.key < $1.key }.map { key, value in
                let parts = key.split(separator: " ").map(String.init)
                return (
                    [proxy, ("method", parts[0]), ("code_class", parts.last ?? "")], "\(value)"
                )
            }
        )
        addConditions(&text, snapshot, proxy)
        addTimes(&text)
        addTransfers(&text, proxy)
        text.add(ProcessUsage())
        return .text(text.text, type: MetricsText.type)
    }

    private func addConditions(
        _ text: inout MetricsText,
        _ snapshot: ProxySnapshot,
        _ proxy: (String, String)
    ) {
        text.add(
            "linkcond_queue_bytes",
            .gauge,
            "Bytes that wait in the link's queue.",
            [
                ([proxy, ("direction", "up")], "\(snapshot.up.queuedBytes)"),
                ([proxy, ("direction", "down")], "\(snapshot.down.queuedBytes)"),
            ]
        )
        text.add(
            "linkcond_faults_fired_total",
            .counter,
            "Faults that acted, by effect.",
            rows(metrics.fired, "effect")
        )
        text.add(
            "linkcond_faults_unreached_total",
            .counter,
            "Faults that were armed on a connection and did not act.",
            "\(metrics.unreached)"
        )
        text.add(
            "linkcond_internal_faults_total",
            .counter,
            "Troubles of linkcond itself.",
            InternalTrouble.allCases.map { kind in
                ([("kind", kind.rawValue)], "\(metrics.troubles[kind.rawValue] ?? 0)")
            }
        )
        text.add(
            "linkcond_changes_total",
            .counter,
            "Changes by hand, of the control API and of keys.",
            "\(metrics.changes)"
        )
        text.add(
            "linkcond_late_packets_total",
            .counter,
            "Packets that left more than 20 ms late.",
            "\(snapshot.lateness.count)"
        )
        text.add(
            "linkcond_paused",
            .gauge,
            "Whether everything is held back.",
            [
                ([proxy], server.isPaused ? "1" : "0")
            ]
        )
        text.add(
            "linkcond_outage",
            .gauge,
            "Whether the link carries nothing.",
            [
                ([proxy], server.outage.isPresent ? "1" : "0")
            ]
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

    private func addTransfers(_ text: inout MetricsText, _ proxy: (String, String)) {
        text.add(
            "linkcond_resumes_total",
            .counter,
            "Transfers that went on where they had been cut off.",
            [
                ([proxy, ("kind", "download")], "\(resumes.downloads)"),
                ([proxy, ("kind", "upload")], "\(resumes.uploads)"),
            ]
        )
        settleMeter()
        text.add(
            "linkcond_metered_bytes_total",
            .counter,
            "Payload bytes by what the path was like.",
            PathMeter.Class.allCases.map { kind in
                ([("class", kind.rawValue)], "\(meter[kind].up + meter[kind].down)")
            }
        )
    }

    private func rows(
        _ counts: [String: UInt64],
        _ label: String,
        proxy: Bool = true
    ) -> [(labels: [(String, String)], value: String)] {
        counts.sorted { $0.key < $1.key }.map { key, value in
            ((proxy ? [("proxy", Self.proxyName)] : []) + [(label, key)], "\(value)")
        }
    }
}
