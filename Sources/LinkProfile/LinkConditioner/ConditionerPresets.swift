internal import Basics
internal import YAML

/// A preset of Apple's Network Link Conditioner as a profile.
package struct ConditionerPreset: Hashable, Sendable {
    /// Apple's name.
    package let title: String
    /// The profile's name: letters, digits and hyphens.
    package let name: String
    /// A profile file.
    package let yaml: String
    /// What the preset says and a profile cannot, one line each.
    package let notes: [String]
}

/// The presets in a property list of Network Link Conditioner.
///
/// They are kept in `com.apple.network.prefPaneSimulate.plist` under `Profiles`; a dictionary of
/// presets by name and one preset alone are read, too. Rates are in kbit/s, or in Mbit/s where the
/// unit is 1, and 0 is no limit; delays are in milliseconds, one way; losses in percent.
package enum ConditionerPresets {
    /// Reads an XML or binary property list.
    ///
    /// - Parameters:
    ///   - bytes: the list.
    ///   - file: its name for messages; also the name of a preset that has none.
    /// - Returns: the presets in the order of the list, at least one.
    /// - Throws: `invalid`, with each unknown key and each value that cannot be.
    package static func read(
        _ bytes: [UInt8],
        file: String
    ) throws(ProfileError) -> [ConditionerPreset] {
        let list: PropertyList
        do throws(PropertyListMistake) {
            list = try PropertyList(bytes, file: file)
        } catch {
            throw .invalid([error.diagnostic])
        }
        var diagnostics = Diagnostics()
        var presets: [ConditionerPreset] = []
        for entry in entries(of: list, file: file) {
            var reader = PresetReader(title: entry.key, entry.value, at: entry.place)
            guard let preset = reader.read(&diagnostics) else { continue }
            if presets.contains(where: { $0.name == preset.name }) {
                diagnostics.report("a second preset '\(preset.name)'", at: entry.place)
            }
            check(preset, at: entry.place, &diagnostics)
            presets.append(preset)
        }
        if list.dictionary?.isEmpty != false {
            diagnostics.report("no preset of Network Link Conditioner is here", at: list.place)
        }
        try diagnostics.throwIfAny()
        return presets
    }

    /// Each value may be right, and the profile beyond what a link can be.
    private static func check(
        _ preset: ConditionerPreset,
        at place: Place,
        _ diagnostics: inout Diagnostics
    ) {
        let text = ProfileText(file: "\(preset.name).yaml", bytes: Array(preset.yaml.utf8))
        do throws(ProfileError) {
            _ = try ProfileLibrary.builtinOnly().load(text)
        } catch {
            guard case .invalid(let found) = error else { return }
            for mistake in found {
                diagnostics.report("\(preset.title): \(mistake.message)", at: place)
            }
        }
    }

    private static func entries(of list: PropertyList, file: String) -> [PropertyList.Entry] {
        if let profiles = list["Profiles"]?.dictionary { return profiles }
        let keys = PresetReader.keys.map(\.name)
        if list.dictionary?.contains(where: { keys.contains($0.key) }) == true {
            let name = file.split(separator: "/").last.map(String.init) ?? file
            let title = name.hasSuffix(".plist") ? String(name.dropLast(6)) : name
            return [.init(key: title, place: list.place, value: list)]
        }
        return list.dictionary ?? []
    }
}

/// Reads one preset.
private struct PresetReader {
    /// The keys that Apple writes, and what their values may be.
    static let keys: [(name: String, range: ClosedRange<Double>)] = [
        ("DownlinkBandwidth", 0...1e9), ("DownlinkBandwidthUnit", 0...1),
        ("DownlinkDelay", 0...3_600_000), ("DownlinkPacketLossRatio", 0...100),
        ("UplinkBandwidth", 0...1e9), ("UplinkBandwidthUnit", 0...1),
        ("UplinkDelay", 0...3_600_000), ("UplinkPacketLossRatio", 0...100),
        ("DNSDelayValue", 0...3_600_000), ("ProtocolFamily", 0...2),
        ("ExcludeLoopback", 0...1),
    ]
    private static let interfaceKey = "RunOnInterface"

    private let title: String
    private let preset: PropertyList
    private let place: Place
    private var numbers: [String: Double] = [:]
    private var interface: String?

    init(title: String, _ preset: PropertyList, at place: Place) {
        self.title = title
        self.preset = preset
        self.place = place
    }

    mutating func read(_ diagnostics: inout Diagnostics) -> ConditionerPreset? {
        guard let entries = preset.dictionary else {
            diagnostics.report("preset '\(title)' must be a dictionary", at: place)
            return nil
        }
        for entry in entries { read(entry, &diagnostics) }
        let name = ConditionerName.profileName(title)
        guard !name.isEmpty else {
            diagnostics.report("preset '\(title)' needs a letter or digit in its name", at: place)
            return nil
        }
        return ConditionerPreset(title: title, name: name, yaml: yaml(name), notes: notes)
    }

    private mutating func read(_ entry: PropertyList.Entry, _ diagnostics: inout Diagnostics) {
        let path = "\(title): \(entry.key)"
        if entry.key == Self.interfaceKey {
            guard case .string(let name) = entry.value.value else {
                diagnostics.report("\(path) must be a string", at: entry.value.place)
                return
            }
            interface = name
            return
        }
        guard let key = Self.keys.first(where: { $0.name == entry.key }) else {
            let names = Self.keys.map(\.name) + [Self.interfaceKey]
            let nearest = NearestName.of(entry.key, among: names)
            let hint = nearest.map { "; did you mean '\($0)'?" } ?? ""
            diagnostics.report("\(title): unknown key '\(entry.key)'\(hint)", at: entry.place)
            return
        }
        guard let number = entry.value.number, key.range.contains(number) else {
            let range = "\(Int(key.range.lowerBound)) to \(Int(key.range.upperBound))"
            diagnostics.report("\(path) must be a number, \(range)", at: entry.value.place)
            return
        }
        numbers[entry.key] = number
    }

    private var notes: [String] {
        var notes: [String] = []
        if let interface, interface != "All" {
            notes.append("RunOnInterface \(interface): linkcond acts on what is sent through it")
        }
        if let family = numbers["ProtocolFamily"], family != 0 {
            notes.append("ProtocolFamily \(Int(family)): linkcond acts on IPv4 and IPv6")
        }
        return notes
    }

    private func yaml(_ name: String) -> String {
        var lines = ["# Source: Apple Network Link Conditioner, a preset that was imported."]
        lines += notes.map { "# Not imported: \(printable($0))" }
        lines.append("name: \(quoted(name))")
        lines.append("summary: \(quoted(printable(title)))")
        lines.append("source: Apple Network Link Conditioner")
        lines.append("confirmed: yes")
        lines.append("link:")
        lines.append("  down: \(path("Downlink"))")
        lines.append("  up: \(path("Uplink"))")
        if let delay = numbers["DNSDelayValue"], delay > 0 {
            lines.append("dns: {delay: \(milliseconds(delay))}")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func path(_ direction: String) -> String {
        var items: [String] = []
        let scale = numbers["\(direction)BandwidthUnit"] == 1 ? 1e6 : 1e3
        let rate = UInt64(((numbers["\(direction)Bandwidth"] ?? 0) * scale).rounded())
        if rate > 0 {
            let text = BitRate(bitsPerSecond: rate).map(Quantity.readable) ?? "\(rate)bit/s"
            items.append("rate: \(text)")
        }
        items.append("delay: \(milliseconds(numbers["\(direction)Delay"] ?? 0))")
        let loss = numbers["\(direction)PacketLossRatio"] ?? 0
        if loss > 0 { items.append("loss: \(percent(loss))") }
        return "{\(items.joined(separator: ", "))}"
    }

    private func milliseconds(_ value: Double) -> String {
        Quantity.readable(.nanoseconds(Int64((value * 1e6).rounded())))
    }

    /// Apple keeps single precision: 0.1 comes as 0.10000000149.
    private func percent(_ value: Double) -> String {
        let decimal = Double("\(Float(value))") ?? value
        let chance = Probability(UInt64((decimal * 1e12).rounded()), outOf: 100_000_000_000_000)
        return Quantity.text(chance ?? .one)
    }

    private func printable(_ text: String) -> String { PrintableText.escaped(text) }
}

extension PropertyList {
    /// A number; truth values are 0 and 1, as are those that `defaults write` stores as text.
    fileprivate var number: Double? {
        switch value {
        case .number(let number): number
        case .boolean(let truth): truth ? 1 : 0
        case .string(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        case .array, .dictionary, .other: nil
        }
    }
}
