package import Basics
package import Journal
package import SystemIO

/// Hands the records of a run, and samples of its rates, to whoever listens.
///
/// Listeners get what has come since the last time a few times a second, so that one costs little
/// however busy the proxy is: at most 10 messages and about 660 kB a second each. That is some three
/// thousand records; a listener that falls further behind is told how many it missed, in a short message
/// before the next records.
package final class EventHub {
    /// How a listener wants its records.
    package enum Form: Hashable, Sendable {
        /// One record a line, as in a journal.
        case lines
        /// Server-sent events: `records`, each with a list of them, and `sample`; `gone` when the
        /// proxy that is followed has ended, and `ended` when the run has.
        case events
    }

    private struct Listener {
        let feed: EventFeed
        let form: Form
        /// The number of the proxy that is followed; nil for all.
        let proxy: UInt32?
        var next: UInt64
        var hasHeardEnd = false
    }

    package private(set) var history: RecordHistory
    /// Lines of faults that fired and of changes, the oldest first: kept longer than other records.
    package private(set) var marks: [RecordHistory.Line] = []
    /// Told of each record at once.
    package var onRecord: ((JournalRecord) -> Void)?
    /// Makes a sample, of a proxy by its number or of the run; asked for while somebody listens to
    /// events.
    package var sample: (UInt32?) -> JSONValue = { _ in .null }
    /// Whether a proxy, by its number, is still there.
    package var hasProxy: (UInt32) -> Bool = { _ in true }
    private let loop: EventLoop
    private var listeners: [Listener] = []
    private var timer: Timer?
    private var ticks = 0
    /// Called when the last listener has left after the end of the run; nil before that end.
    private var onConcluded: (() -> Void)?

    /// Between two rounds.
    private static let tickMilliseconds: UInt64 = 200
    /// A sample in each second round: with a message of records in each, 7.5 a second.
    private static let ticksPerSample = 2
    /// Bytes of records in one round, for pages and for programs that read all.
    private static let bytesPerTick: (events: Int, lines: Int) = (131_072, 65_536)
    /// Bytes that a listener has not taken yet at most, for it to get more records.
    private static let untakenBytes = 65_536
    /// Between two rounds after the end of the run, when somebody waits for each.
    private static let lastTickMilliseconds: UInt64 = 20

    package init(loop: EventLoop, history: RecordHistory = RecordHistory()) {
        self.loop = loop
        self.history = history
    }

    package var listenerCount: Int { listeners.count }

    /// Takes the next record, of a proxy by its number or of the run as a whole.
    package func take(
        _ record: JournalRecord,
        at time: Instant,
        of proxy: UInt32? = nil
    ) {
        history.add(record, at: time, of: proxy)
        if Self.isMark(record), let line = history.last {
            marks.append(line)
            // In large steps, since each moves the rest.
            if marks.count > Self.markLimit { marks.removeFirst(Self.markLimit / 4) }
        }
        onRecord?(record)
    }

    /// Lets somebody listen.
    ///
    /// - Parameters:
    ///   - feed: where it goes; its `onGone` is taken.
    ///   - form: how.
    ///   - number: of the first record that it gets.
    ///   - proxy: the number of the one whose records and samples it gets, until that one ends; nil
    ///     for all.
    package func add(
        _ feed: EventFeed,
        _ form: Form,
        from number: UInt64,
        of proxy: UInt32? = nil
    ) {
        feed.onGone = { [weak self, weak feed] in
            guard let self, let feed else { return }
            listeners.removeAll { $0.feed === feed }
            if listeners.isEmpty { rest() }
        }
        listeners.append(Listener(feed: feed, form: form, proxy: proxy, next: number))
        if form == .events {
            feed.send(ServerSentEvents.retry(milliseconds: 1_000))
            feed.send(sampleEvent(of: proxy))
        }
        tell(listeners.count - 1)
        begin()
    }

    package func stop() {
        for place in listeners.indices.reversed() where place < listeners.count { tellEnd(place) }
        for listener in listeners { listener.feed.end() }
        listeners = []
        rest()
    }

    // MARK: The end of the run

    /// Whether the last listeners are still served.
    package var isConcluding: Bool { onConcluded != nil }

    /// Hands over every record that is left, and then tells that the run has ended.
    ///
    /// A listener to events leaves when it likes: a page first asks for what the records came to. Does
    /// nothing if there is no listener.
    ///
    /// - Parameters:
    ///   - limitMilliseconds: how long it takes at most.
    ///   - done: called once, when all have left or the time is over.
    package func conclude(limitMilliseconds: UInt64, then done: @escaping () -> Void) {
        rest()
        guard !listeners.isEmpty else { return }
        let deadline = loop.realNow + .milliseconds(clamping: limitMilliseconds)
        timer = try? Timer(loop: loop) { [weak self] in self?.lastTick(deadline) }
        guard let timer else { return }
        onConcluded = done
        timer.start(afterMilliseconds: 0, repeatMilliseconds: Self.lastTickMilliseconds)
    }

    private func lastTick(_ deadline: Instant) {
        for place in listeners.indices.reversed() where place < listeners.count { tell(place) }
        for place in listeners.indices.reversed()
        where place < listeners.count && listeners[place].next >= history.nextNumber {
            tellEnd(place)
        }
        if loop.realNow >= deadline { rest() }
    }

    private func tellEnd(_ place: Int) {
        let listener = listeners[place]
        guard !listener.hasHeardEnd else { return }
        listeners[place].hasHeardEnd = true
        guard listener.form == .events else { return listener.feed.end() }
        if isFollowable(listener) { listener.feed.send(sampleEvent(of: listener.proxy)) }
        listener.feed.send(ServerSentEvents.event("ended", data: Array("{}".utf8)))
    }

    private static let markLimit = 1_000

    private static func isMark(_ record: JournalRecord) -> Bool {
        switch record {
        // What somebody does by hand is told by its change.
        case .fault(let report): report.state == .fired && !report.isByHand
        case .change: true
        default: false
        }
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
        let done = onConcluded
        onConcluded = nil
        done?()
    }

    private func tick() {
        ticks += 1
        if ticks.isMultiple(of: Self.ticksPerSample) { tellSamples() }
        for place in listeners.indices.reversed() where place < listeners.count { tell(place) }
        endGone()
    }

    private func tellSamples() {
        var events: [UInt32?: [UInt8]] = [:]
        // A feed that breaks off leaves the list while it is walked.
        for listener in listeners where listener.form == .events && isFollowable(listener) {
            let event = events[listener.proxy] ?? sampleEvent(of: listener.proxy)
            events[listener.proxy] = event
            listener.feed.send(event)
        }
    }

    private func sampleEvent(of proxy: UInt32?) -> [UInt8] {
        ServerSentEvents.event("sample", data: Array(sample(proxy).text.utf8))
    }

    private func isFollowable(_ listener: Listener) -> Bool {
        listener.proxy.map(hasProxy) ?? true
    }

    /// Ends, in order, what follows a proxy that is gone, once all is told.
    private func endGone() {
        for listener in listeners
        where !isFollowable(listener) && listener.next >= history.nextNumber {
            if listener.form == .events {
                listener.feed.send(ServerSentEvents.event("gone", data: Array("{}".utf8)))
            }
            listener.feed.end()
            listeners.removeAll { $0.feed === listener.feed }
        }
        if listeners.isEmpty { rest() }
    }

    /// Whether it gets more records now.
    ///
    /// A page that is slow misses some, and hears of it; a program that reads all is broken off, since
    /// lines have no way to say so.
    private func isReady(_ listener: Listener) -> Bool {
        let mayMiss = listener.form == .events || isConcluding
        return !mayMiss || listener.feed.waitingBytes <= Self.untakenBytes
    }

    private func tell(_ place: Int) {
        let listener = listeners[place]
        guard isReady(listener) else { return }
        let limit = listener.form == .events ? Self.bytesPerTick.events : Self.bytesPerTick.lines
        let first = history.firstNumber
        let excerpt = history.excerpt(
            from: listener.next,
            byteLimit: limit,
            of: listener.proxy
        )
        listeners[place].next = excerpt.next
        if first > listener.next, listener.form == .events {
            let gap: JSONValue = [
                "missed": .number(first - listener.next), "from": .number(first),
            ]
            listener.feed.send(ServerSentEvents.event("gap", data: Array(gap.text.utf8)))
        }
        guard let last = excerpt.lines.last else { return }
        switch listener.form {
        case .lines: listener.feed.send(excerpt.lines.flatMap(\.bytes))
        case .events:
            let list = excerpt.lines.map { $0.bytes.dropLast() }
                .joined(separator: [UInt8(ascii: ",")])
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
