internal import Arguments
internal import Basics
internal import SystemIO
internal import Transfers

/// `transfers attach`: the events of a background transfer since the last time, then those that come.
///
/// Control-C ends the view; the transfer goes on.
final class AttachCommand {
    private let console: Console
    private let transfer: TransferFolder
    private let fromStart: Bool
    private let loop: EventLoop
    private var outcome: ExitCode?
    /// On a terminal; elsewhere events are lines of JSON.
    private var screen: AttachScreen?

    init(_ invocation: Invocation, console: Console) throws(Failure) {
        self.console = console
        transfer = try BackgroundPlace.transfer(invocation.operands[0])
        fromStart = invocation.has("from-start")
        loop = try .forRun()
        guard console.output.isTerminal, console.errors.isTerminal,
            let description = try? transfer.description()
        else { return }
        screen = AttachScreen(description, console: console, at: loop.now)
    }

    func runToEnd() throws(Failure) -> ExitCode {
        var watchers: [SignalWatcher] = []
        let follower: EventFollower
        do throws(SystemError) {
            watchers.append(
                try SignalWatcher(.interrupt, loop: loop) { [weak self] in self?.end(.interrupted) }
            )
            watchers.append(
                try SignalWatcher(.terminate, loop: loop) { [weak self] in self?.end(.terminated) }
            )
            follower = try EventFollower(transfer, fromStart: fromStart, on: loop) {
                [weak self] in
                self?.show($0)
            } onEnd: { [weak self] in
                self?.conclude($0)
            }
        } catch {
            throw Failure(.internalError, "cannot watch: \(error)")
        }
        follower.start()
        if outcome == nil { loop.run() }
        follower.close()
        for watcher in watchers { watcher.close() }
        loop.stop()
        for _ in 0..<4 { loop.runOnce() }
        return outcome ?? .internalError
    }

    private func end(_ code: ExitCode) {
        outcome = outcome ?? code
        loop.stop()
    }

    private func conclude(_ state: BackgroundState) {
        screen?.end(transfer.identifier, state)
        switch state.condition {
        case .finished: end(.success)
        case .failed: end(.findings)
        case .paused, .resumable, .interrupted, .running, .waiting:
            console.log(
                "\(transfer.identifier) is \(state.condition);"
                    + " linkcond transfers resume \(transfer.identifier)"
            )
            end(.resumable)
        }
    }

    private func show(_ events: [JSONObject]) {
        guard screen != nil else {
            for event in events { try? console.write([JSONValue.object(event).text]) }
            return
        }
        screen?.add(events, at: loop.now)
        screen?.draw(at: loop.now)
    }
}
