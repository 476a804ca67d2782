internal import Glibc

/// How many descriptors this process may have open.
package enum DescriptorLimit {
    /// Raises the soft limit to the hard one and answers what holds then.
    package static func raise() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return 1_024
        }
        if limit.rlim_cur < limit.rlim_max {
            let soft = limit.rlim_cur
            limit.rlim_cur = limit.rlim_max
            if unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 {
                limit.rlim_cur = soft
            }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
