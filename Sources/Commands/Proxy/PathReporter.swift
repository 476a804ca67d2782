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
    /// What control says in place of profile and link.
    var override = PathOverride() {
        didSet { look() }
    }

    init(at path: String, server: ProxyServer) throws(Failure) {
        self.server = server
        let target = Target()
        do throws(SystemError) {
            timer = try Timer(loop: server.loop) { target.reporter?.look() }
            publisher = try PathPublisher(
                at: path,
                Self.status(server.link),
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

    func close() {
        timer.close()
        publisher.close()
    }

    /// Tells how it is now, and looks again when that changes.
    func look() {
        let outage = server.link.outage
        publisher.publish(override.applied(to: Self.status(server.link)))
        timer.stop()
        guard let change = outage.changesAtNanoseconds else { return }
        let now = server.loop.nowNanoseconds
        // A millisecond later at most, never earlier: then the outage would still be there.
        let wait = change > now ? (change - now) / 1_000_000 + 1 : 1
        timer.start(afterMilliseconds: wait)
    }

    private static func status(_ link: SharedLink) -> PathStatus {
        let path = link.path
        let interface: PathStatus.Interface =
            switch path.interface {
            case .wifi: .wifi
            case .cellular: .cellular
            case .wired: .wired
            case .other: .other
            }
        return PathStatus(
            isSatisfied: !link.outage.isPresent,
            isConstrained: path.isConstrained,
            isExpensive: path.isExpensive,
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
