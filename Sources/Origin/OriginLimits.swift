/// How much the origin takes, and what happens beyond.
package struct OriginLimits: Hashable, Sendable {
    /// Connections at once; more wait in the kernel's backlog.
    package var connections = 4_096
    /// Uploads that are not complete; a creation beyond gets 503 with `Retry-After`.
    package var openUploads = 10_000
    /// Bytes of all uploads that are kept, finished or not; more gets 507; nil: as the disk has.
    package var storedBytes: UInt64?
    /// Bytes of answers, and of heads and trailers of requests (431, 414).
    package var headBytes = 16_384
    /// Bytes that wait in memory to be written, of all uploads together; beyond, reading pauses.
    package var bufferedBytes = 64 << 20
    /// Ended uploads that are remembered to be answered by 410; beyond, the oldest are forgotten.
    package var rememberedUploads = 1_000
    /// Targets of plain PUTs that are remembered, so that another PUT replaces the file; twice as
    /// many at most.
    package var replaceableTargets = 5_000
    /// Seconds without a byte, in either direction; then the connection is closed (408 in a head).
    ///
    /// So long a server behind this one may work on a request, too.
    package var idleSeconds = 120
    /// Seconds for a whole request head; then 408.
    package var headSeconds = 10
    /// Commands that run for complete uploads at the same time; more wait.
    package var runningHooks = 8
    /// Bytes of a request to the origin's own API; more gets 413.
    package var controlBytes = 65_536
    /// Objects that the state lists.
    package var listedObjects = 10_000
    /// Uploads that the state lists.
    package var listedUploads = 10_000

    package init() {}
}
