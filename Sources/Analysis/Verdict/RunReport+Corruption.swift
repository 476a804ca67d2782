internal import Journal

extension RunReport {
    /// Whether a fault changed bytes of a transfer on their way: all of them may have arrived, but not
    /// as they were sent.
    package func isCorrupted(_ transfer: Transfer) -> Bool {
        transcript.faults.contains { fault in
            fault.value.isFired && fault.value.effectName == "corrupt"
                && transfer.attempts.contains { $0.line == attempt(hitBy: fault)?.line }
        }
    }

    /// The attempt that was on its way when a fault acted.
    private func attempt(hitBy fault: Timed<FaultReport>) -> Attempt? {
        let attempts = transfers.flatMap(\.attempts).filter { $0.line <= fault.line }
        return attempts.filter { attempt in
            guard attempt.connection == fault.value.connection else { return false }
            return fault.value.request == nil || attempt.exchange?.ordinal == fault.value.request
        }
        .max { $0.line < $1.line }
    }
}
