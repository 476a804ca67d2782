internal import Basics
internal import Faults
internal import SystemIO

// What happens once nothing has passed for a time, in either direction.
extension InspectedConnection {
    /// Waits for the shortest of such times.
    func awaitLull() {
        guard let fault = lulls.first else { return }
        let due = lastByte.later(by: fault.after)
        setAlarm(at: max(due, context.loop.now)) { $0.checkLull() }
    }

    private func checkLull() {
        guard let fault = lulls.first, isMoving, !isInHole, peers[.client].leg == .active,
            peers[.upstream].leg == .active
        else { return }
        let idle = context.loop.now - lastByte
        guard idle >= fault.after else { return awaitLull() }
        lulls.removeFirst()
        let armed = fault.armed(at: flows[.down].delivered)
        gate.close(.down, by: armed.id)
        begin(armed)
    }

    /// Notes the faults for which the connection was never idle long enough.
    func closeLulls() {
        for fault in lulls {
            let armed = fault.armed(at: flows[.down].delivered)
            context.reporter.unreached(armed, .connectionEnded, on: identity.id)
        }
        lulls = []
    }
}
