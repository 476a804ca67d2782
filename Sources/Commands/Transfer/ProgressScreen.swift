internal import Basics
internal import Journal
internal import SystemIO

/// The last line of a terminal, written over again and again.
struct ProgressScreen {
    private let output: OutputFile
    private let isActive: Bool
    private var isShown = false

    init(_ output: OutputFile, isActive: Bool) {
        self.output = output
        self.isActive = isActive
    }

    /// Shows a line in place of the one before.
    mutating func show(_ line: String) {
        guard isActive else { return }
        output.offer(Array("\r\(PrintableText.escaped(line))\u{1B}[K".utf8))
        isShown = true
    }

    /// Takes the line away, so that others can be written there.
    mutating func clear() {
        guard isShown else { return }
        isShown = false
        output.offer(Array("\r\u{1B}[K".utf8))
    }
}
