internal import CLibrary

extension Folder {
    func openBeneath(
        _ path: String,
        flags: CInt,
        permissions: UInt32
    ) throws(SystemError) -> CInt {
        try SystemError.checkPath(path)
        return try openStepwise(path, flags: flags, permissions: permissions)
    }
}

extension StepwiseLookup {
    /// A folder on the way must be readable.
    static var lookupFlags: CInt { O_RDONLY }
}
