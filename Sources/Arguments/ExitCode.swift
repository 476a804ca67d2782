/// How the program ends: a contract with scripts (BSD `sysexits.h` where a number exists).
package enum ExitCode: Int32, CaseIterable, Sendable {
    case success = 0
    case findings = 1
    case inconclusive = 2
    case baselineFailed = 4
    case nothingToExplore = 5
    case usage = 64
    case inputMissing = 66
    case unavailable = 69
    case internalError = 70
    case cannotCreate = 73
    case writeError = 74
    case resumable = 75
    case configuration = 78
    case ownFailure = 125
    case notExecutable = 126
    case notFound = 127
    case interrupted = 130
    case terminated = 143
}
