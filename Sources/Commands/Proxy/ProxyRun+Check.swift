internal import Arguments

// What `--dry-run` checks.
extension ProxyRun {
    /// Starts as a run does, except for what others would notice: it accepts no connection, writes
    /// no file and prints nothing.
    ///
    /// - Throws: what the start of the run would throw.
    func checkStart() throws(Failure) {
        defer { shutDown() }
        if let path = options.journalPath, path != "-" {
            try OutputPlace.checkWritable(path, "the journal")
        }
        if let path = options.readyFile { try OutputPlace.checkWritable(path, "readiness") }
        try open()
    }
}
