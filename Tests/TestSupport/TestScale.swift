internal import SystemIO

/// How many times the counts of ordinary runs; LINKCOND_TEST_SCALE raises it for long runs.
package var testScale: Int {
    CurrentProcess.environment("LINKCOND_TEST_SCALE").flatMap { Int($0) } ?? 1
}
