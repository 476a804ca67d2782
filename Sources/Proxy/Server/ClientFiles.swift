package import Faults

/// The files of the client in front of a proxy, if faults can act on them: those of a run.
package protocol ClientFiles: AnyObject {
    /// Removes files as a system does that needs room.
    ///
    /// - Parameter names: of the files, as paths below the run's folder.
    /// - Returns: whether there were any.
    func purge(_ names: PathGlob) -> Bool
}
