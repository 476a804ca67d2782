internal import LinkProfile

/// Which setting made each value of a profile what it is.
///
/// A setting may change more than its own key (`rtt`, `loss`, a parameter), so it is tried out: the
/// profile is loaded with one setting more at a time, and what changes is that setting's doing.
struct SettingOrigins {
    private var changes: [String: ProfileSetting] = [:]
    /// Names that mean a choice of the profile, not both directions of something.
    private var parameters: Set<String> = []

    /// `load` gives the profile with the first so many settings; nil if they make none.
    init(settings: [ProfileSetting], load: ([ProfileSetting]) -> Profile?) {
        guard !settings.isEmpty, let plain = load([]) else { return }
        var before = plain.settableKeys
        parameters = Set(before.filter(\.isParameter).map(\.key))
        for (index, setting) in settings.enumerated() {
            guard let after = load(Array(settings[...index]))?.settableKeys else { continue }
            for key in after
            where key.key == setting.key || key.value != value(of: key.key, in: before) {
                changes[key.key] = setting
            }
            before = after
        }
    }

    /// The setting behind a value; nil if the profile says it.
    subscript(key: String) -> ProfileSetting? {
        changes[key] ?? bothWays(key).flatMap { changes[$0] }
    }

    /// What is equal in both directions has one key there, and may have two here.
    private func value(of key: String, in keys: [SettableKey]) -> String? {
        let found =
            keys.first { $0.key == key }
            ?? bothWays(key).flatMap { both in keys.first { $0.key == both } }
        return found?.value
    }

    /// The key for both directions of one for a single direction.
    private func bothWays(_ key: String) -> String? {
        for way in ["down.", "up."] where key.hasPrefix(way) {
            let both = String(key.dropFirst(way.count))
            return parameters.contains(both) ? nil : both
        }
        return nil
    }
}
