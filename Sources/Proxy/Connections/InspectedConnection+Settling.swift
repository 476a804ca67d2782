internal import Basics
internal import Faults
internal import SystemIO

// How far the other direction comes when a byte of a stream ends a connection.
//
// A fault in a request says what it lets through of the answer. One at a byte of the stream says
// nothing of the other direction. At a byte of the client's that is the same every time: everything
// that the server has said to the bytes before it. At a byte of the server's the client may be in the
// middle of a request, and no place in it is more right than another: the fault is marked.
extension InspectedConnection {
    private static let lookTime = Duration.microseconds(500)
    /// So many looks in a row must find nothing under way: what is between two steps is seen by none.
    private static let looksNeeded = 2

    /// Whether a fault that ends a stream or connection ends both directions, and so does not show
    /// where the server's answers end.
    func leavesAnswersOpen(_ fault: ArmedFault) -> Bool {
        guard case .byte(.up, _) = fault.place, !fault.isByHand, !fault.isRacy else { return false }
        guard case .hole = fault.effect else { return true }
        return fault.endsBothDirections
    }

    /// The same fault, marked if the client is sending when a byte of the server's has it act: how far
    /// the client had come, or what it does about a changed byte, depends on the moment.
    func markedIfClientSends(_ fault: ArmedFault) -> ArmedFault {
        guard case .byte(.down, _) = fault.place, !fault.isByHand,
            fault.endsBothDirections || fault.effect.changesByte, isClientSending
        else { return fault }
        return fault.racy
    }

    /// Whether the client is within a request, or some of its bytes are on their way to the server.
    private var isClientSending: Bool {
        let requests = flows[.up]
        if gate.isWithinRequest { return true }
        return !requests.queue.isEmpty || requests.hasApproved || peers[.client].isReadable
            || !peers[.upstream].hasTakenAll
    }

    /// Lets a fault act once the client has all that the server says to the bytes before it.
    ///
    /// Of a server that cannot be seen into, nobody knows; that is said of the fault then.
    func settle(_ fault: ArmedFault) {
        let server = peers[.upstream].socket.localAddress
        guard context.faults.origin?.hasDealtWithAll(from: server) != nil else {
            return end(by: fault.racy)
        }
        settling = fault
        look(fault, quiet: 0, moved: 0, deadline: nil)
    }

    private func settled(_ fault: ArmedFault) {
        settling = nil
        end(by: fault)
    }

    /// - Parameters:
    ///   - fault: that is to act.
    ///   - quiet: looks in a row that have found nothing under way.
    ///   - moved: bytes that had been delivered at the last look.
    ///   - deadline: on the loop's clock, when to give up if nothing moves; nil at the first look.
    private func look(_ fault: ArmedFault, quiet: Int, moved: UInt64, deadline: Instant?) {
        guard isMoving else { return }
        let now = context.loop.now
        let total = flows[.up].delivered + flows[.down].delivered
        let deadline = (total == moved ? deadline : nil) ?? now + proofLimit
        let quiet = isQuiet ? quiet + 1 : 0
        if quiet >= Self.looksNeeded { return settled(fault) }
        if now >= deadline { return settled(fault.racy) }
        setAlarm(at: now + Self.lookTime) { session in
            session.look(fault, quiet: quiet, moved: total, deadline: deadline)
            session.continueLater()
        }
    }

    /// Whether the server has said all that it has to say for now, and the client has it.
    private var isQuiet: Bool {
        let upstream = peers[.upstream]
        let answers = flows[.down]
        return !flows[.up].hasApproved && upstream.hasTakenAll
            && context.faults.origin?.hasDealtWithAll(from: upstream.socket.localAddress) == true
            && !upstream.isReadable && answers.queue.isEmpty && !answers.hasApproved
            && peers[.client].hasTakenAll
    }
}
