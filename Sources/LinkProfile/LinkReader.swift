import Basics
internal import YAML

/// Keys of `link`: those of one direction, which then hold for both, and those of the whole.
enum LinkKey: String, SchemaKey {
    case down, up, rate, trace, delay, rtt, jitter, loss, queue, outages, tcp, address
    case crossTraffic = "cross-traffic"

    static let hints = PathKey.commonHints
}

/// Keys of one direction of a link.
enum PathKey: String, SchemaKey {
    case rate, trace, delay, jitter, loss, queue, outages

    static let commonHints = [
        "latency": "write 'delay' (one way) or 'rtt' (both ways)",
        "bandwidth": "write 'rate'", "speed": "write 'rate'", "throughput": "write 'rate'",
        "plr": "write 'loss'", "packet-loss": "write 'loss'",
        "buffer": "write 'queue'", "limit": "write 'queue'",
        "ping": "write 'rtt' under 'link'",
    ]
    static let hints = commonHints.merging(
        ["rtt": "a direction has a 'delay' (one way); 'rtt' stands under 'link'"]
    ) { $1 }
}

enum TCPKey: String, SchemaKey { case behaviour, congestion, handshake }

enum CrossTrafficKey: String, SchemaKey { case flows, direction }

extension Diagnostics {
    mutating func readLink(_ node: Node, into layer: inout ProfileLayer) {
        var both = PathReader()
        var down = PathReader()
        var up = PathReader()
        var roundTrip: Duration?
        for setting in settings(of: node, LinkKey.self, in: "a link") {
            switch setting.key {
            case .down: down = pathReader(setting.value)
            case .up: up = pathReader(setting.value)
            case .tcp: layer.tcp = tcp(setting.value)
            case .address: layer.indexing = keyword(setting.value, ProfileWords.indexing)
            case .crossTraffic: layer.crossTraffic = crossTraffic(setting.value)
            case .rtt: roundTrip = roundTripTime(setting, in: node)
            case .rate: both.read(.rate, setting, &self)
            case .trace: both.read(.trace, setting, &self)
            case .delay: both.read(.delay, setting, &self)
            case .jitter: both.read(.jitter, setting, &self)
            case .loss: both.read(.loss, setting, &self)
            case .queue: both.read(.queue, setting, &self)
            case .outages: both.read(.outages, setting, &self)
            }
        }
        layer.down = both.layer
        layer.up = both.layer
        if let roundTrip {
            // The halves of an odd number of nanoseconds differ by one, so that their sum is exact.
            let half = Duration(nanoseconds: roundTrip.nanoseconds / 2)
            layer.down.delay = half
            layer.up.delay = roundTrip - half
        }
        layer.down.cover(with: down.layer)
        layer.up.cover(with: up.layer)
    }

    private mutating func roundTripTime(_ setting: Setting<LinkKey>, in link: Node) -> Duration? {
        if link[LinkKey.delay.rawValue] != nil {
            report("'rtt' and 'delay' are mutually exclusive", at: setting.keyPlace)
        }
        return duration(setting.value)
    }

    private mutating func pathReader(_ node: Node) -> PathReader {
        var reader = PathReader()
        for setting in settings(of: node, PathKey.self, in: "a direction") {
            reader.read(setting.key, setting, &self)
        }
        return reader
    }

    private mutating func tcp(_ node: Node) -> TCPLayer {
        var layer = TCPLayer()
        for setting in settings(of: node, TCPKey.self, in: "TCP settings") {
            switch setting.key {
            case .behaviour: layer.behaviour = keyword(setting.value, ProfileWords.behaviour)
            case .congestion: layer.congestion = keyword(setting.value, ProfileWords.congestion)
            case .handshake: layer.handshake = truth(setting.value)
            }
        }
        return layer
    }
}

extension Diagnostics {
    fileprivate mutating func crossTraffic(_ node: Node) -> CrossTrafficLayer {
        var layer = CrossTrafficLayer()
        layer.place = node.place
        for setting in settings(of: node, CrossTrafficKey.self, in: "cross traffic") {
            switch setting.key {
            case .flows: layer.flows = crossFlows(setting.value)
            case .direction:
                layer.direction = keyword(setting.value, ProfileWords.direction)
            }
        }
        return layer
    }

    private mutating func crossFlows(_ node: Node) -> Int? {
        guard let number = wholeNumber(node) else { return nil }
        guard number <= ProfileLimits.crossFlows else {
            report("'\(number)' is more than \(ProfileLimits.crossFlows)", at: node.place)
            return nil
        }
        return Int(number)
    }
}

/// Reads the settings of a direction one by one.
private struct PathReader {
    var layer = PathLayer()

    mutating func read(
        _ key: PathKey,
        _ setting: Setting<some SchemaKey>,
        _ diagnostics: inout Diagnostics
    ) {
        let value = setting.value
        switch key {
        case .rate, .trace:
            if layer.capacity != nil {
                diagnostics.report(
                    "'rate' and 'trace' are mutually exclusive",
                    at: setting.keyPlace
                )
            }
            layer.capacity =
                key == .rate ? diagnostics.capacity(value) : diagnostics.trace(value)
        case .delay: layer.delay = diagnostics.duration(value)
        case .jitter: layer.jitter = diagnostics.jitter(value)
        case .loss: layer.loss = diagnostics.loss(value)
        case .queue: layer.queue = diagnostics.queue(value)
        case .outages: layer.outages = diagnostics.outages(value)
        }
    }
}
