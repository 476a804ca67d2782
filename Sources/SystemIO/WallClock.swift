package import Basics
internal import CLibuv
internal import CLibrary

/// The time of day, which may jump; for dates in messages and files.
///
/// For time limits use `EventLoop.now`.
@safe
package enum WallClock {
    /// Whole seconds since 1970-01-01T00:00:00Z.
    package static var secondsSince1970: Int64 { Int64(now.tv_sec) }

    /// Time since 1970-01-01T00:00:00Z.
    package static var timeSince1970: Duration {
        let time = now
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }

    private static var now: timespec {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return time
    }
}
