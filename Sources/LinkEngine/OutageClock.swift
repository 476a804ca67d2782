internal import Basics

/// Tells whether a direction is in an outage at a time, and until when.
///
/// Asked with rising times it is O(1) amortized; times never fall within one direction.
struct OutageClock {
    private let outages: Outages
    private let lengths: AddressedRandom.Series
    /// The current or next window.
    private var begin: Instant
    private var end: Instant
    /// How many windows came before it.
    private var passed = 0

    /// Windows count from `origin`, when the settings took effect.
    init(outages: Outages, random: AddressedRandom, direction: Direction, origin: Instant) {
        self.outages = outages
        lengths = random.series(key: 0, direction: direction, stage: .outageLength)
        self.origin = origin
        begin = .never
        end = .never
        if case .random = outages.schedule { end = origin }
        load()
    }

    private let origin: Instant

    /// The end of the outage that covers `time`, or nil.
    mutating func outageEnd(at time: Instant) -> Instant? {
        while end <= time, begin != .never {
            passed += 1
            load()
        }
        return begin <= time ? end : nil
    }

    /// The start of the current or next outage, for displays.
    var nextOutage: (begin: Instant, end: Instant)? { begin == .never ? nil : (begin, end) }

    private mutating func load() {
        switch outages.schedule {
        case .never:
            begin = .never
        case .windows(let windows, let period):
            loadWindow(windows, period)
        case .random(let meanUp, let meanDown):
            let index = UInt64(passed) * 2
            begin = end + length(meanUp, index)
            end = begin + length(meanDown, index + 1)
        }
    }

    private mutating func loadWindow(_ windows: [Outages.Window], _ period: Duration?) {
        let round = windows.isEmpty ? 0 : passed / windows.count
        guard !windows.isEmpty, round == 0 || period != nil else {
            begin = .never
            return
        }
        let window = windows[passed % windows.count]
        begin = origin + window.at + (period ?? .zero) * Int64(round)
        end = begin + window.length
    }

    /// At least a microsecond, so that time always advances.
    private func length(_ mean: Duration, _ index: UInt64) -> Duration {
        max(
            QuantileTable.exponential.value(draw: lengths.bits(at: index), scale: mean),
            .microseconds(1)
        )
    }
}
