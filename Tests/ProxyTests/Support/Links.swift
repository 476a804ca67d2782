import Basics
import LinkEngine
import LinkProfile

extension LinkSettings {
    /// A gigabit each way with this delay, one way.
    static func fast(delayMilliseconds: Int64) -> LinkSettings {
        var settings = LinkSettings()
        for direction in Basics.Direction.allCases {
            settings[direction].delay = .milliseconds(delayMilliseconds)
            if let rate = BitRate(bitsPerSecond: 1_000_000_000) {
                settings[direction].capacity = .rate(rate)
            }
        }
        return settings
    }

    /// This rate each way, without delay.
    static func slow(bitsPerSecond: UInt64) -> LinkSettings {
        var settings = LinkSettings()
        for direction in Basics.Direction.allCases {
            if let rate = BitRate(bitsPerSecond: bitsPerSecond) {
                settings[direction].capacity = .rate(rate)
            }
        }
        return settings
    }
}

extension Profile {
    static func fast(delayMilliseconds: Int64) -> Profile {
        var profile = Profile(name: "fast")
        profile.link = .fast(delayMilliseconds: delayMilliseconds)
        return profile
    }
}
