internal import Basics
internal import SystemIO

/// The terminal while the live view is on it.
///
/// The view has a screen of its own (the terminal's alternate one), so that what was there before
/// comes back. Only lines that changed are written.
final class Screen {
    private let output: OutputFile
    private let keys: KeyInput?
    private let style: TextStyle
    private var shown: [String] = []
    private var shownSize: TerminalSize?
    private(set) var isActive = false
    /// Whether it is to be on the terminal as soon as this process is in the foreground.
    private var isWanted = false

    init(output: OutputFile, style: TextStyle) {
        self.output = output
        self.style = style
        keys = KeyInput(descriptor: 0)
    }

    deinit { leave() }

    var size: TerminalSize {
        TerminalSize(descriptor: output.descriptor) ?? TerminalSize(columns: 80, rows: 24)
    }

    /// Whether this process is in the foreground of its terminal, if it reads from one.
    static var isOurs: Bool { KeyInput(descriptor: 0)?.isForeground ?? true }

    /// Takes the terminal, now or when this process comes to the foreground.
    func enter() {
        isWanted = true
        guard !isActive, keys?.isForeground ?? true else { return }
        isActive = true
        keys?.activate()
        shown = []
        shownSize = nil
        // The alternate screen, no cursor, no line wrap.
        write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J")
    }

    /// Gives the terminal back as it was.
    func leave() {
        isWanted = false
        guard isActive else { return }
        isActive = false
        write("\u{1B}[?7h\u{1B}[?25h\u{1B}[0m\u{1B}[?1049l")
        output.flush(milliseconds: 500)
        keys?.restore()
    }

    /// Leaves a terminal that is not there any more.
    func abandon() {
        isActive = false
        isWanted = false
    }

    /// Stops the process as Control-Z does; returns once it goes on.
    func suspend() {
        leave()
        CurrentProcess.stop()
        enter()
    }

    func pendingKeys() -> [UInt8] { isActive ? keys?.pendingKeys() ?? [] : [] }

    /// Shows a frame; lines that are equal to those on the screen are left alone.
    func draw(_ frame: (TerminalSize) -> [StyledLine]) {
        if isWanted { enter() }
        // In the background the terminal belongs to another program.
        guard isActive, keys?.isForeground ?? true, !output.hasWaitingBytes else {
            output.flush(milliseconds: 0)
            return
        }
        let size = size
        var bytes = ""
        if size != shownSize {
            bytes = "\u{1B}[2J"
            shown = []
            shownSize = size
        }
        let lines = frame(size).prefix(size.rows).map {
            $0.rendered(limit: size.columns, style: style)
        }
        for (row, line) in lines.enumerated() where row >= shown.count || shown[row] != line {
            bytes += "\u{1B}[\(row + 1);1H\u{1B}[K\(line)"
        }
        shown = Array(lines)
        if !bytes.isEmpty { write(bytes) }
    }

    private func write(_ text: String) { output.offer(Array(text.utf8)) }
}
