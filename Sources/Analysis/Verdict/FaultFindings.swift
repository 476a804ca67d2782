internal import Basics
internal import Journal

// What the faults and the command say about the run.
extension CheckContext {
    /// Faults that did not act, or acted when nothing was left to disturb.
    func findVacuousFaults() -> [Finding] {
        guard !transcript.faults.isEmpty else { return [] }
        let fired = Set(transcript.faults.lazy.filter(\.value.isFired).map(\.value.id))
        let idleTimes = transfers.allSatisfy(\.isComplete) && !transfers.isEmpty ? idleTimes : [:]
        let lastBeginning = transcript.exchanges.map(\.beganAt).max() ?? .start
        return transcript.faults.compactMap { fault in
            switch fault.value.state {
            case .unreached(let reason):
                // A fault for all connections may miss some of them.
                guard !fired.contains(fault.value.id) else { return nil }
                return Finding(
                    .unreached,
                    "the fault \(fault.value.id) did not act: \(reason)",
                    lines: [fault.line]
                )
            case .undelivered:
                return Finding(
                    .unreached,
                    "the fault \(fault.value.id) acted before all bytes in front of it arrived",
                    lines: [fault.line]
                )
            case .fired:
                guard fault.value.isClosing, lastBeginning <= fault.at,
                    let idle = fault.value.connection.flatMap({ idleTimes[$0] }),
                    idle <= fault.at
                else {
                    return nil
                }
                return tooLate(fault)
            }
        }
    }

    private func tooLate(_ fault: Timed<FaultReport>) -> Finding {
        Finding(
            .unreached,
            "the fault \(fault.value.id) acted after the transfer was complete",
            lines: [fault.line]
        )
    }

    /// When all exchanges of each connection were answered; the end of time if one was not.
    private var idleTimes: [ConnectionID: Instant] {
        Dictionary(
            transcript.exchanges.lazy.map {
                ($0.id.connection, $0.isAnswered ? $0.endedAt ?? .never : .never)
            },
            uniquingKeysWith: max
        )
    }

    /// Whether the command did what it had to, and said so.
    func findDishonesty() -> [Finding] {
        guard let exitCode else { return [] }
        var findings: [Finding] = []
        if exitCode != 0, !isTimedOut, evidence.mustSucceed {
            findings.append(
                signal.map { Finding(.crash, "the command was killed by signal \($0)") }
                    ?? Finding(.giveup, "the command failed with \(exitCode)")
            )
        }
        if exitCode != 0, evidence.leftCompleteFile {
            findings.append(
                Finding(.dishonest, "the command failed and left a file that looks complete")
            )
        }
        return findings
    }
}
