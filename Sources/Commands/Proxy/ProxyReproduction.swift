internal import Arguments

/// The command line that does again what a run of the proxy did: what bears on the result.
struct ProxyReproduction {
    private let network: [String]
    private let addresses: [String]

    init(_ invocation: Invocation) {
        network = invocation.words(["profile", "set", "route"])
        addresses =
            invocation.words(
                OptionSpecification.upstreamNames + [
                    "listen", "tls", "tls-cert", "tls-key", "allow", "login", "via", "proxies",
                ] + LookupOptions.names
            )
            + ["hints", "forward", "socks", "allow-all-hosts", LookupOptions.flag]
            .filter(invocation.has).map { "--\($0)" }
    }

    /// - Parameters:
    ///   - faults: beside those of the profile, as text.
    ///   - seed: of the run.
    /// - Returns: words as a shell reads them back.
    func line(faults: [String], seed: UInt64) -> String {
        let words = [CommandSet.program] + network + faults.flatMap { ["--fault", $0] }
        return ShellText.line(words + addresses + ["--seed", String(seed)])
    }
}
