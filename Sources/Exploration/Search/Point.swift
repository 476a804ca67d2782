internal import Basics
package import Faults
internal import SystemIO

/// One thing to try: a schedule of faults.
package struct Point: Hashable, Sendable {
    /// In order of their address.
    package let faults: [Fault]

    package init(_ faults: [Fault]) { self.faults = faults.sorted() }

    /// Reads a schedule line; the seed and the base do not belong to the point.
    package init(parsing schedule: String) throws(ScheduleError) {
        self.init(try FaultSchedule(parsing: schedule).faults)
    }

    /// No faults at all.
    package static let quiet = Point([])

    /// The line that repeats this point.
    package var schedule: String { FaultSchedule(faults: faults).canonicalText }

    /// SHA-256 of the schedule: the same wherever and whenever the point is made.
    package var identity: PointIdentity {
        PointIdentity(digest: SHA256.digest(Array(schedule.utf8)))
    }

    /// Whether the client cannot get through, so that an honest failure is right.
    package var isPermanent: Bool { faults.contains { $0.isPermanent } }

    /// Whether a client that keeps retrying must succeed, because a few attempts outlast every fault; if
    /// not, an honest failure is right.
    var canBeOutlasted: Bool { faults.count <= 2 && faults.allSatisfy(\.passes) }

    /// Whether it is right to wait without end.
    var asksForEver: Bool { faults.contains(where: \.asksForEver) }

    /// The faults of a run after this one in the same world: what the server has become stays.
    var later: Point {
        Point(
            faults.compactMap { fault in
                guard case .object(let path, _) = fault.address.target else { return nil }
                return fault.moved(to: FaultAddress(.object(path, .one(1)), fault.address.anchor))
            }
        )
    }

    /// What the run after this one has, as in `without faults`.
    var laterWords: String {
        let faults = later.faults.map(\.canonicalText)
        return faults.isEmpty ? "without faults" : "with only \(faults.joined(separator: ";"))"
    }

    /// Where this point acts, without offsets; what a finding names as its place.
    package var position: String {
        faults.map(\.address.message).joined(separator: " + ")
    }
}

/// What a point is known by: a SHA-256 digest.
package struct PointIdentity: Hashable, Sendable {
    private let digest: [UInt8]

    init(digest: [UInt8]) { self.digest = digest }

    /// Lower-case hexadecimal.
    package var text: String { HexadecimalText.encode(digest) }

    /// The number modulo a count, for sharding.
    package func remainder(modulo count: UInt64) -> UInt64 {
        digest.reduce(0) { remainder, byte in
            // Kept below 2⁶⁴ for every count of 56 bits.
            (remainder << 8 | UInt64(byte)) % count
        }
    }
}
