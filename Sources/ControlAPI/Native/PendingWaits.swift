internal import Basics
internal import SystemIO

/// Clients that wait for something to happen, each with a limit; looked at many times a second as
/// long as there are any.
final class PendingWaits {
    private struct Wait {
        let end: Instant
        let answer: PendingAnswer
        /// The answer, once it has happened.
        let look: () -> ControlAnswer?
        let late: () -> ControlAnswer
    }

    private let loop: EventLoop
    private var waits: [Wait] = []
    private var timer: Timer?

    private static let roundMilliseconds: UInt64 = 10

    init(loop: EventLoop) { self.loop = loop }

    var count: Int { waits.count }

    /// Lets a client wait.
    ///
    /// - Parameters:
    ///   - answer: where the answer goes.
    ///   - span: how long at most.
    ///   - look: answers once it has happened.
    ///   - late: answers when the time is over.
    func add(
        _ answer: PendingAnswer,
        for span: Duration,
        look: @escaping () -> ControlAnswer?,
        late: @escaping () -> ControlAnswer
    ) {
        let end = loop.now + span
        waits.append(Wait(end: end, answer: answer, look: look, late: late))
        guard timer == nil else { return }
        timer = try? Timer(loop: loop) { [weak self] in self?.lookRound() }
        timer?.start(
            afterMilliseconds: Self.roundMilliseconds,
            repeatMilliseconds: Self.roundMilliseconds
        )
    }

    func close() {
        waits = []
        timer?.close()
        timer = nil
    }

    private func lookRound() {
        let now = loop.now
        let due = waits.compactMap { wait -> (PendingAnswer, ControlAnswer)? in
            if let answer = wait.look() { return (wait.answer, answer) }
            return now >= wait.end ? (wait.answer, wait.late()) : nil
        }
        for (place, answer) in due { place.answer(answer) }
        waits.removeAll { !$0.answer.isAwaited }
        if waits.isEmpty { close() }
    }
}
