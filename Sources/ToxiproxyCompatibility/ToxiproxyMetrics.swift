internal import Basics
internal import ControlAPI
internal import Proxy

/// The counters of proxies in Prometheus's text format, version 0.0.4.
package enum ToxiproxyMetrics {
    /// The counters of this moment, which open connections are part of.
    static func text(of proxies: [NamedProxy]) -> String {
        family("received", "Bytes read from the sender of a direction.", proxies) {
            $0.server.receivedBytes($1)
        }
            + family("sent", "Bytes written to the receiver of a direction.", proxies) {
                $0.server.deliveredBytes($1)
            }
    }

    private static func family(
        _ name: String,
        _ help: String,
        _ proxies: [NamedProxy],
        _ value: (NamedProxy, Direction) -> UInt64
    ) -> String {
        var metrics = MetricsText()
        metrics.add(
            "toxiproxy_proxy_\(name)_bytes_total",
            .counter,
            help,
            proxies.flatMap { proxy in
                Direction.allCases.map { direction in
                    (
                        labels: [
                            ("direction", direction == .up ? "upstream" : "downstream"),
                            ("listener", proxy.listenText), ("proxy", proxy.name),
                            ("upstream", proxy.upstreamText),
                        ],
                        value: "\(value(proxy, direction))"
                    )
                }
            }
        )
        return metrics.text
    }
}
