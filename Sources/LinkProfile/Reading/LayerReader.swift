import Basics
import Faults
internal import YAML

/// Keys at the top of a profile.
enum ProfileKey: String, SchemaKey {
    case name, summary, kind, source, confirmed, extends, parameters, link, path, budget, dns
    case faults, handovers

    static let hints = [
        "fault": "write 'faults', a list", "handover": "write 'handovers', a list",
        "description": "write 'summary'",
        "group": "write 'kind'", "type": "write 'kind'",
        "latency": "write 'delay' (one way) or 'rtt' (both ways) under 'link'",
        "rate": "write it under 'link'", "delay": "write it under 'link'",
        "rtt": "write it under 'link'", "loss": "write it under 'link'",
        "down": "write it under 'link'", "up": "write it under 'link'",
    ]
}

extension Diagnostics {
    /// Reads one text of a profile, parameters already put in.
    mutating func layer(_ root: Node) -> ProfileLayer {
        var layer = ProfileLayer()
        for setting in settings(of: root, ProfileKey.self, in: "a profile") {
            let value = setting.value
            switch setting.key {
            case .name: layer.name = profileName(value)
            case .summary: layer.summary = scalar(value, expected: "a line of text")
            case .kind: layer.kind = keyword(value, ProfileWords.kind)
            case .source: layer.source = scalar(value, expected: "where the numbers come from")
            case .confirmed: layer.isConfirmed = truth(value)
            case .extends, .parameters: continue  // They were followed before this pass.
            case .link: readLink(value, into: &layer)
            case .path: layer.attributes = self.layer(value, ProfileSections.attributes)
            case .budget: layer.budget = self.layer(value, ProfileSections.budget)
            case .dns: layer.nameLookup = self.layer(value, ProfileSections.nameLookup)
            case .faults: layer.faults = faults(value)
            case .handovers: layer.handovers = handovers(value)
            }
        }
        return layer
    }

    /// A word for the command line and for file names.
    private mutating func profileName(_ node: Node) -> String? {
        guard let name = scalar(node, expected: "a name") else { return nil }
        guard isProfileName(name) else {
            report(
                "'\(name)' is not a name; expected up to 64 letters a-z, digits and hyphens",
                at: node.place
            )
            return nil
        }
        return name
    }

    private mutating func faults(_ node: Node) -> [Fault]? {
        let limit = ProfileLimits.faults
        guard let items = items(node, expected: "faults", limit: limit) else { return nil }
        return items.compactMap { fault($0) }
    }

    private mutating func fault(_ node: Node) -> Fault? {
        guard let text = scalar(node, expected: "a fault, like 'c1:down+65536=rst'") else {
            return nil
        }
        do throws(ScheduleError) {
            return try Fault(parsing: text)
        } catch {
            report("in '\(text)', column \(error.column): \(error.description)", at: node.place)
            return nil
        }
    }
}

/// Whether a text can name a profile or a parameter.
func isProfileName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
        && text.utf8.allSatisfy { letter in
            switch letter {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        } && text.utf8.first != UInt8(ascii: "-")
}
