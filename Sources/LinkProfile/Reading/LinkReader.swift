import Basics
import LinkEngine
internal import YAML

/// A key of `link`.
enum LinkKey {
    case down, up
    /// One of a direction, which then holds for both.
    case both(SectionKey<PathDraft>)
    /// One of the link as a whole.
    case own(SectionKey<LinkSettings>)
    case roundTrip, tcp, crossTraffic

    /// In the order in which they are listed.
    static let all: [(name: String, key: LinkKey)] =
        [("down", .down), ("up", .up)]
        + ProfileSections.direction.keys.flatMap { key -> [(String, LinkKey)] in
            // Two ways to say one thing stand together.
            [(key.name, .both(key))]
                + (key.name == ProfileSections.delay.name ? [("rtt", .roundTrip)] : [])
        }
        + [(ProfileSections.tcp.name, .tcp)]
        + ProfileSections.link.keys.map { ($0.name, .own($0)) }
        + [(ProfileSections.crossTraffic.name, .crossTraffic)]

    static let names = all.map(\.name)

    init?(_ name: String) {
        guard let key = Self.all.first(where: { $0.name == name })?.key else { return nil }
        self = key
    }

    /// The form of its value.
    var schema: JSONValue {
        switch self {
        case .down, .up: ProfileSections.direction.schema
        case .both(let key): key.schema
        case .roundTrip: ProfileJSONSchema.time
        case .tcp: ProfileSections.tcp.schema
        case .own(let key): key.schema
        case .crossTraffic: ProfileSections.crossTraffic.schema
        }
    }
}

extension Diagnostics {
    mutating func readLink(_ node: Node, into layer: inout ProfileLayer) {
        var both = SectionLayer<PathDraft>()
        var down = SectionLayer<PathDraft>()
        var up = SectionLayer<PathDraft>()
        var roundTrip: Duration?
        for entry in entries(of: node, LinkKey.names, ProfileSections.linkHints, in: "a link") {
            switch LinkKey(entry.key) {
            case .down: down = self.layer(entry.value, ProfileSections.direction)
            case .up: up = self.layer(entry.value, ProfileSections.direction)
            case .both(let key): read(entry, as: key, of: ProfileSections.direction, into: &both)
            case .roundTrip: roundTrip = roundTripTime(entry, in: node)
            case .tcp: layer.tcp = self.layer(entry.value, ProfileSections.tcp)
            case .own(let key): read(entry, as: key, of: ProfileSections.link, into: &layer.link)
            case .crossTraffic:
                layer.crossTraffic = self.layer(entry.value, ProfileSections.crossTraffic)
            case nil: continue
            }
        }
        layer.down = both
        layer.up = both
        if let roundTrip {
            // The halves of an odd number of nanoseconds differ by one, so that their sum is exact.
            let half = Duration(nanoseconds: roundTrip.nanoseconds / 2)
            layer.down.set(ProfileSections.delay) { $0.settings.delay = half }
            layer.up.set(ProfileSections.delay) { $0.settings.delay = roundTrip - half }
        }
        layer.down.cover(with: down)
        layer.up.cover(with: up)
    }

    private mutating func roundTripTime(_ entry: Node.Entry, in link: Node) -> Duration? {
        if link[ProfileSections.delay.name] != nil {
            report("'rtt' and 'delay' are mutually exclusive", at: entry.keyPlace)
        }
        return duration(entry.value)
    }
}
