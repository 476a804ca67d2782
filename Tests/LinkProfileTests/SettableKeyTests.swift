import Basics
import LinkEngine
import LinkProfile
import Testing

/// What is listed as settable can be set, and nothing else.
@Suite struct SettableKeyTests {
    private let library = ProfileLibrary.builtinOnly()

    @Test(arguments: ["none", "lossy", "lte", "lte-drive", "constrained", "drop-after-n-bytes"])
    func `every value that is shown can be set, and changes nothing`(name: String) throws {
        let profile = try library.load(name)
        let keys = profile.settableKeys
        #expect(Set(keys.map(\.key)).count == keys.count)
        for key in keys {
            guard let value = key.value else { continue }
            // Parts of a budget come together.
            if key.key.hasPrefix("budget.") { continue }
            let setting = ProfileSetting(key: key.key, value: value)
            let again = try library.load(name, settings: [setting])
            if key.key == "rtt" {
                let sums = [again, profile].map { $0.link.down.delay + $0.link.up.delay }
                #expect(sums[0] == sums[1])
                continue
            }
            #expect(again.link == profile.link, "\(name) \(key.key)=\(value)")
            #expect(again.path == profile.path)
            #expect(again.faults == profile.faults)
        }
    }

    @Test func `a setting is seen under its key`() throws {
        let settings = ["down.rate=27100kbit/s", "up.delay=42500us", "tcp.congestion=reno"]
        let profile = try library.load("none", settings: settings.compactMap(ProfileSetting.init))
        let values = Dictionary(
            uniqueKeysWithValues: profile.settableKeys.map { ($0.key, $0.value) }
        )
        #expect(values["down.rate"] == "27.1Mbit/s" && values["up.rate"] == "unlimited")
        #expect(values["up.delay"] == "42.5ms" && values["rtt"] == "42.5ms")
        #expect(values["tcp.congestion"] == "reno")
        #expect(values["budget.soft"] == .some(nil))
    }

    @Test func `parameters come first, with their help and range`() throws {
        let first = try #require(library.load("lossy").settableKeys.first)
        #expect(first.isParameter && first.key == "loss" && first.value == "1%")
        #expect(first.help.contains("share of packets lost") && first.help.contains("up to 100%"))
        // The parameter hides the key of all profiles, which is then there by direction.
        let keys = try library.load("lossy").settableKeys.map(\.key)
        #expect(keys.contains("down.loss") && keys.contains("up.loss"))
    }
}
