internal import Basics
internal import ControlAPI
internal import Journal
internal import Proxy
internal import SystemIO

/// A proxy that a client of the control API made, as the live view shows it.
final class FurtherProxy {
    let proxy: SteeredProxy
    var state = LiveState()

    init(_ proxy: SteeredProxy, at now: Duration) {
        self.proxy = proxy
        state.begin(proxy.server.snapshot(rows: 0), at: now)
    }
}

// Which proxy the live view shows, and keys steer.
extension ProxyRun {
    var steered: ProxyServer { chosen?.proxy.server ?? server }

    var liveState: LiveState { chosen?.state ?? state }

    var shownDescription: RunDescription {
        guard let server = chosen?.proxy.server else { return description }
        return RunDescription(
            profile: server.profile,
            seed: server.seed,
            faults: [],
            routes: server.routes.compactMap { route in
                guard let listen = try? Endpoint(parsing: route.listen) else { return nil }
                let upstream = try? Endpoint(parsing: route.upstream)
                return .init(listen: listen, upstream: upstream ?? listen)
            },
            reproduction: ""
        )
    }

    /// Nil as long as there is but one.
    var shownProxy: ShownProxy? {
        guard native != nil else { return nil }
        let proxy = chosen?.proxy ?? fleet.own
        return ShownProxy(
            proxy.name,
            among: fleet.all.map(\.name),
            isEnabled: proxy.isEnabled
        )
    }

    func chooseNext() {
        followFleet()
        let current = chosen?.proxy.name ?? NativeAPI.proxyName
        guard let next = ShownProxy.name(after: current, among: fleet.all.map(\.name))
        else { return tell("there is no other proxy; clients of --control make them") }
        chosen = further.first { $0.proxy.name == next }
    }

    /// Takes note of proxies that came and went.
    ///
    /// - Returns: whether the one that was shown has ended; then the run's own is shown.
    @discardableResult
    func followFleet() -> Bool {
        guard screen != nil else { return false }
        further.removeAll { known in !fleet.all.contains { $0 === known.proxy } }
        for proxy in fleet.all
        where proxy !== fleet.own && !further.contains(where: { $0.proxy === proxy }) {
            further.append(FurtherProxy(proxy, at: elapsed))
        }
        guard let gone = chosen, !further.contains(where: { $0 === gone }) else { return false }
        chosen = nil
        tell("proxy '\(gone.proxy.name)' has ended; this is '\(NativeAPI.proxyName)'")
        return true
    }

    func sampleFurther() {
        followFleet()
        for known in further {
            let server = known.proxy.server
            known.state.isPaused = server.manual.isPaused
            known.state.isOut = server.link.outage.isPresent
            known.state.take(
                server.snapshot(rows: Self.sampledRows),
                at: elapsed
            )
        }
    }

    /// Changes what is shown of the proxy that a record is of, or of all if it is of the run.
    func changeStates(of record: JournalRecord, _ change: (inout LiveState) -> Void) {
        guard !further.isEmpty, let native else { return change(&state) }
        let owner = native.proxy(of: record)
        if let known = further.first(where: { $0.proxy === owner }) {
            return change(&known.state)
        }
        change(&state)
        guard owner == nil, record.connection == nil else { return }
        for known in further { change(&known.state) }
    }
}
