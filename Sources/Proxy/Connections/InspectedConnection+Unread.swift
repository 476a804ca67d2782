internal import Basics
internal import SystemIO

// What receivers have not read yet, which narrows the window on the link.
//
// Linux lets a window grow with what the application reads. What its kernel has taken it may never
// read, so the kernel is asked: before bytes are written, when the reader had its time for those
// before, and now and then as long as something stays unread.
extension InspectedConnection {
    /// Time that a reader has until it is asked for the first time, and the longest between two
    /// questions to one that reads nothing.
    private static let firstWait = Duration.milliseconds(1)
    private static let longestWait = Duration.milliseconds(256)

    /// Asks what was read of the bytes that were delivered before this turn.
    func measureUnread() {
        guard link != nil else { return }
        measureUnread(.up)
        measureUnread(.down)
    }

    private func measureUnread(_ direction: Direction) {
        let flow = flows[direction]
        guard flow.unread > 0 || flow.delivered != flow.deliveredWhenAsked else { return }
        let now = context.loop.now
        guard now >= flow.askedAt + Self.firstWait else { return }
        flow.askedAt = now
        flow.deliveredWhenAsked = flow.delivered
        let receiver = peers[Side(receiverOf: direction)]
        flow.unread = receiver.measureUnread(with: context.loop.diagnosis)
    }

    /// Reports to the link what its receivers have not taken, and asks again later.
    func reportBacklogs() {
        guard link != nil else { return }
        reportBacklog(.up)
        reportBacklog(.down)
        askLater(after: Self.firstWait)
    }

    private func reportBacklog(_ direction: Direction) {
        // What is kept until it is whole has been taken, as far as its sender can tell.
        let isKept = isKeeping(direction)
        let flow = flows[direction]
        let backlog = isKept ? 0 : flow.deliverable + flow.knownUnread
        let crossed = flow.delivered &+ UInt64(flow.deliverable)
        // One that does not keep up has taken no more than what is reported.
        guard let link,
            backlog != flow.reportedBacklog || backlog > 0 && crossed != flow.crossedWhenReported
        else { return }
        flow.reportedBacklog = backlog
        flow.crossedWhenReported = crossed
        link.setBacklog(backlog, of: identity.stream(direction))
    }

    /// Whether bytes were delivered that the receiver was not asked about.
    private var hasNewlyDelivered: Bool {
        Direction.allCases.contains { flows[$0].delivered != flows[$0].deliveredWhenAsked }
    }

    private func askLater(after wait: Duration) {
        if hasNewlyDelivered, unreadWait > wait { forgetUnread() }
        let unread = Direction.allCases.map { flows[$0].unread }
        guard unreadAlarm == .none, !isOver, hasNewlyDelivered || unread != [0, 0] else { return }
        unreadWait = wait
        unreadAlarm = context.timers.set(after: wait) { [weak self] in
            guard let self, !isOver, link != nil else { return }
            unreadAlarm = .none
            measureUnread()
            reportBacklog(.up)
            reportBacklog(.down)
            let isStuck = unread == Direction.allCases.map { flows[$0].unread }
            askLater(after: isStuck ? min(wait * 4, Self.longestWait) : wait)
        }
    }

    /// Asks no more.
    func forgetUnread() {
        context.timers.cancel(unreadAlarm)
        unreadAlarm = .none
    }
}
