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
    private let startNanoseconds: UInt64

    init(_ description: TransferDescription, console: Console, atNanoseconds now: UInt64) {
        self.console = console
        display = TransferDisplay(description)
        screen = ProgressScreen(console.errors, isActive: true)
        startNanoseconds = now
    }

    mutating func add(_ events: [JSONObject], atNanoseconds now: UInt64) {
        for record in events.compactMap(RecordText.record) {
            display.add(record, atNanoseconds: now)
            guard let line = log.line(record) else { continue }
            screen.clear()
            let elapsed = Int64(clamping: now - startNanoseconds)
            console.log("\(Figures.clock(nanoseconds: elapsed))  \(line)")
        }
    }

    mutating func draw(atNanoseconds now: UInt64) {
        let width = TerminalSize(descriptor: console.errors.descriptor)?.columns ?? 100
        screen.show(
            display.line(
                atNanoseconds: now,
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
