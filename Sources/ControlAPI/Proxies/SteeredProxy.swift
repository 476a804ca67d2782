internal import Basics
internal import Journal
internal import LinkEngine
package import LinkProfile
package import Proxy
internal import SystemIO

/// A proxy of the run under the name that clients of the API know it by.
package final class SteeredProxy: FleetMember {
    package internal(set) var name: String
    package let server: ProxyServer
    /// How the profile of now was asked for.
    var profileReference: String
    /// What lies over it.
    var settings: [ProfileSetting]
    /// How the profile was asked for when the proxy was made, and what lay over it.
    let startReference: String
    let startSettings: [ProfileSetting]
    /// Whether it listens; open connections of one that does not go on.
    package internal(set) var isEnabled = true
    private(set) var book = ConnectionBook()
    private(set) var metrics = MetricsCounters()
    private(set) var resumes = ResumeCounters()
    /// What it carried since the run began.
    var history = RateHistory()

    package init(
        name: String,
        server: ProxyServer,
        profileReference: String,
        settings: [ProfileSetting]
    ) {
        self.name = name
        self.server = server
        self.profileReference = profileReference
        self.settings = settings
        startReference = profileReference
        startSettings = settings
    }

    /// The rate limits of the current profile; a trace has no fixed one.
    var ceilings: RateHistory.Ceilings {
        func rate(_ settings: PathSettings) -> UInt64? {
            if case .rate(let rate) = settings.capacity { rate.bitsPerSecond } else { nil }
        }
        let link = server.profile.link
        return RateHistory.Ceilings(down: rate(link[.down]), up: rate(link[.up]))
    }

    package func removed() { isEnabled = false }

    /// Its own for the whole run, whatever it is called: the number of its first listener.
    package var number: UInt32 { server.listenerNumbers.lowerBound }

    /// Takes a record of it.
    func take(_ record: JournalRecord, at time: Instant) {
        book.take(record, at: time)
        metrics.take(record)
        resumes.take(record)
    }

    /// Listens, or does not; both can be asked for again.
    ///
    /// - Throws: `addressUnavailable` if somebody else listens there by now.
    func setEnabled(_ isWanted: Bool) throws(ProxyError) {
        guard isWanted != isEnabled else { return }
        if isWanted { try server.resumeListening() } else { server.suspendListening() }
        isEnabled = isWanted
        server.manual.remark("it \(isWanted ? "listened" : "did not listen")")
    }

    /// Listens elsewhere; connections that came through the old place stay.
    func move(to bound: BoundListener) throws(SystemError) {
        try server.listen(on: bound)
        if !isEnabled { server.suspendListening() }
        server.manual.remark("it listened at \(bound.address)")
    }
}
