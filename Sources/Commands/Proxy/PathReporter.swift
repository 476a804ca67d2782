internal import Arguments
internal import ControlAPI
internal import LinkProfile
internal import Proxy
internal import ResumableClient
internal import SystemIO
internal import Transfers

/// Tells the status of the path that a proxy imitates: the attributes of its profile, and whether
/// its link is in an outage.
final class PathReporter {
    private let server: ProxyServer
    private let publisher: PathPublisher
    private let timer: Timer
    private var profile: Profile
    /// What control says in place of profile and link.
    var override = PathOverride() {
        didSet { look() }
    }

    init(at path: String, server: ProxyServer, profile: Profile) throws(Failure) {
        self.server = server
        self.profile = profile
        let target = Target()
        do throws(SystemError) {
            timer = try Timer(loop: server.loop) { target.reporter?.look() }
            publisher = try PathPublisher(
                at: path,
                Self.status(profile, server.link.outage),
                on: server.loop
            )
        } catch {
            throw Failure(.unavailable, "--path-socket \(path): \(error)")
        }
        target.reporter = self
        look()
    }

    /// What the timer speaks to; the timer is made before the reporter is complete.
    private final class Target {
        weak var reporter: PathReporter?
    }

    /// Another profile is imitated from now on.
    func apply(_ profile: Profile) {
        self.profile = profile
        look()
    }

    func close() {
        timer.close()
        publisher.close()
    }

    /// Tells how it is now, and looks again when that changes.
    func look() {
        let outage = server.link.outage
        publisher.publish(override.applied(to: Self.status(profile, outage)))
        timer.stop()
        guard let change = outage.changesAtNanoseconds else { return }
        let now = server.loop.nowNanoseconds
        // A millisecond later at most, never earlier: then the outage would still be there.
        let wait = change > now ? (change - now) / 1_000_000 + 1 : 1
        timer.start(afterMilliseconds: wait)
    }

    static func status(_ profile: Profile, _ outage: LinkOutage) -> PathStatus {
        let interface: PathStatus.Interface =
            switch profile.path.interface {
            case .wifi: .wifi
            case .cellular: .cellular
            case .wired: .wired
            case .other: .other
            }
        return PathStatus(
            isSatisfied: !outage.isPresent,
            isConstrained: profile.path.isConstrained,
            isExpensive: profile.path.isExpensive,
            interface: interface
        )
    }
}

extension PathOverride {
    /// Lays this over a status.
    fileprivate func applied(to status: PathStatus) -> PathStatus {
        let interface: PathStatus.Interface? =
            switch interface {
            case .wifi: .wifi
            case .cellular: .cellular
            case .wired: .wired
            case .other: .other
            case nil: nil
            }
        return PathStatus(
            isSatisfied: isSatisfied ?? status.isSatisfied,
            isConstrained: isConstrained ?? status.isConstrained,
            isExpensive: isExpensive ?? status.isExpensive,
            interface: interface ?? status.interface,
            hasPower: hasPower ?? status.hasPower
        )
    }
}
