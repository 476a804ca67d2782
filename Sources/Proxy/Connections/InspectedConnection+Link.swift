internal import Basics
internal import Journal
internal import LinkEngine

// What the link says, and how a connection comes onto it and leaves it.
extension InspectedConnection: LinkSink {
    func receive(_ event: LinkEvent.Kind) -> Bool {
        guard !isOver else { return false }
        switch event {
        case .deliver(let stream, let count): arrived(count, stream.direction)
        case .finished(let stream):
            if let tls, stream.direction == .up {
                endArrived(tls)
            } else {
                flows[stream.direction].end = .arrived
            }
        case .aborted(let stream):
            makeProgress()
            resetArrived(from: Side(receiverOf: stream.direction).opposite)
            return false
        case .timedOut:
            ending = ending ?? (.limit, .timeout)
            over(resetting: true)
            return false
        case .writable, .arrived, .lost: break
        }
        defer { isTouched = true }
        return !isTouched
    }

    private func arrived(_ count: Int, _ direction: Direction) {
        guard let tls else { return flows[direction].arrived(count) }
        switch direction {
        case .up: openArrived(count, tls)
        case .down: arrivedForClient(count, tls)
        }
    }

    func linkSettled() {
        isTouched = false
        makeProgressInTurn()
    }

    /// Puts the connection on a link that was not there when it was opened.
    func adopt(_ link: LinkDriver) {
        guard self.link == nil, !isOver else { return }
        self.link = link
        context.bound(peers[.client].socket, .client)
        context.bound(peers[.upstream].socket, .upstream)
        link.open(identity.number, sink: self)
        continueLater()
    }

    func leaveLink() {
        link?.remove(identity.number)
        link = nil
    }

    private func resetArrived(from side: Side) {
        guard !isOver else { return }
        ending = ending ?? (side.party, .rst)
        over(resetting: true)
    }
}
