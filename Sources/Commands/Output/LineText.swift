internal import Basics
internal import Journal

/// A finished line of output, whatever from outside is in it.
///
/// Every line passes here last, so no command has to remember it.
enum LineText {
    /// What begins a command to a CI runner: at the beginning of a line, or anywhere in it.
    private static let runnerCommands = ["##[", "##vso[", "##teamcity["]

    /// The line with everything spelled out on which a terminal or a CI runner would act, except
    /// tabs and, where output is coloured, the escape sequences of `TextStyle`.
    static func escaped(_ line: String, isColoured: Bool) -> String {
        var line = line
        if line.unicodeScalars.contains(where: PrintableText.isActive) {
            line = withoutActive(line, keeping: isColoured ? TextStyle.sequences : [])
        }
        return withoutRunnerCommands(line)
    }

    private static func withoutActive(_ line: String, keeping sequences: [String]) -> String {
        var result = ""
        var rest = Substring(line).unicodeScalars
        while let scalar = rest.first {
            let kept = scalar == "\u{1B}" ? sequences.first { Substring(rest).hasPrefix($0) } : nil
            if let kept {
                result += kept
                rest = rest.dropFirst(kept.unicodeScalars.count)
                continue
            }
            result += scalar == "\t" ? "\t" : PrintableText.escaped(String(scalar))
            rest = rest.dropFirst()
        }
        return result
    }

    private static func withoutRunnerCommands(_ line: String) -> String {
        var line = line
        for command in runnerCommands where line.contains(command) {
            line = line.replacing(command, with: "\\u0023" + command.dropFirst())
        }
        let margin = line.prefix { $0 == " " || $0 == "\t" }
        guard line.dropFirst(margin.count).hasPrefix("::") else { return line }
        return margin + "\\u003a" + line.dropFirst(margin.count + 1)
    }
}
