internal import Basics

/// A binary heap of wake-ups, earliest first; ties go to the lower `order`.
struct EventHeap {
    struct Entry {
        var time: Instant
        /// Connection, direction and kind: equal times have one fixed order.
        var order: UInt64
        /// What wakes up.
        var target: Int32
        /// The entry is stale if the target's own generation differs.
        var generation: UInt32

        static func < (a: Entry, b: Entry) -> Bool {
            a.time == b.time ? a.order < b.order : a.time < b.time
        }
    }

    private var entries: [Entry] = []

    var first: Entry? { entries.first }

    /// When the first entry is due.
    private(set) var next = Instant.never

    mutating func push(_ entry: Entry) {
        entries.append(entry)
        var place = entries.count - 1
        while place > 0 {
            let parent = (place - 1) / 2
            guard entry < entries[parent] else { break }
            entries[place] = entries[parent]
            place = parent
        }
        entries[place] = entry
        next = entries[0].time
    }

    mutating func popFirst() -> Entry? {
        guard let top = entries.first else { return nil }
        let last = entries.removeLast()
        if entries.isEmpty { next = .never } else { siftDown(last) }
        return top
    }

    /// Replaces the first entry, which is cheaper than a pop and a push.
    mutating func replaceFirst(with entry: Entry) { siftDown(entry) }

    private mutating func siftDown(_ entry: Entry) {
        var place = 0
        let count = entries.count
        while true {
            var child = 2 * place + 1
            guard child < count else { break }
            if child + 1 < count, entries[child + 1] < entries[child] { child += 1 }
            guard entries[child] < entry else { break }
            entries[place] = entries[child]
            place = child
        }
        entries[place] = entry
        next = entries[0].time
    }
}
