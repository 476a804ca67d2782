internal import Basics
package import Journal
package import LinkProfile
internal import SystemIO

/// The path of a proxy's connections, or the two of them, as a phone has with Wi-Fi and mobile data.
///
/// A connection stays on the path on which it began. New ones take the first path, or the second while
/// the first alone is down.
package final class NetworkPaths {
    let first: SharedLink
    let second: SharedLink?
    /// Called when `condition` may have changed.
    package var onChange: (() -> Void)?

    private let timers: TimerQueue
    private let connections: ConnectionTable
    /// The open flows of datagrams.
    var flows: () -> [Flow] = { [] }
    private var nextLook = TimerQueue.Token.none

    init(
        first: SharedLink,
        second: SharedLink?,
        timers: TimerQueue,
        connections: ConnectionTable
    ) {
        self.first = first
        self.second = second
        self.timers = timers
        self.connections = connections
        second?.isSecondPath = true
        for link in links { link.onChange = { [weak self] in self?.changed() } }
    }

    var links: [SharedLink] { [first] + (second.map { [$0] } ?? []) }

    /// The one that a connection takes now.
    var best: SharedLink {
        guard let second, first.isDown, !second.isDown else { return first }
        return second
    }

    /// What an operating system would report now.
    package var condition: PathCondition {
        let best = best
        return PathCondition(
            attributes: best.path,
            isOut: best.outage.isPresent,
            hasBetter: second != nil && !first.isDown && isSecondInUse
        )
    }

    private var isSecondInUse: Bool {
        connections.contains { $0.context.link.isSecondPath }
            || flows().contains { $0.context.link.isSecondPath }
    }

    /// Records which path a connection takes, where there are two.
    func note(_ id: ConnectionID, on link: SharedLink, _ reporter: ProxyReporter) {
        guard second != nil, reporter.isObserved else { return }
        reporter.report(.path(id, link.path.report))
    }

    /// Looks again at the time when an outage begins or ends.
    func watch() {
        timers.cancel(nextLook)
        nextLook = .none
        let changes = links.compactMap(\.outage.changesAt)
        guard let next = changes.min() else { return }
        nextLook = timers.set(at: next) { [weak self] in self?.changed() }
    }

    private func changed() {
        watch()
        onChange?()
    }

    /// A connection or flow over a link is over.
    func ended(on link: SharedLink) {
        if link.isSecondPath { onChange?() }
    }
}

/// What an operating system would report of a proxy's network.
package struct PathCondition: Hashable, Sendable {
    /// Of the path that a new connection takes.
    package var attributes: PathAttributes
    /// Whether nothing passes on it.
    package var isOut: Bool
    /// Whether connections are still on the second path although the first one is back.
    package var hasBetter: Bool
}

extension PathAttributes {
    /// For the journal.
    package var report: PathReport {
        PathReport(
            interface: interface.rawValue,
            isExpensive: isExpensive,
            isConstrained: isConstrained
        )
    }
}
