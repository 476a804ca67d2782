internal import Arguments
internal import Basics
internal import DNS
internal import Proxy
internal import SystemIO
internal import Trials

// The name server beside the proxies of a run.
extension ProxyRun {
    /// Starts it once all proxies listen, to which the names of their servers lead.
    func startLookups() throws(Failure) {
        guard var settings = options.lookups else { return }
        settings.names = description.names(by: settings)
        do throws(SandboxError) {
            let service = try LookupService(
                settings,
                beside: server,
                seed: description.seed
            ) { [weak self] in self?.record($0) }
            lookups = service
            description.lookups = .init(settings)
            description.lookups?.address = service.address
        } catch {
            throw Failure(error)
        }
    }
}

extension RunDescription {
    /// Tells where names will lead.
    mutating func leadNames(by settings: LookupSettings?) {
        guard var settings else { return }
        settings.names = names(by: settings)
        lookups = .init(settings)
    }

    /// Where names lead: as given, else each server's to the proxy in front of it.
    func names(by settings: LookupSettings) -> [NamedAddresses] {
        var settings = settings
        for route in routes where route.forward == nil {
            guard let host = route.upstream?.serverName else { continue }
            settings.lead(host, to: route.listen.numericAddress)
        }
        for route in further.flatMap({ $0.objects("listeners") }) {
            let words = route.text("upstream")?.split(separator: "/").last.map(String.init)
            guard let words, let upstream = try? Endpoint(parsing: words),
                let host = upstream.serverName, let text = route.text("listen"),
                let listener = try? Endpoint(parsing: text)
            else { continue }
            settings.lead(host, to: listener.numericAddress)
        }
        return settings.names
    }
}
