internal import Arguments
internal import HTTPWire
internal import SystemIO
internal import Transfers

/// `linkcond download` and `linkcond upload`: from options to a run.
struct TransferCommand {
    let console: Console

    func download(_ invocation: Invocation) throws(Failure) -> ExitCode {
        try run(try TransferOptions.downloads(invocation))
    }

    func upload(_ invocation: Invocation) throws(Failure) -> ExitCode {
        try run(try TransferOptions.upload(invocation))
    }

    private func run(_ options: TransferOptions) throws(Failure) -> ExitCode {
        for job in options.jobs where job.description.connection.isUnverified {
            console.log(
                "--insecure: the certificate of \(job.description.address.text) is not verified"
            )
        }
        try checkPaths(options)
        if options.isBackground { return try startInBackground(options) }
        return try TransferRun(options, console: console).runToEnd()
    }

    /// What can never say anything would be waited for in vain.
    private func checkPaths(_ options: TransferOptions) throws(Failure) {
        for source in Set(options.jobs.compactMap(\.description.pathSource)).sorted() {
            do throws(PathSourceError) {
                try PathWatcher.check(source)
            } catch {
                let code: ExitCode =
                    switch error.kind {
                    case .missing: .inputMissing
                    case .silent: .unavailable
                    case .malformed: .configuration
                    }
                throw Failure(code, "--path: \(error)")
            }
        }
    }

    private func startInBackground(_ options: TransferOptions) throws(Failure) -> ExitCode {
        guard options.identifier == nil || options.jobs.count == 1 else {
            throw Failure(.usage, "--id names one transfer, and there are several URLs")
        }
        let start = BackgroundStart(console: console)
        for job in options.jobs { _ = try start.start(job, identifier: options.identifier) }
        return .success
    }
}
