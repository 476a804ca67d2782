internal import Arguments

/// The command line that does again what a run of the proxy did: what bears on the result.
struct ProxyReproduction {
    private let network: [String]
    private let others: [String]

    init(_ invocation: Invocation) {
        network = invocation.wordsBearingOnResult { $0.group == .link }
        others = invocation.wordsBearingOnResult { $0.group != .link }
    }

    /// - Parameters:
    ///   - faults: beside those of the profile, as text.
    ///   - seed: of the run.
    /// - Returns: words as a shell reads them back.
    func line(faults: [String], seed: UInt64) -> String {
        let words = [CommandSet.program] + network + faults.flatMap { ["--fault", $0] }
        return ShellText.line(words + others + ["--seed", String(seed)])
    }
}
