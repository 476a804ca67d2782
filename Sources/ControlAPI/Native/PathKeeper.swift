internal import Basics
internal import LinkProfile
package import Proxy
internal import SystemIO

/// Knows what the path is like, and tells it when it changes.
///
/// It follows the proxy's profile and outages, and what was put in their place.
package final class PathKeeper {
    private let server: ProxyServer
    private var feeds: [EventFeed] = []
    /// Lies over what profile and link say.
    package private(set) var override = PathOverride()
    /// The state that was told last; its sequence number counts the changes from 1.
    package private(set) var state = PathState()
    /// Told of the state of now and of each change, before anybody else.
    package var onState: ((PathState) -> Void)? {
        didSet { onState?(state) }
    }
    /// Told of each change.
    package var onChange: ((PathState) -> Void)?

    package init(_ server: ProxyServer) {
        self.server = server
        look()
    }

    package func close() {
        for feed in feeds { feed.end() }
        feeds = []
    }

    /// Lets other things be said than profile and link say.
    package func put(_ override: PathOverride) {
        self.override = override
        look()
    }

    /// Finds out how it is now; to be called when the proxy's paths have changed.
    package func look() {
        var next = PathState(server.paths.condition)
        override.apply(to: &next)
        next.sequence = state.sequence
        guard next != state || state.sequence == 0 else { return }
        next.sequence += 1
        state = next
        onState?(state)
        tell()
        onChange?(state)
    }

    /// Tells somebody the state of now, and each change.
    package func add(_ feed: EventFeed) {
        feed.onGone = { [weak self, weak feed] in self?.feeds.removeAll { $0 === feed } }
        feeds.append(feed)
        feed.send(event)
    }

    private func tell() {
        let event = event
        for feed in feeds { feed.send(event) }
    }

    private var event: [UInt8] {
        var data: [UInt8] = []
        state.json.write(to: &data)
        return ServerSentEvents.event("path", id: state.sequence, data: data)
    }
}
