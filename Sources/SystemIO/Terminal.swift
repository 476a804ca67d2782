internal import CLibuv
internal import CLibrary

/// The terminal's size in characters.
package struct TerminalSize: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// The size of the terminal behind a descriptor; nil if there is none or it does not know.
    package init?(descriptor: Int32) {
        var size = winsize()
        guard unsafe ioctl(descriptor, LINKCOND_WINDOW_SIZE, &size) == 0 else { return nil }
        guard size.ws_col > 0 && size.ws_row > 0 else { return nil }
        self.init(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}

/// The terminal that a program was started from, which may go away.
package struct ControllingTerminal: Hashable, Sendable {
    private let descriptors: [Int32]

    /// Remembers which standard descriptors are terminals.
    package init() { descriptors = (0...2).filter { isatty($0) == 1 } }

    /// Whether one of them was a terminal and is none any more.
    package var isGone: Bool { descriptors.contains { isatty($0) != 1 } }
}

/// A terminal whose keys are read one by one, without echo, until `restore` is called.
///
/// Control-C and Control-Z still send their signals.
@safe
package final class KeyInput {
    private let descriptor: Int32
    private let original: termios
    private var isActive = false

    /// Fails if the descriptor is no terminal.
    package init?(descriptor: Int32) {
        var settings = termios()
        guard unsafe tcgetattr(descriptor, &settings) == 0 else { return nil }
        self.descriptor = descriptor
        original = settings
    }

    /// Whether this process may change and read the terminal: a background one is stopped for it.
    ///
    /// A terminal that does not control this process stops nobody.
    package var isForeground: Bool {
        let group = tcgetpgrp(descriptor)
        return group == getpgrp() || group < 0 && errno == ENOTTY
    }

    /// Turns echo and line editing off.
    package func activate() {
        guard !isActive, isForeground else { return }
        var settings = original
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        isActive = unsafe tcsetattr(descriptor, TCSADRAIN, &settings) == 0
    }

    /// Puts the settings back that were found.
    package func restore() {
        guard isActive else { return }
        var settings = original
        _ = unsafe tcsetattr(descriptor, TCSADRAIN, &settings)
        isActive = false
    }

    /// The keys typed since the last call, without waiting.
    package func pendingKeys() -> [UInt8] {
        guard isActive else { return [] }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&request, 1, 0) > 0 else { return [] }
        var keys = [UInt8](repeating: 0, count: 64)
        let count = unsafe keys.withUnsafeMutableBytes { buffer in
            unsafe CLibrary.read(descriptor, buffer.baseAddress, buffer.count)
        }
        return count > 0 ? Array(keys[..<count]) : []
    }
}
