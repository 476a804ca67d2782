internal import Arguments
internal import Basics
internal import SystemIO
internal import Transfers

/// A background transfer on a terminal, shown as one in the foreground is.
struct AttachScreen {
    private let console: Console
    private let log = TransferLog()
    private var display: TransferDisplay
    private var screen: ProgressScreen
    private let startedAt: Instant

    init(_ description: TransferDescription, console: Console, at now: Instant) {
        self.console = console
        display = TransferDisplay(description)
        screen = ProgressScreen(console.errors, isActive: true)
        startedAt = now
    }

    mutating func add(_ events: [JSONObject], at now: Instant) {
        for record in events.compactMap(RecordText.record) {
            display.add(record, at: now)
            guard let line = log.line(record) else { continue }
            screen.clear()
            console.log("\(Figures.clock(now - startedAt))  \(line)")
        }
    }

    mutating func draw(at now: Instant) {
        let width = TerminalSize(descriptor: console.errors.descriptor)?.columns ?? 100
        screen.show(
            display.line(
                at: now,
                width: width - 1,
                hasBar: true,
                usesUnicode: console.usesUnicode
            )
        )
    }

    /// Takes the bar away and says how it ended.
    mutating func end(_ identifier: String, _ state: BackgroundState) {
        screen.clear()
        switch state.condition {
        case .finished:
            console.offer("\(identifier) is finished: \(Figures.grouped(state.position)) bytes")
        case .failed:
            let reason = state.detail.map { ": \($0)" } ?? ""
            console.log("\(CommandSet.program): \(identifier) has failed\(reason)")
        case .paused, .resumable, .interrupted, .running, .waiting: break
        }
    }
}
