internal import Basics
import LinkEngine
internal import YAML

private enum JitterKey: String, SchemaKey { case uniform, normal, pareto }

extension Diagnostics {
    /// `none`, or one distribution with its spread, as `{normal: 3ms}`.
    mutating func jitter(_ node: Node) -> Jitter? {
        if node.value == .scalar("none") { return Jitter.none }
        guard let setting = onlySetting(of: node, JitterKey.self, like: "jitter like {normal: 3ms}")
        else { return nil }
        guard let spread = duration(setting.value) else { return nil }
        guard spread > .zero else { return Jitter.none }
        switch setting.key {
        case .uniform: return .uniform(spread)
        case .normal: return .normal(spread)
        case .pareto: return .pareto(spread)
        }
    }

    /// `auto`, packets or bytes.
    mutating func queue(_ node: Node) -> QueueLimit? {
        let expected = "auto, packets like 50packets, or bytes like 64KiB"
        guard let text = scalar(node, expected: expected) else { return nil }
        if text == "auto" { return .automatic }
        if text.hasSuffix("packets") || text.hasSuffix("packet") {
            guard let count = PacketCount.whole(text), ProfileLimits.queuePackets.contains(count)
            else {
                let range = ProfileLimits.queuePackets
                report(
                    "'\(text)' is not a queue; expected \(range.lowerBound) to "
                        + "\(range.upperBound) whole packets",
                    at: node.place
                )
                return nil
            }
            return .packets(count)
        }
        guard let first = text.utf8.first, first <= UInt8(ascii: "9"),
            let last = text.utf8.last, last > UInt8(ascii: "9")
        else {
            report("expected \(expected); found '\(text)'", at: node.place)
            return nil
        }
        return byteCount(node, within: ProfileLimits.queueBytes).map { .bytes(Int($0)) }
    }

    /// The only entry of a mapping that offers a choice of forms; `what` shows one of them.
    mutating func onlySetting<Key: SchemaKey>(
        of node: Node,
        _: Key.Type,
        like what: String
    ) -> Setting<Key>? {
        let forms = "expected \(what) (one of \(Key.allCases.map(\.rawValue).listed()))"
        guard case .mapping = node.value else {
            report("\(forms); found \(node.description)", at: node.place)
            return nil
        }
        let before = list.count
        let settings = settings(of: node, Key.self, in: what)
        guard list.count == before else { return nil }
        guard settings.count == 1 else {
            report("\(forms); found \(settings.count) of them", at: node.place)
            return nil
        }
        return settings[0]
    }

    /// A setting that its mapping must have.
    mutating func required<Value>(_ value: Value?, _ key: String, in node: Node) -> Value? {
        if value == nil, node[key] == nil { report("'\(key)' is missing", at: node.place) }
        return value
    }
}
