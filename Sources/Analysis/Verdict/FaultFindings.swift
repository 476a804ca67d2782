internal import Journal

// What the faults and the command say about the run.
extension CheckContext {
    /// Faults that did not act, or acted when nothing was left to disturb.
    func findVacuousFaults() -> [Finding] {
        transcript.faults.compactMap { fault in
            switch fault.value.state {
            case .unreached(let reason):
                // A fault for all connections may miss some of them.
                guard !hasFiredElsewhere(fault.value) else { return nil }
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
            case .fired: return isTooLate(fault) ? tooLate(fault) : nil
            }
        }
    }

    private func hasFiredElsewhere(_ fault: FaultReport) -> Bool {
        transcript.faults.contains { $0.value.id == fault.id && $0.value.isFired }
    }

    private func tooLate(_ fault: Timed<FaultReport>) -> Finding {
        Finding(
            .unreached,
            "the fault \(fault.value.id) acted after the transfer was complete",
            lines: [fault.line]
        )
    }

    /// Whether every transfer was complete before a fault acted on its connection.
    private func isTooLate(_ fault: Timed<FaultReport>) -> Bool {
        guard fault.value.isClosing, let id = fault.value.connection, !transfers.isEmpty,
            transfers.allSatisfy(\.isComplete)
        else {
            return false
        }
        let exchanges = transcript.exchanges.filter { $0.id.connection == id }
        guard !exchanges.isEmpty else { return false }
        let isIdle = exchanges.allSatisfy {
            $0.isAnswered && $0.endedNanoseconds ?? .max <= fault.atNanoseconds
        }
        let isLast = transcript.exchanges.allSatisfy { $0.beganNanoseconds <= fault.atNanoseconds }
        return isIdle && isLast
    }

    /// Whether the command did what it had to, and said so.
    func findDishonesty() -> [Finding] {
        guard let exitCode else { return [] }
        var findings: [Finding] = []
        if exitCode != 0, !isTimedOut, evidence.mustSucceed {
            findings.append(Finding(.giveup, "the command failed with \(exitCode)"))
        }
        if exitCode != 0, evidence.leftCompleteFile {
            findings.append(
                Finding(.dishonest, "the command failed and left a file that looks complete")
            )
        }
        return findings
    }
}
