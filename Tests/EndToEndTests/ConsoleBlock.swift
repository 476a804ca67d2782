import Foundation

/// The commands of a `console` block and what stands below each.
struct ConsoleBlock {
    struct Step {
        /// As shown, on one line or several, without the prompt.
        var command: [String]
        var output: [String]
    }

    var steps: [Step] = []

    init(_ lines: some Sequence<String>) {
        var isContinued = false
        for line in lines {
            if line.hasPrefix("$ ") {
                steps.append(Step(command: [String(line.dropFirst(2))], output: []))
            } else if isContinued {
                steps[steps.count - 1].command.append(line)
            } else if !steps.isEmpty {
                steps[steps.count - 1].output.append(line)
                continue
            }
            isContinued = line.hasSuffix("\\")
        }
    }

    var lines: [String] {
        steps.flatMap { step in
            step.command.enumerated().map { $0 == 0 ? "$ \($1)" : $1 } + step.output
        }
    }

    /// Takes over what the commands print now, where it differs.
    mutating func update(with outputs: [[String]], varies: Bool) {
        for (index, printed) in outputs.enumerated() {
            if varies, Self.hasShape(steps[index].output, of: printed) { continue }
            steps[index].output = printed
        }
    }

    /// Whether lines are the same but for numbers, digests, lost datagrams, and what a busy machine has
    /// added; `...` stands for any lines.
    static func hasShape(_ shown: [String], of printed: [String]) -> Bool {
        let printed = printed.filter { !$0.hasPrefix("  trouble ") }
        return matches(shown.map(shape)[...], printed.map(shape)[...])
    }

    private static func matches(_ shown: ArraySlice<String>, _ printed: ArraySlice<String>) -> Bool
    {
        guard let first = shown.first else { return printed.isEmpty }
        if first == "..." {
            let rest = shown.dropFirst()
            return (printed.startIndex...printed.endIndex).contains {
                matches(rest, printed[$0...])
            }
        }
        return first == printed.first && matches(shown.dropFirst(), printed.dropFirst())
    }

    private static func shape(_ line: String) -> String {
        line.replacing(#/ \([0-9,]+ not delivered\)/#, with: "")
            .replacing(#/[0-9a-f]{10,}|[0-9][0-9,.]*/#, with: "N")
            .replacing(#/\bN (ns|us|ms|s)\b/#, with: "N s")
            .replacing(#/N [kM]?bit/#, with: "N bit")
    }
}
