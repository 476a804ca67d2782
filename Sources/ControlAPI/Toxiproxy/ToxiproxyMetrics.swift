internal import LinkEngine
internal import Proxy

/// The counters of proxies in Prometheus's text format, version 0.0.4.
package enum ToxiproxyMetrics {
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

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
        let name = "toxiproxy_proxy_\(name)_bytes_total"
        var text = "# HELP \(name) \(help)\n# TYPE \(name) counter\n"
        for proxy in proxies {
            for direction in Direction.allCases {
                let labels = [
                    ("direction", direction == .up ? "upstream" : "downstream"),
                    ("listener", proxy.listenText), ("proxy", proxy.name),
                    ("upstream", proxy.upstreamText),
                ]
                let list = labels.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",")
                text += "\(name){\(list)} \(value(proxy, direction))\n"
            }
        }
        return text
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text {
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.append(character)
            }
        }
        return escaped
    }
}
