import LinkProfile
import Testing

@testable import Commands

@Suite struct SettingOriginsTests {
    private func origin(_ key: String, _ profile: String, _ settings: String...) -> String? {
        let origins = SettingOrigins(settings: settings.compactMap(ProfileSetting.init)) {
            try? ProfileLibrary.builtinOnly().load(profile, settings: $0)
        }
        return origins[key].map { "\($0.key)=\($0.value)" }
    }

    @Test func `a setting is behind what it names, and behind what it changes`() {
        #expect(origin("down.rate", "lte", "down.rate=1Mbit/s") == "down.rate=1Mbit/s")
        #expect(origin("up.rate", "lte", "down.rate=1Mbit/s") == nil)
        #expect(origin("delay", "3g", "rtt=20ms") == "rtt=20ms")
        // Even what does not change anything was asked for.
        #expect(origin("down.rate", "lte", "down.rate=50Mbit/s") == "down.rate=50Mbit/s")
    }

    @Test func `the last of several counts`() {
        #expect(origin("up.delay", "3g", "delay=5ms", "down.delay=7ms") == "delay=5ms")
        #expect(origin("down.delay", "3g", "delay=5ms", "down.delay=7ms") == "down.delay=7ms")
        #expect(origin("delay", "3g", "down.delay=7ms", "rtt=10ms") == "rtt=10ms")
    }

    @Test func `a parameter is behind what the profile makes of it, and nothing else`() {
        #expect(origin("loss", "lossy", "loss=3%") == "loss=3%")
        #expect(origin("down.loss", "lossy", "loss=3%") == "loss=3%")
        #expect(origin("up.loss", "lossy", "loss=3%") == nil)
    }

    @Test func `settings that only go together are seen together`() {
        let pair = ["budget.soft=1MB", "budget.then=64kbit/s"]
        #expect(origin("budget.then", "lte", pair[0], pair[1]) == pair[1])
        #expect(origin("budget.soft", "lte", pair[0], pair[1]) == pair[1])
    }
}
