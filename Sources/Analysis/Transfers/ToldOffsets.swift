internal import Basics

/// The greatest offset that a server had told by each time.
struct ToldOffsets {
    /// Both rise from one step to the next.
    private var steps: [(time: Instant, greatest: UInt64)] = []

    var isEmpty: Bool { steps.isEmpty }

    /// 0 if none was told.
    var greatest: UInt64 { steps.last?.greatest ?? 0 }

    func greatest(at time: Instant) -> UInt64 {
        let place = firstStep(after: time)
        return place > 0 ? steps[place - 1].greatest : 0
    }

    mutating func insert(_ offset: UInt64, at time: Instant) {
        guard isEmpty || offset > greatest(at: time) else { return }
        let place = firstStep(after: time)
        let end = steps[place...].firstIndex { $0.greatest > offset } ?? steps.endIndex
        steps.replaceSubrange(place..<end, with: [(time, offset)])
    }

    private func firstStep(after time: Instant) -> Int {
        var (low, high) = (0, steps.count)
        while low < high {
            let middle = (low + high) / 2
            if steps[middle].time <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
