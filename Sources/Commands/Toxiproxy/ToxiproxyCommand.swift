internal import Arguments
internal import ToxiproxyCompatibility

/// `linkcond toxiproxy`: from options to a run.
struct ToxiproxyCommand {
    let console: Console

    func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        if invocation.has("version") {
            try console.write([
                "toxiproxy-server version \(ToxiproxyAPI.version) (linkcond \(Version.number))"
            ])
            return .success
        }
        return try ToxiproxyRun(ToxiproxyOptions(invocation), console: console).runToEnd()
    }
}
