package import Journal
internal import LinkEngine
package import Libuv

/// Hands the records of a run, and samples of its rates, to whoever listens.
///
/// Listeners get what has come since the last time a few times a second, so that one costs little
/// however busy the proxy is: at most 10 messages and about 50 kB a second each.
package final class EventHub {
    /// How a listener wants its records.
    package enum Form: Hashable, Sendable {
        /// One record a line, as in a journal.
        case lines
        /// Server-sent events: `records`, each with a list of them, and `sample`.
        case events
    }

    private struct Listener {
        let feed: EventFeed
        let form: Form
        var next: UInt64
    }

    package private(set) var history: RecordHistory
    /// Told of each record at once.
    package var onRecord: ((JournalRecord) -> Void)?
    /// Makes a sample; asked for while somebody listens to events.
    package var sample: () -> JSONValue = { .null }
    private let loop: EventLoop
    private var listeners: [Listener] = []
    private var timer: Timer?
    private var ticks = 0

    /// Between two rounds.
    private static let tickMilliseconds: UInt64 = 200
    /// A sample in each second round: with a message of records in each, 7.5 a second.
    private static let ticksPerSample = 2
    /// Bytes of records in one round, for pages and for programs that read all.
    private static let bytesPerTick: (events: Int, lines: Int) = (8_192, 65_536)

    package init(loop: EventLoop, history: RecordHistory = RecordHistory()) {
        self.loop = loop
        self.history = history
    }

    package var listenerCount: Int { listeners.count }

    /// Takes the next record of the run.
    package func take(_ record: JournalRecord, elapsedNanoseconds: UInt64) {
        history.add(record, elapsedNanoseconds: elapsedNanoseconds)
        onRecord?(record)
    }

    /// Lets somebody listen.
    ///
    /// - Parameters:
    ///   - feed: where it goes; its `onGone` is taken.
    ///   - form: how.
    ///   - number: of the first record that it gets.
    package func add(_ feed: EventFeed, _ form: Form, from number: UInt64) {
        feed.onGone = { [weak self, weak feed] in
            guard let self, let feed else { return }
            listeners.removeAll { $0.feed === feed }
            if listeners.isEmpty { rest() }
        }
        listeners.append(Listener(feed: feed, form: form, next: number))
        if form == .events {
            feed.send(ServerSentEvents.retry(milliseconds: 1_000))
            feed.send(sampleEvent)
        }
        tell(listeners.count - 1)
        begin()
    }

    package func stop() {
        for listener in listeners { listener.feed.end() }
        listeners = []
        rest()
    }

    // MARK: Rounds

    private func begin() {
        guard timer == nil, !listeners.isEmpty else { return }
        timer = try? Timer(loop: loop) { [weak self] in self?.tick() }
        timer?.start(
            afterMilliseconds: Self.tickMilliseconds,
            repeatMilliseconds: Self.tickMilliseconds
        )
    }

    private func rest() {
        timer?.close()
        timer = nil
    }

    private func tick() {
        ticks += 1
        if ticks.isMultiple(of: Self.ticksPerSample),
            listeners.contains(where: { $0.form == .events })
        {
            let event = sampleEvent
            // A feed that breaks off leaves the list while it is walked.
            for listener in listeners where listener.form == .events { listener.feed.send(event) }
        }
        for place in listeners.indices.reversed() where place < listeners.count { tell(place) }
    }

    private var sampleEvent: [UInt8] {
        ServerSentEvents.event("sample", data: Array(sample().text.utf8))
    }

    private func tell(_ place: Int) {
        let listener = listeners[place]
        let limit = listener.form == .events ? Self.bytesPerTick.events : Self.bytesPerTick.lines
        let lines = history.lines(from: listener.next, byteLimit: limit)
        guard let first = lines.first, let last = lines.last else { return }
        listeners[place].next = last.number + 1
        let missed = first.number - min(first.number, listener.next)
        switch listener.form {
        case .lines: listener.feed.send(lines.flatMap(\.bytes))
        case .events:
            if missed > 0 {
                let gap: JSONValue = ["missed": .number(missed), "from": .number(first.number)]
                listener.feed.send(ServerSentEvents.event("gap", data: Array(gap.text.utf8)))
            }
            let list = lines.map { $0.bytes.dropLast() }.joined(separator: [UInt8(ascii: ",")])
            listener.feed.send(
                ServerSentEvents.event(
                    "records",
                    id: last.number,
                    data: [UInt8(ascii: "[")] + list + [UInt8(ascii: "]")]
                )
            )
        }
    }
}
