/// Where a piece of a profile was written.
package enum Place: Hashable, Sendable {
    /// Line and column count from 1; a column is a character.
    case file(String, line: Int, column: Int)
    /// A `key=value` given on the command line.
    case setting(String)
    /// An option that stands for one, as it may be typed: `--delay 80ms`.
    case option(String)
    /// A file as a whole: it is missing, or lacks a key.
    case wholeFile(String)

    /// Whether it is on the command line, not in a file.
    package var isTyped: Bool {
        switch self {
        case .setting, .option: true
        case .file, .wholeFile: false
        }
    }
}

/// One mistake in a profile, in words a person can act on.
package struct Diagnostic: Hashable, Sendable {
    package let place: Place
    /// What was found, what was expected and, where there is one, the nearest known name.
    package let message: String

    /// The longest message that is kept.
    package static let maximumMessageLength = 400

    package init(_ message: String, at place: Place) {
        self.place = place
        self.message = Self.oneLine(message)
    }

    /// One line, such as `lte.yaml:14:5: error: unknown key 'dealy'; did you mean 'delay'?`.
    ///
    /// Of a setting `--set dealy=80ms: unknown key ...`; the program puts its name before it.
    package var text: String {
        switch place {
        case .file(let file, let line, let column): "\(file):\(line):\(column): error: \(message)"
        case .setting(let option): "--set \(Self.oneLine(option)): \(message)"
        case .option(let typed): "\(Self.oneLine(typed)): \(message)"
        case .wholeFile(let file): "\(file): error: \(message)"
        }
    }

    /// Profiles may hold any character; a diagnostic is one line that a terminal can show.
    private static func oneLine(_ text: String) -> String {
        var line = ""
        for scalar in text.unicodeScalars.prefix(maximumMessageLength) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                line += "\\u{" + String(scalar.value, radix: 16) + "}"
            default:
                line.unicodeScalars.append(scalar)
            }
        }
        return line
    }
}

/// Collects mistakes, so that one pass names several.
package struct Diagnostics {
    package private(set) var list: [Diagnostic] = []

    package init() {}

    /// Beyond these the rest is most likely a consequence.
    static let maximumCount = 20

    package mutating func report(_ message: String, at place: Place) {
        guard list.count < Self.maximumCount else { return }
        let diagnostic = Diagnostic(message, at: place)
        if !list.contains(diagnostic) { list.append(diagnostic) }
    }

    /// The mistakes by file, in the order in which files were first named, then by place.
    package var sorted: [Diagnostic] {
        var files: [String] = []
        let keyed = list.enumerated().map { order, diagnostic in
            let (file, line, column) =
                switch diagnostic.place {
                case .file(let file, let line, let column): (file, line, column)
                case .wholeFile(let file): (file, 0, 0)
                case .setting, .option: ("", 0, 0)
                }
            if !files.contains(file) { files.append(file) }
            let ordinal = files.firstIndex(of: file) ?? 0
            return (key: (ordinal, line, column, order), diagnostic: diagnostic)
        }
        return keyed.sorted { $0.key < $1.key }.map(\.diagnostic)
    }
}
