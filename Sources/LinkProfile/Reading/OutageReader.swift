import Basics
import LinkEngine
internal import YAML

private enum OutagesKey: String, SchemaKey {
    case windows, period, random, treatment

    static let hints = ["every": "write 'period'", "list": "write 'windows'"]
}

private enum WindowKey: String, SchemaKey {
    case at
    case length = "for"
}

private enum RandomOutagesKey: String, SchemaKey { case up, down }

extension Diagnostics {
    /// `none`, a list of windows, or a mapping.
    mutating func outages(_ node: Node) -> Outages? {
        switch node.value {
        case .scalar("none"): return Outages.none
        case .sequence:
            guard let windows = windows(node) else { return nil }
            return Outages(schedule: .windows(windows, period: nil))
        case .mapping: return outageMapping(node)
        case .scalar:
            report(
                "expected none, windows like [{at: 10s, for: 2s}], or a mapping of "
                    + "\(OutagesKey.allCases.map(\.rawValue).listed("and")); found \(node.description)",
                at: node.place
            )
            return nil
        }
    }

    private mutating func outageMapping(_ node: Node) -> Outages? {
        let before = list.count
        var schedule: Outages.Schedule?
        var windowList: [Outages.Window]?
        var period: Duration?
        var treatment = Outages.Treatment.drop
        for setting in settings(of: node, OutagesKey.self, in: "outages") {
            switch setting.key {
            case .windows: windowList = windows(setting.value)
            case .period: period = duration(setting.value, within: ProfileLimits.outageStep)
            case .random: schedule = randomOutages(setting.value)
            case .treatment: treatment = keyword(setting.value, ProfileWords.treatment) ?? treatment
            }
        }
        guard list.count == before else { return nil }
        if let schedule, windowList == nil, period == nil {
            return Outages(schedule: schedule, treatment: treatment)
        }
        guard schedule == nil, let windowList else {
            report("expected 'windows' (with or without 'period') or 'random'", at: node.place)
            return nil
        }
        if let period, let last = windowList.last, last.at + last.length > period {
            report("the last window ends after the period", at: node.place)
            return nil
        }
        return Outages(schedule: .windows(windowList, period: period), treatment: treatment)
    }

    private mutating func windows(_ node: Node) -> [Outages.Window]? {
        let limit = ProfileLimits.outageWindows
        guard let items = items(node, expected: "windows {at, for}", limit: limit) else {
            return nil
        }
        guard !items.isEmpty else {
            report("an empty list of windows; write 'outages: none'", at: node.place)
            return nil
        }
        var windows: [Outages.Window] = []
        for item in items {
            guard let window = window(item) else { return nil }
            if let last = windows.last, window.at < last.at + last.length {
                report("this window begins before the one above ends", at: item.place)
                return nil
            }
            windows.append(window)
        }
        return windows
    }

    private mutating func window(_ node: Node) -> Outages.Window? {
        var at: Duration?
        var length: Duration?
        for setting in settings(of: node, WindowKey.self, in: "a window") {
            switch setting.key {
            case .at: at = duration(setting.value, within: ProfileLimits.outage)
            case .length: length = duration(setting.value, within: ProfileLimits.outageStep)
            }
        }
        guard let at = required(at, "at", in: node), let length = required(length, "for", in: node)
        else { return nil }
        return Outages.Window(at: at, length: length)
    }

    private mutating func randomOutages(_ node: Node) -> Outages.Schedule? {
        var up: Duration?
        var down: Duration?
        for setting in settings(of: node, RandomOutagesKey.self, in: "random outages") {
            switch setting.key {
            case .up: up = duration(setting.value, within: ProfileLimits.outageStep)
            case .down: down = duration(setting.value, within: ProfileLimits.outageStep)
            }
        }
        guard let up = required(up, "up", in: node), let down = required(down, "down", in: node)
        else { return nil }
        return .random(meanUp: up, meanDown: down)
    }
}
