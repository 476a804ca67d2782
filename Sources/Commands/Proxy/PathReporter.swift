internal import Arguments
internal import ControlAPI
internal import LinkProfile
internal import Proxy
internal import ResumableClient
internal import SystemIO
internal import Transfers

/// Tells the status of the path that a proxy imitates: what its profiles say, and whether the link is
/// in an outage.
final class PathReporter {
    private let server: ProxyServer
    private let publisher: PathPublisher
    /// What control says in place of profile and link.
    var override = PathOverride() {
        didSet { look() }
    }

    init(at path: String, server: ProxyServer) throws(Failure) {
        self.server = server
        do throws(SystemError) {
            publisher = try PathPublisher(
                at: path,
                PathStatus(server.paths.condition, PathOverride()),
                on: server.loop
            )
        } catch {
            throw Failure(.unavailable, "--path-socket \(path): \(error)")
        }
    }

    func close() { publisher.close() }

    /// Tells how it is now; to be called when the proxy's paths have changed.
    func look() { publisher.publish(PathStatus(server.paths.condition, override)) }
}

extension PathStatus {
    /// What profiles and links say, with what control says over it.
    fileprivate init(_ condition: PathCondition, _ override: PathOverride) {
        let interface = override.interface ?? condition.attributes.interface
        self.init(
            isSatisfied: override.isSatisfied ?? !condition.isOut,
            isConstrained: override.isConstrained ?? condition.attributes.isConstrained,
            isExpensive: override.isExpensive ?? condition.attributes.isExpensive,
            interface: Interface(rawValue: interface.rawValue) ?? .other,
            hasPower: override.hasPower ?? true,
            hasBetterPath: condition.hasBetter
        )
    }
}
