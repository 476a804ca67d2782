internal import HTTPWire
internal import SystemIO

/// Listens to a stream of events until it has all of them, and comes back when it breaks.
final class ListeningClient: SmallClient {
    private let target: String
    private let count: Int
    /// The events that came, and the id of the last one.
    private var events: Set<Int> = []
    private var last: String?
    /// How long the stream wants its client to wait.
    private var retryMilliseconds: UInt64 = 0

    init(
        _ habits: ClientHabits,
        count: Int,
        of target: String,
        loop: EventLoop,
        seed: UInt64
    ) throws(SystemError) {
        self.target = target
        self.count = count
        try super.init(habits, loop: loop, seed: seed)
    }

    override func begin() {
        var fields: HeaderFields = ["Accept": "text/event-stream"]
        if habits.namesLastEvent { fields["Last-Event-ID"] = last }
        send("GET", target, fields) { [weak self] in self?.take($0) }
    }

    private func take(_ ending: SmallExchange.Ending) {
        switch ending {
        case .broken(let head, let bytes), .late(let head, let bytes):
            guard head?.status == 200 else { return comeBack(after: head) }
            read(bytes)
            habits.noticesBrokenStreams ? comeBack(after: head) : succeed()
        case .answered(let head, let bytes) where head.status == 200:
            read(bytes)
            events.count == count ? succeed() : comeBack(after: head)
        case .answered(let head, _) where Self.isPassing(head.status): comeBack(after: head)
        case .answered, .unheard: fail()
        }
    }

    private func comeBack(after head: ResponseHead?) {
        guard habits.comesBackToStreams || head?.status != 200 else { return fail() }
        let wait = habits.waitsAsEventsSay ? retryMilliseconds : 0
        again(after: head, atLeastMilliseconds: wait) { [weak self] in self?.begin() }
    }

    /// Takes whole events; what is left of another one counts for nothing (WHATWG HTML §9.2.6).
    private func read(_ bytes: [UInt8]) {
        var reader = EventStreamReader()
        var found: [InsideEvent] = []
        try? reader.read(bytes.span, at: 0, into: &found)
        for case .told(let hint, let ordinal, _) in found {
            retryMilliseconds = hint.retryMilliseconds ?? retryMilliseconds
            guard let id = hint.id, ordinal != nil else { continue }
            last = id
            if let number = Int(id) { events.insert(number) }
        }
    }
}
