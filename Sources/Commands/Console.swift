internal import Arguments
internal import Basics
internal import Journal
internal import SystemIO

/// Standard output for results, standard error for everything else.
final class Console {
    let output = OutputFile(descriptor: 1, owned: false)
    let errors = OutputFile(descriptor: 2, owned: false)
    let outputStyle: TextStyle
    let errorStyle: TextStyle

    init(refusesColour: Bool) {
        outputStyle = Self.style(of: output, refusesColour)
        errorStyle = Self.style(of: errors, refusesColour)
    }

    private static func style(of file: OutputFile, _ refusesColour: Bool) -> TextStyle {
        TextStyle(
            isColoured: TextStyle.wantsColour(
                isTerminal: file.isTerminal,
                isRefused: refusesColour,
                environment: CurrentProcess.environment
            )
        )
    }

    /// The width to lay text out for: the terminal's within reason, else 80.
    var textWidth: Int {
        guard let size = TerminalSize(descriptor: output.descriptor) else { return 80 }
        return min(max(size.columns, 40), 100)
    }

    /// The width to lay out what has charts beside long words: the terminal's within reason.
    var reportWidth: Int {
        guard let size = TerminalSize(descriptor: output.descriptor) else { return 100 }
        return min(max(size.columns, 60), 200)
    }

    /// The width to lay charts out for.
    var chartWidth: Int {
        guard let size = TerminalSize(descriptor: output.descriptor) else { return 80 }
        return min(max(size.columns, 40), 160)
    }

    /// The width to cut tables to: the terminal's.
    ///
    /// A pipe or a file gets them whole.
    var tableWidth: Int {
        guard output.isTerminal else { return .max }
        return max(TerminalSize(descriptor: output.descriptor)?.columns ?? 80, 40)
    }

    /// Whether what is written may hold more than ASCII, by the locale.
    let usesUnicode = Console.hasUnicodeLocale(environment: CurrentProcess.environment)

    /// POSIX: the first of these that is set and not empty decides.
    static func hasUnicodeLocale(environment: (String) -> String?) -> Bool {
        for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
            guard let value = environment(name)?.uppercased(), !value.isEmpty else { continue }
            return value.contains("UTF-8") || value.contains("UTF8")
        }
        return false
    }

    /// Writes results and waits until they are written.
    ///
    /// A reader that has seen enough, as in `linkcond profiles | head`, is no error.
    func write(_ lines: [String]) throws(Failure) {
        try write(bytes: Self.bytes(lines.map(outputText)))
    }

    func write(bytes: [UInt8]) throws(Failure) {
        do throws(SystemError) {
            try output.writeAll(bytes)
        } catch {
            if error.isClosedPipe { return }
            throw Failure(.writeError, "cannot write to standard output: \(error.description)")
        }
    }

    /// Writes the first results of a run, which continues without standard output.
    func announce(_ lines: [String]) throws(SystemError) {
        try output.writeAll(Self.bytes(lines.map(outputText)))
    }

    /// Writes a result without waiting for a slow reader.
    func offer(_ line: String) { output.offer(Self.bytes([outputText(line)])) }

    /// Writes a line of the log without waiting for a slow reader.
    func log(_ line: String) { errors.offer(Self.bytes([errorText(line)])) }

    /// Writes commands for a CI runner: the only lines of ours on which it may act.
    func writeAnnotations(_ lines: [String], toErrors: Bool) throws(Failure) {
        let bytes = Self.bytes(lines.map(PrintableText.escaped))
        if toErrors {
            errors.offer(bytes)
        } else {
            try write(bytes: bytes)
        }
    }

    private func outputText(_ line: String) -> String {
        LineText.escaped(line, isColoured: outputStyle.isColoured)
    }

    private func errorText(_ line: String) -> String {
        LineText.escaped(line, isColoured: errorStyle.isColoured)
    }

    /// Says why the program ends.
    func report(_ failure: Failure) {
        for line in failure.lines {
            let parts = line.firstRange(of: ": error: ")
            guard let parts else {
                log(line)
                continue
            }
            log(
                "\(line[..<parts.lowerBound]): \(errorStyle(.bad, "error:"))"
                    + " \(line[parts.upperBound...])"
            )
        }
        errors.flush(milliseconds: 1_000)
    }

    static func bytes(_ lines: [String]) -> [UInt8] {
        Array(lines.map { $0 + "\n" }.joined().utf8)
    }
}
