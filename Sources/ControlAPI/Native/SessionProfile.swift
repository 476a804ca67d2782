internal import Basics
package import Faults
internal import LinkEngine
package import LinkProfile
package import Proxy

/// A session by hand as a profile: the network of its end, its faults, and when there was none.
package struct SessionProfile: Sendable {
    package static let name = "session"

    private var profile: Profile
    private var remarks: [String]

    /// - Parameters:
    ///   - network: what is imitated now.
    ///   - schedule: what the session did.
    ///   - recorder: what a schedule cannot say.
    package init(_ network: Profile, _ schedule: FaultSchedule, _ recorder: ManualRecorder) {
        profile = network
        profile.name = Self.name
        profile.summary = "\(network.name), with what was done by hand"
        profile.parameters = []
        profile.faults = schedule.faults
        remarks = recorder.differences + recorder.remarks
        guard !recorder.outages.isEmpty else { return }
        for direction in Direction.allCases {
            let outages = profile.link[direction].outages
            guard let windows = Self.merged(outages.schedule, recorder.outages) else {
                remarks.append(
                    "'\(network.name)' has outages of its own, without an end; those by hand are left out"
                )
                break
            }
            profile.link[direction].outages.schedule = .windows(windows, period: nil)
        }
    }

    /// YAML that `--profile FILE` takes.
    package var text: String {
        let comments = remarks.map { text in
            "# " + text.map { $0.isNewline ? " " : String($0) }.joined() + "\n"
        }
        return comments.joined() + profile.canonicalText
    }

    /// Windows of both, as one where they overlap; nil if the first ones have no end.
    private static func merged(
        _ schedule: Outages.Schedule,
        _ further: [Outages.Window]
    ) -> [Outages.Window]? {
        let own: [Outages.Window]
        switch schedule {
        case .never: own = []
        case .windows(let windows, period: nil): own = windows
        case .windows, .random: return nil
        }
        var merged: [Outages.Window] = []
        for window in (own + further).sorted(by: { $0.at < $1.at }) {
            let end = window.at + window.length
            guard let last = merged.last, window.at <= last.at + last.length else {
                merged.append(window)
                continue
            }
            merged[merged.count - 1].length = max(end, last.at + last.length) - last.at
        }
        return merged
    }
}
