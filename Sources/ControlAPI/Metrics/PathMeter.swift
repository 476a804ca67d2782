/// Counts bytes by what the path was like when they were delivered.
///
/// It is told totals, and only when the path changes or somebody asks: moving bytes costs nothing more.
package struct PathMeter: Hashable, Sendable {
    package enum Class: String, Hashable, Sendable, CaseIterable {
        /// Neither expensive nor constrained.
        case free
        case expensive
        case constrained
        case both = "expensive-constrained"

        init(isExpensive: Bool, isConstrained: Bool) {
            self =
                switch (isExpensive, isConstrained) {
                case (false, false): .free
                case (true, false): .expensive
                case (false, true): .constrained
                case (true, true): .both
                }
        }
    }

    package struct Bytes: Hashable, Sendable {
        package var up: UInt64 = 0
        package var down: UInt64 = 0

        package init(up: UInt64 = 0, down: UInt64 = 0) {
            self.up = up
            self.down = down
        }
    }

    private var counts: [Class: Bytes] = [:]
    private var settled = Bytes()
    private var current = Class.free

    package init() {}

    package subscript(class: Class) -> Bytes { counts[`class`] ?? Bytes() }

    /// Takes the totals of now: what came since the last time came on the path as it was.
    package mutating func settle(up: UInt64, down: UInt64) {
        counts[current, default: Bytes()].up &+= up - min(up, settled.up)
        counts[current, default: Bytes()].down &+= down - min(down, settled.down)
        settled = Bytes(up: up, down: down)
    }

    /// Takes note of what the path is like from now on, and of the totals of now.
    package mutating func change(to kind: Class, up: UInt64, down: UInt64) {
        settle(up: up, down: down)
        current = kind
    }
}
