internal import Basics
internal import ResumableClient
internal import Transfers

/// What a person sees of one transfer while it runs: a bar, or a line.
struct TransferDisplay {
    let name: String
    let isUpload: Bool
    private(set) var statistics = TransferStatistics()
    private var meter = RateMeter()
    private(set) var condition = Condition.moving
    private(set) var isEnded = false

    /// What it is doing.
    enum Condition: Hashable, Sendable {
        case moving
        case waiting(PathWait)
        /// Another attempt follows.
        case pausing(String)
    }

    init(_ description: TransferDescription) {
        isUpload = description.isUpload
        name = String(description.file.split(separator: "/").last ?? "-")
    }

    mutating func add(_ record: TransferRecord, at now: Instant) {
        statistics.add(record)
        switch record {
        case .event(.progress):
            meter.add(statistics.moved, at: now)
            move()
        case .event(.waiting(let wait)): condition = .waiting(wait)
        case .event(.retrying(let delay, let failure)):
            condition = .pausing(
                "\(failure); again in \(Figures.time(delay))"
            )
        case .event(.resumed): condition = .moving
        case .request: move()
        case .ended: isEnded = true
        default: break
        }
    }

    /// Only `resumed` ends a wait: attempts may be made during it.
    private mutating func move() {
        if case .waiting = condition { return }
        condition = .moving
    }

    /// How much of the object is there, as people count: uploads count what the server confirmed or
    /// what was sent, whichever is further.
    var position: UInt64 { max(statistics.progress.position, statistics.progress.acknowledged) }

    /// The line for now, at most so wide.
    func line(at now: Instant, width: Int, hasBar: Bool, usesUnicode: Bool) -> String {
        var parts = figures(at: now)
        if case .waiting(let wait) = condition { parts = [amount, WaitText.words(wait)] }
        if case .pausing(let text) = condition { parts = [amount, text] }
        let tail = parts.joined(separator: "  ")
        guard hasBar, let expected = statistics.progress.expected else {
            return TextLayout.clip("\(name)  \(tail)", to: width)
        }
        let room = width - name.count - tail.count - 4
        guard room >= 8 else { return TextLayout.clip("\(name)  \(tail)", to: width) }
        let bar = Self.bar(position, of: expected, width: min(room, 40), usesUnicode: usesUnicode)
        return "\(name)  \(bar)  \(tail)"
    }

    private func figures(at now: Instant) -> [String] {
        var parts = [amount]
        let rate = meter.bytesPerSecond(at: now)
        if let rate { parts.append("\(Figures.bytes(rate))/s") }
        if let rate, rate > 0, let expected = statistics.progress.expected, expected > position {
            let left = (expected - position).multipliedFullWidth(by: 1_000_000_000)
            if left.high < rate {
                let time = Duration.nanoseconds(clamping: rate.dividingFullWidth(left).quotient)
                parts.append("\(Figures.clock(time)) left")
            }
        }
        if statistics.attempts > 1 { parts.append("attempt \(statistics.attempts)") }
        if statistics.repeated > 0 { parts.append("\(Figures.bytes(statistics.repeated)) again") }
        return parts
    }

    private var amount: String {
        guard let expected = statistics.progress.expected else { return Figures.bytes(position) }
        let share = expected > 0 ? min(Double(position) / Double(expected), 1) : 1
        return "\(Int(share * 100)) %  \(Figures.bytes(position)) of \(Figures.bytes(expected))"
    }

    static func bar(
        _ position: UInt64,
        of expected: UInt64,
        width: Int,
        usesUnicode: Bool
    ) -> String {
        let share = expected > 0 ? min(Double(position) / Double(expected), 1) : 1
        let filled = Int(share * Double(width))
        let (full, empty) = usesUnicode ? ("█", "░") : ("#", ".")
        return String(repeating: full, count: filled)
            + String(repeating: empty, count: width - filled)
    }
}

/// What a transfer waits for, in words.
enum WaitText {
    static func words(_ wait: PathWait) -> String {
        switch wait {
        case .unsatisfied: "waiting for a network path"
        case .constrained: "waiting: this path saves data (--no-constrained)"
        case .expensive: "waiting: this path costs money (--no-expensive)"
        case .discretionary: "waiting for a cheap, unconstrained path and power (--discretionary)"
        case .turn: "waiting for its turn (--discretionary)"
        case .earliestBegin: "waiting for the time of --not-before"
        }
    }
}
