internal import Exploration

/// What `--expect` asks for.
struct RunExpectation: Hashable, Sendable {
    /// How the command must end.
    enum Ending: Hashable, Sendable {
        case code(Int)
        /// Any code but 0, before the deadline.
        case failure
    }

    var ending: Ending

    /// The command succeeds.
    static let pass = RunExpectation(ending: .code(0))

    init(ending: Ending) { self.ending = ending }

    /// Reads `pass`, `fail` or `exit=N`.
    init(parsing text: String) throws(Failure) {
        switch text {
        case "pass": self = .pass
        case "fail": self.init(ending: .failure)
        default:
            guard text.hasPrefix("exit="), let code = UInt8(text.dropFirst(5)) else {
                throw Failure(
                    .usage,
                    "--expect '\(text)': write pass, fail, or exit=N with N from 0 to 255"
                )
            }
            self.init(ending: .code(Int(code)))
        }
    }

    /// Why an ending is not what was asked for; nil if it is.
    func objection(to ending: ClientEnding) -> String? {
        switch self.ending {
        case .code(let code) where ending.exitCode == code: nil
        case .failure where ending.exitCode != 0: nil
        case .code(let code): "\(RunJudgement.words(ending)), expected \(code)"
        case .failure: "\(RunJudgement.words(ending)), expected a failure"
        }
    }
}
