package import Basics
package import Proxy

/// Metrics in Prometheus' text format, version 0.0.4.
package struct MetricsText {
    package enum Kind: String, Hashable, Sendable { case counter, gauge, histogram }

    package static let type = "text/plain; version=0.0.4; charset=utf-8"

    package private(set) var text = ""

    package init() {}

    /// Adds a family of values.
    ///
    /// - Parameters:
    ///   - name: with its unit, and `_total` for counters.
    ///   - kind: what the values do.
    ///   - help: one sentence.
    ///   - samples: labels in order, each with its value.
    package mutating func add(
        _ name: String,
        _ kind: Kind,
        _ help: String,
        _ samples: [(labels: [(String, String)], value: String)]
    ) {
        guard !samples.isEmpty else { return }
        text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n"
        text += "# TYPE \(name) \(kind.rawValue)\n"
        for sample in samples {
            text += name
            if !sample.labels.isEmpty {
                let labels = sample.labels.map { "\($0.0)=\"\(Self.escaped($0.1, quotes: true))\"" }
                text += "{\(labels.joined(separator: ","))}"
            }
            text += " \(sample.value)\n"
        }
    }

    /// Adds one value without labels.
    package mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: String) {
        add(name, kind, help, [([], value)])
    }

    /// Adds a histogram of times; `name` ends in `_seconds`.
    package mutating func add(_ name: String, _ help: String, _ histogram: DurationHistogram) {
        text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n"
        text += "# TYPE \(name) \(Kind.histogram.rawValue)\n"
        var sum: UInt64 = 0
        for (bound, count) in zip(histogram.bounds, histogram.counts) {
            sum += count
            text += "\(name)_bucket{le=\"\(Self.seconds(bound))\"} \(sum)\n"
        }
        text += "\(name)_bucket{le=\"+Inf\"} \(histogram.count)\n"
        text += "\(name)_sum \(Self.seconds(histogram.sum))\n"
        text += "\(name)_count \(histogram.count)\n"
    }

    /// A time as a decimal number of seconds.
    package static func seconds(_ time: Duration) -> String {
        let (whole, part) = time.clampedNanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        guard part > 0 else { return "\(whole)" }
        let digits = String(part)
        var text = String(repeating: "0", count: 9 - digits.count) + digits
        while text.hasSuffix("0") { text.removeLast() }
        return "\(whole).\(text)"
    }

    /// The text as the format has it, and what a terminal would act on spelled out.
    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\"" where quotes: result += "\\\""
            case _ where PrintableText.isActive(character):
                result += "\\" + PrintableText.escaped(String(character))
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }
}
