internal import Basics
package import SystemIO
package import Testing

/// Waiting in tests: for something to happen, but not for ever.
extension EventLoop {
    /// Runs until a condition holds; false once `seconds` have passed without.
    package func run(seconds: Double, until condition: () -> Bool) -> Bool {
        let end = now + .nanoseconds(Int64(seconds * 1e9))
        guard let timer = try? Timer(loop: self, onFire: {}) else { return condition() }
        timer.start(afterMilliseconds: UInt64(seconds * 1_000), repeatMilliseconds: 1)
        defer { timer.close() }
        while !condition() {
            guard now < end else { return false }
            runOnce()
        }
        return true
    }

    /// Runs until a condition holds; if that takes too long, the test ends with what was awaited.
    package func run(
        _ awaited: @autoclosure () -> String,
        seconds: Double = 20,
        _ location: SourceLocation = #_sourceLocation,
        until condition: () -> Bool
    ) throws {
        let isSo = run(seconds: seconds, until: condition)
        try #require(isSo, "\(awaited())", sourceLocation: location)
    }

    /// Runs until a condition holds; if that takes too long, the test fails and goes on.
    package func run(
        until condition: () -> Bool,
        seconds: Double = 20,
        _ location: SourceLocation = #_sourceLocation
    ) {
        guard !run(seconds: seconds, until: condition) else { return }
        Issue.record("waited in vain for \(seconds) s", sourceLocation: location)
    }

    /// Runs for a time.
    package func run(milliseconds: UInt64) {
        _ = run(seconds: Double(milliseconds) / 1_000) { false }
    }
}
