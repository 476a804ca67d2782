package import Basics
package import DNS
internal import Faults
package import Journal
internal import NameService
package import Proxy
package import SystemIO

/// The name server beside a proxy: leads names to addresses, does the faults of lookups, and tells the
/// proxy's ledger what became of them.
package final class LookupService {
    private let server: NameServer
    private let proxy: ProxyServer
    private let onRecord: (JournalRecord) -> Void
    /// Of each fault, in the order of the resolver's accounts.
    private let ids: [String]
    /// How often each was told to have acted.
    private var told: [UInt32]
    private var isOver = false
    /// Where it listens.
    package let address: SocketAddress
    /// Queries so far.
    package private(set) var queries: UInt64 = 0

    /// Starts it.
    ///
    /// - Parameters:
    ///   - settings: what it answers, and where.
    ///   - proxy: whose faults of lookups it does; it has started.
    ///   - seed: of the run.
    ///   - onRecord: gets a record for each query.
    /// - Throws: `unavailable` if it cannot listen, in words with a remedy.
    package init(
        _ settings: LookupSettings,
        beside proxy: ProxyServer,
        seed: UInt64,
        onRecord: @escaping (JournalRecord) -> Void
    ) throws(SandboxError) {
        self.proxy = proxy
        self.onRecord = onRecord
        let faults = proxy.faults.all.compactMap { id, fault in QueryFault(fault).map { (id, $0) } }
        ids = faults.map(\.0)
        told = faults.map { _ in 0 }
        var answers = Resolver.Settings(seed: seed)
        answers.faults = faults.map(\.1)
        answers.names = settings.names
        do throws(SystemError) {
            server = try NameServer(
                loop: proxy.loop,
                settings: answers,
                upstream: settings.upstream
            )
        } catch {
            throw SandboxError(.internal, "cannot make a timer: \(error)")
        }
        do throws(ListenFailure) {
            if settings.listen == nil, settings.isPrivate {
                address = try server.listenForResolvers()
            } else {
                address = try server.listen(on: settings.listen ?? .loopback(port: 0))
            }
        } catch {
            server.stop()
            let advice = settings.isPrivate ? CommandClient.otherWay : ""
            throw SandboxError(.unavailable, error.description + advice)
        }
        server.onReport = { [weak self] in self?.note($0, $1) }
    }

    private func note(_ report: QueryReport, _ client: SocketAddress?) {
        queries += 1
        onRecord(report.record(from: client))
        tellFirings()
    }

    private func tellFirings() {
        for (place, account) in server.resolver.accounts.enumerated() {
            for _ in told[place]..<account.fired { proxy.faults.firedAtServer(ids[place]) }
            told[place] = account.fired
        }
    }

    /// Ends it, before the proxy: says what became of faults that have not acted.
    package func finish() {
        guard !isOver else { return }
        for (id, account) in zip(ids, server.resolver.accounts) {
            // That no query came is what the proxy takes for granted.
            guard let silence = account.silence, silence != .noQuery else { continue }
            proxy.faults.unreachedAtServer(id, silence)
        }
        if server.lostAnswers > 0 {
            onRecord(
                .trouble(.other, words: "\(server.lostAnswers) late answers to lookups were lost")
            )
        }
        close()
    }

    /// Closes everything and says nothing.
    package func close() {
        isOver = true
        server.stop()
    }
}

extension LookupSettings {
    /// As the journal's `start` has it, so that the run can be repeated: what was given.
    package var described: JSONObject {
        [
            "names": .array(names.map { .string($0.canonicalText) }),
            "upstream": .optional(upstream?.description),
        ]
    }
}

extension QueryReport {
    /// As the journal has it.
    package func record(from client: SocketAddress?) -> JournalRecord {
        .dns(
            DNSReport(
                transport: transport.rawValue,
                name: name,
                type: type,
                number: ordinal,
                source: source.rawValue,
                answer: answer,
                faults: faults
            ),
            environment: client.map { ["client": .string($0.description)] } ?? [:]
        )
    }
}
