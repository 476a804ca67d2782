internal import Basics
internal import Faults
internal import Journal
internal import SystemIO

// A client that makes its requests of a forward proxy: what the server gets of them, and how the
// client changes to another server.
extension InspectedConnection {
    /// Whether the client has sent what is not for this server, so that nothing more is read.
    var isLeaving: Bool { relay?.rest != nil }

    /// What the server gets instead of bytes in the common buffer; nil for just these.
    func relayed(_ count: Int) -> [UInt8]? {
        guard relay != nil else { return nil }
        return tools.buffer.withBytes(0..<count) { relay?.read($0) }
    }

    /// Ends the connection of a client that asks for another server, once this one has answered
    /// everything.
    func leaveIfDone() {
        guard let rest = relay?.rest, isMoving, held == nil, isOpen(.client), isOpen(.upstream),
            isQuiet(flows[.up]), isQuiet(flows[.down]), isAnswered
        else { return }
        flows[.up].end = .passed
        flows[.down].end = .passed
        ending = ending ?? (.client, .fin)
        context.loop.unwatch(peers[.client].socket, peers[.client].token)
        let client = peers[.client].surrender()
        over(resetting: false)
        context.owner?.reconnect(client, route: identity.route, having: rest)
    }

    private var isAnswered: Bool { relay?.isAnswered ?? gate.isBetweenExchanges }

    private func isOpen(_ side: Side) -> Bool {
        peers[side].leg == .active && !peers[side].isBroken
    }

    private func isQuiet(_ flow: GatedFlow) -> Bool {
        flow.end == .open && flow.queue.isEmpty && !flow.hasApproved
    }
}
