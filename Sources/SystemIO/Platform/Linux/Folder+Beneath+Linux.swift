internal import CLibrary
internal import CLibuv

// Names are looked up by openat2(2), which holds a path below a folder also while others rename
// things. Where the kernel has no such call (before 5.6) or a sandbox forbids it, the same is done
// step by step.

extension Folder {
    func openBeneath(
        _ path: String,
        flags: CInt,
        permissions: UInt32
    ) throws(SystemError) -> CInt {
        try SystemError.checkPath(path)
        // EAGAIN: something was renamed while `..` was looked up; the kernel asks us to try again.
        for _ in 0..<16 {
            let found = unsafe linkcond_openat2(
                descriptor,
                path,
                flags,
                flags & O_CREAT == 0 ? 0 : permissions,
                UInt64(LINKCOND_OPEN_BENEATH)
            )
            if found >= 0 { return found }
            switch errno {
            case EAGAIN, EINTR: continue
            case ENOSYS, EPERM:
                return try openStepwise(path, flags: flags, permissions: permissions)
            default: throw .last
            }
        }
        return try openStepwise(path, flags: flags, permissions: permissions)
    }
}

extension StepwiseLookup {
    /// A folder on the way need not be readable.
    static var lookupFlags: CInt { CInt(LINKCOND_OPEN_PATH) }
}
