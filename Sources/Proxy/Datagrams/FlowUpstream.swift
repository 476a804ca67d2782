internal import Basics
internal import Faults
internal import Journal
internal import SystemIO

/// A flow's own socket to the server, like the port that a NAT assigns.
final class FlowUpstream {
    private let id: ConnectionID
    private let context: Flow.Context
    /// Nil until there is something to send.
    private(set) var port: DatagramPort?
    /// Former sockets: what comes there is lost, without an ICMP error.
    private var abandoned: [DatagramPort] = []
    /// How often the flow got another one.
    private(set) var rebindings: UInt32 = 0
    private var hasReportedFailure = false

    /// How many former sockets are kept; beyond that, the oldest one is closed.
    private static let abandonedLimit = 8

    init(_ id: ConnectionID, _ context: Flow.Context) {
        self.id = id
        self.context = context
    }

    /// Returns the socket, and opens it if there is none.
    ///
    /// - Parameters:
    ///   - owner: gets what comes there.
    ///   - source: the address to send from; nil for any.
    ///   - isFragmented: whether datagrams may be fragmented.
    /// - Returns: nil if there can be none now.
    func open(
        for owner: any DatagramPortOwner,
        from source: SocketAddress? = nil,
        isFragmented: Bool
    ) -> DatagramPort? {
        if let port { return port }
        guard let server = context.server.address() else { return nil }
        do throws(SystemError) {
            let port = try DatagramPort(
                DatagramSocket(to: server, from: source, isFragmented: isFragmented),
                owner,
                context.tools
            )
            try port.open()
            self.port = port
            return port
        } catch {
            if error.isExhaustion {
                context.reporter.descriptorsRanOut("\(error); datagrams are lost until others end")
            } else if error.isLackOfPorts {
                context.reporter.descriptorsRanOut(
                    "no local port is left for \(context.server.name); datagrams are lost until"
                        + " other flows end"
                )
            } else {
                report(error)
            }
            return nil
        }
    }

    /// Gives the socket up, as a NAT that forgets a mapping.
    func abandon() {
        guard let port = port.take() else { return }
        port.mute()
        abandoned.append(port)
        if abandoned.count > Self.abandonedLimit { abandoned.removeFirst().close() }
    }

    /// Gives the flow another port, or another address where there are others.
    func rebind(_ what: Effect.Rebinding, for owner: any DatagramPortOwner, isFragmented: Bool) {
        let server = context.server.address()
        abandon()
        rebindings += 1
        guard what == .address, case .ipv4(let address, _)? = server, address >> 24 == 127 else {
            if what == .address {
                context.reporter.report(
                    .note(id, text: "no other address towards this server; another port instead")
                )
            }
            _ = open(for: owner, isFragmented: isFragmented)
            return
        }
        // 127.0.0.2 and so on: each is ours, without being set up.
        let source = SocketAddress.ipv4(0x7F00_0001 + rebindings % 250, port: 0)
        _ = open(for: owner, from: source, isFragmented: isFragmented)
    }

    /// Says once that the server cannot be reached.
    func report(_ error: SystemError) {
        guard !hasReportedFailure else { return }
        hasReportedFailure = true
        context.reporter.upstreamFailed(id, context.server.name, error)
    }

    func close() {
        port?.close()
        for port in abandoned { port.close() }
    }
}
