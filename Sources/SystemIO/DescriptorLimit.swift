internal import CLibuv
internal import CLibrary

/// How many descriptors this process may have open.
package enum DescriptorLimit {
    /// What this process was started with, as far as it has not been looked at later.
    private static let original = current

    private static var current: rlimit? {
        var limit = rlimit()
        return unsafe linkcond_get_limit(LINKCOND_OPEN_FILES, &limit) == 0 ? limit : nil
    }

    /// Raises the soft limit to the hard one and answers what holds then.
    package static func raise() -> Int {
        guard var limit = original else { return 1_024 }
        let soft = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        if unsafe linkcond_set_file_limit(&limit) != 0 { limit.rlim_cur = soft }
        return Int(clamping: limit.rlim_cur)
    }

    /// Does something under the limit that this process was started with, for a child to inherit.
    ///
    /// Programs that close or look at every descriptor that there might be take their time with a
    /// high limit. If more are open than the old limit allows, the raised one stays.
    static func asItWas(_ body: () -> Void) {
        guard var old = original, let now = current, now.rlim_cur != old.rlim_cur,
            hasRoom(below: old.rlim_cur)
        else {
            return body()
        }
        _ = unsafe linkcond_set_file_limit(&old)
        body()
        var raised = now
        _ = unsafe linkcond_set_file_limit(&raised)
    }

    /// Whether starting a process, which takes a few descriptors, works under a limit.
    private static func hasRoom(below limit: rlim_t) -> Bool {
        let next = dup(0)
        guard next >= 0 else { return false }
        close(next)
        return next + 32 < CInt(clamping: limit)
    }
}
