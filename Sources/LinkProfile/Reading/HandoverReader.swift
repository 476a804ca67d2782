import Basics
import LinkEngine
internal import YAML

enum HandoverKey: String, SchemaKey {
    case at
    case length = "for"
    case to, link, path

    static let hints = ["profile": "write 'to'", "silence": "write 'for'"]
}

/// A handover as a text has it: what the path is like is known once all layers are.
struct HandoverLayer {
    var at: Duration
    var silence: Duration
    /// The profile whose link and path come; nil for those of this one, as far as `numbers` leave
    /// them.
    var profile: (name: String, place: Place)?
    var numbers = ProfileLayer()
}

extension Diagnostics {
    /// `none`, or a list of mappings.
    mutating func handovers(_ node: Node) -> [HandoverLayer]? {
        if case .scalar("none") = node.value { return [] }
        let limit = ProfileLimits.outageWindows
        guard let items = items(node, expected: "handovers {at, for, to}", limit: limit) else {
            return nil
        }
        var handovers: [HandoverLayer] = []
        for item in items {
            guard let handover = handover(item) else { return nil }
            if let last = handovers.last, handover.at < last.at + last.silence {
                report("this handover begins before the one above is over", at: item.place)
                return nil
            }
            handovers.append(handover)
        }
        return handovers
    }

    private mutating func handover(_ node: Node) -> HandoverLayer? {
        var layer = HandoverLayer(at: .zero, silence: .zero)
        var at: Duration?
        var silence: Duration?
        for setting in settings(of: node, HandoverKey.self, in: "a handover") {
            switch setting.key {
            case .at: at = duration(setting.value, within: ProfileLimits.outage)
            case .length: silence = duration(setting.value, within: ProfileLimits.outage)
            case .to:
                guard let name = scalar(setting.value, expected: "the name of a profile") else {
                    return nil
                }
                layer.profile = (name, setting.value.place)
            case .link: readLink(setting.value, into: &layer.numbers)
            case .path:
                layer.numbers.attributes = self.layer(setting.value, ProfileSections.attributes)
                if layer.numbers.attributes.sets(ProfileSections.onDemand) {
                    report(
                        "a path that comes up on demand is one from the start; leave 'on-demand' out",
                        at: setting.value.place
                    )
                }
            }
        }
        guard let at = required(at, "at", in: node),
            let silence = required(silence, "for", in: node)
        else { return nil }
        (layer.at, layer.silence) = (at, silence)
        return layer
    }
}
