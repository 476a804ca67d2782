internal import Libuv

/// One thing to try: a schedule of faults.
package struct Point: Hashable, Sendable {
    /// In order of their address.
    package let faults: [PlannedFault]

    package init(_ faults: [PlannedFault]) { self.faults = faults.sorted() }

    /// Reads a schedule line; the seed and the base do not belong to the point.
    ///
    /// Nil for a form that this search does not make.
    package init?(parsing schedule: String) {
        var items = schedule.split(separator: ";", omittingEmptySubsequences: false)
        guard items.first == "lc1" else { return nil }
        items.removeFirst()
        items.removeAll { $0.hasPrefix("seed=") || $0.hasPrefix("base=") }
        let faults = items.compactMap { PlannedFault(parsing: $0) }
        guard faults.count == items.count else { return nil }
        self.init(faults)
    }

    /// No faults at all.
    package static let quiet = Point([])

    /// The line that repeats this point.
    package var schedule: String { (["lc1"] + faults.map(\.text)).joined(separator: ";") }

    /// SHA-256 of the schedule: the same wherever and whenever the point is made.
    package var identity: PointIdentity {
        PointIdentity(digest: SHA256.digest(Array(schedule.utf8)))
    }

    /// Whether the client cannot get through, so that an honest failure is right.
    package var isPermanent: Bool { faults.contains { $0.isPermanent } }

    /// Where this point acts, without offsets; what a finding names as its place.
    package var position: String {
        faults.map(\.place.message).joined(separator: " + ")
    }
}

/// What a point is known by: a SHA-256 digest.
package struct PointIdentity: Hashable, Sendable {
    private let digest: [UInt8]

    init(digest: [UInt8]) { self.digest = digest }

    /// Lower-case hexadecimal.
    package var text: String { Hexadecimal.text(digest) }

    /// The number modulo a count, for sharding.
    package func remainder(modulo count: UInt64) -> UInt64 {
        digest.reduce(0) { remainder, byte in
            // Kept below 2⁶⁴ for every count of 56 bits.
            (remainder << 8 | UInt64(byte)) % count
        }
    }
}

/// Bytes as lower-case hexadecimal digits.
enum Hexadecimal {
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
