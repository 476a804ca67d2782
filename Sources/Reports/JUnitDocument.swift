internal import Basics

/// A report as JUnit XML: suites of test cases, in the form that the readers of CI systems share.
///
/// Readers differ in what they take beyond name, class name, time, failure, error and skipped, so
/// nothing else is written but what a test case printed, and all details are in the text of a failure
/// or error.
package struct JUnitDocument: Sendable {
    package enum Outcome: Hashable, Sendable {
        case passed
        /// The test case did not do what it should.
        case failed(type: String, message: String, details: [String])
        /// The test case shows nothing.
        case error(type: String, message: String, details: [String])
        case skipped(message: String)
    }

    package struct Case: Hashable, Sendable {
        package var className: String
        package var name: String
        package var milliseconds: UInt64
        package var outcome: Outcome
        /// The lines that a test case printed.
        package var output: [String] = []

        package init(
            className: String,
            name: String,
            milliseconds: UInt64 = 0,
            outcome: Outcome
        ) {
            self.className = className
            self.name = name
            self.milliseconds = milliseconds
            self.outcome = outcome
        }
    }

    package struct Suite: Hashable, Sendable {
        package var name: String
        package var milliseconds: UInt64
        package var cases: [Case]

        package init(name: String, milliseconds: UInt64, cases: [Case]) {
            self.name = name
            self.milliseconds = milliseconds
            self.cases = cases
        }
    }

    package var suites: [Suite]

    package init(suites: [Suite]) { self.suites = suites }

    /// The document, a line each; suites count as run side by side, so the longest one's time is the
    /// time of all.
    package func lines() -> [String] {
        let totals = Self.attributes(
            of: suites.flatMap(\.cases),
            milliseconds: suites.map(\.milliseconds).max() ?? 0
        )
        return ["<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites \(totals)>"]
            + suites.flatMap(Self.lines) + ["</testsuites>"]
    }

    private static func lines(_ suite: Suite) -> [String] {
        let totals = attributes(of: suite.cases, milliseconds: suite.milliseconds)
        return ["  <testsuite name=\"\(MarkupText.escaped(suite.name))\" \(totals)>"]
            + suite.cases.flatMap(lines) + ["  </testsuite>"]
    }

    private static func attributes(of cases: [Case], milliseconds: UInt64) -> String {
        var (failures, errors, skipped) = (0, 0, 0)
        for item in cases {
            switch item.outcome {
            case .passed: break
            case .failed: failures += 1
            case .error: errors += 1
            case .skipped: skipped += 1
            }
        }
        return "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(errors)\""
            + " skipped=\"\(skipped)\" time=\"\(seconds(milliseconds))\""
    }

    private static func lines(_ item: Case) -> [String] {
        let head =
            "    <testcase classname=\"\(MarkupText.escaped(item.className))\""
            + " name=\"\(MarkupText.escaped(item.name))\" time=\"\(seconds(item.milliseconds))\""
        let elements = [element(item.outcome), output(item)].compactMap(\.self)
        guard !elements.isEmpty else { return [head + "/>"] }
        return [head + ">"] + elements.map { "      \($0)" } + ["    </testcase>"]
    }

    private static func output(_ item: Case) -> String? {
        guard !item.output.isEmpty else { return nil }
        let text = MarkupText.escaped(item.output.joined(separator: "\n"))
        return "<system-out>\(text)</system-out>"
    }

    /// What a test case holds; nothing if it passed.
    private static func element(_ outcome: Outcome) -> String? {
        switch outcome {
        case .passed: nil
        case .failed(let type, let message, let details):
            element("failure", type, message, details)
        case .error(let type, let message, let details): element("error", type, message, details)
        case .skipped(let message): "<skipped message=\"\(MarkupText.escaped(message))\"/>"
        }
    }

    private static func element(
        _ name: String,
        _ type: String,
        _ message: String,
        _ details: [String]
    ) -> String {
        let head = "<\(name) type=\"\(type)\" message=\"\(MarkupText.escaped(message))\""
        guard !details.isEmpty else { return head + "/>" }
        let text = MarkupText.escaped(details.joined(separator: "\n"))
        return "\(head)>\(text)</\(name)>"
    }

    private static func seconds(_ milliseconds: UInt64) -> String {
        let rest = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
