import Basics
import LinkEngine

/// One thing in a profile that `key=value` can change, with its value as it is now.
package struct SettableKey: Hashable, Sendable {
    /// As the user types it: a parameter's name, `delay`, `down.rate`.
    package let key: String
    /// As the user could type it; nil if nothing is set.
    package let value: String?
    /// Stands for the value where there is none, as `SIZE` in `budget.soft=SIZE`.
    package let placeholder: String
    /// What it is, with units and range.
    package let help: String
    /// The words that it takes, if it takes nothing else.
    package var words: [String] = []
    /// Whether it is a choice that this profile offers, not one that all have.
    package let isParameter: Bool
}

extension Profile {
    /// Everything that can be set, in the order of the profile format, parameters first.
    ///
    /// What is equal in both directions has one key; `down.` or `up.` before it sets one direction.
    package var settableKeys: [SettableKey] {
        let own = parameters.map { parameter in
            SettableKey(
                key: parameter.name,
                value: parameter.value,
                placeholder: "VALUE",
                help: parameter.help.isEmpty
                    ? parameter.allowed : "\(parameter.help); \(parameter.allowed)",
                isParameter: true
            )
        }
        return own + ProfileSections.direction.keys.flatMap(pathKeys) + linkKeys + policyKeys
    }

    private func pathKeys(_ key: SectionKey<PathDraft>) -> [SettableKey] {
        let down = key.readable(PathDraft(link.down, traces.down))
        let up = key.readable(PathDraft(link.up, traces.up))
        // A parameter of this name goes first, so the key alone would not mean both directions.
        let isTaken = parameters.contains { $0.name == key.name }
        let rows =
            down == up && !isTaken
            ? [(key.name, down)] : [("down.\(key.name)", down), ("up.\(key.name)", up)]
        return rows.map { SettableKey(key, as: $0, value: $1) }
    }

    private var linkKeys: [SettableKey] {
        let roundTrip = SettableKey(
            key: "rtt",
            value: Quantity.readable(link.down.delay + link.up.delay),
            placeholder: "TIME",
            help: "both ways, half of it each way, instead of delay",
            isParameter: false
        )
        return [roundTrip] + ProfileSections.tcp.settableKeys(link.tcp)
            + ProfileSections.link.keys.map {
                SettableKey($0, as: $0.name, value: $0.readable(link))
            }
            + ProfileSections.crossTraffic.settableKeys(link.crossTraffic)
    }

    private var policyKeys: [SettableKey] {
        ProfileSections.attributes.settableKeys(path) + ProfileSections.budget.settableKeys(budget)
            + ProfileSections.nameLookup.settableKeys(nameLookupDelay)
    }
}

extension ProfileSection {
    /// What `key=value` can change; values of nil are not there.
    fileprivate func settableKeys(_ model: Model?) -> [SettableKey] {
        zip(keys, paths).map { key, path in
            let value = model.map { key.readable($0) } ?? key.valueWithoutSection
            return SettableKey(key, as: path, value: value)
        }
    }
}

extension SettableKey {
    fileprivate init(_ declared: SectionKey<some Sendable>, as key: String, value: String?) {
        self.init(
            key: key,
            value: value,
            placeholder: declared.placeholder,
            help: declared.help,
            words: declared.words,
            isParameter: false
        )
    }
}
