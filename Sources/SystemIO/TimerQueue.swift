package import Basics

/// Many precise time limits kept by one timer of the kernel.
///
/// A cancelled alarm stays in the heap until it comes up or until most of the heap is cancelled, so
/// that setting and cancelling one for every connection costs no system call.
package final class TimerQueue {
    /// Names one alarm until it fires.
    package struct Token: Hashable, Sendable {
        fileprivate let number: UInt64

        /// Names nothing.
        package static let none = Token(number: 0)
    }

    private struct Entry {
        let time: Instant
        let number: UInt64
        let action: () -> Void

        static func < (a: Entry, b: Entry) -> Bool { (a.time, a.number) < (b.time, b.number) }
    }

    private let loop: EventLoop
    private var timer: PreciseTimer?
    /// A binary heap, the earliest first.
    private var heap: [Entry] = []
    private var waiting: Set<UInt64> = []
    private var nextNumber: UInt64 = 1
    private var armedFor = Instant.never

    package init(loop: EventLoop) throws(SystemError) {
        self.loop = loop
        timer = try PreciseTimer(loop: loop) { [weak self] in self?.fire() }
    }

    /// How many will fire.
    package var count: Int { waiting.count }

    /// Runs `action` once when the loop's clock reaches `time`; equal times in the order in which they
    /// were set.
    package func set(at time: Instant, action: @escaping () -> Void) -> Token {
        let entry = Entry(time: time, number: nextNumber, action: action)
        nextNumber += 1
        waiting.insert(entry.number)
        heap.append(entry)
        siftUp(heap.count - 1)
        arm()
        return Token(number: entry.number)
    }

    /// Runs `action` once, when `span` has passed.
    package func set(after span: Duration, action: @escaping () -> Void) -> Token {
        set(at: loop.now.later(by: span), action: action)
    }

    /// Forgets an alarm; does nothing for one that has fired.
    package func cancel(_ token: Token) {
        guard waiting.remove(token.number) != nil else { return }
        // The action may hold what the caller wants to end, so do not keep too many.
        if heap.count > 64, waiting.count * 2 < heap.count { rebuild() }
    }

    package func close() {
        timer?.close()
        timer = nil
        heap.removeAll()
        waiting.removeAll()
    }

    private func fire() {
        armedFor = .never
        let now = loop.now
        while let first = heap.first, first.time <= now {
            removeFirst()
            if waiting.remove(first.number) != nil { first.action() }
        }
        arm()
    }

    private func arm() {
        guard let first = heap.first, first.time < armedFor else { return }
        armedFor = first.time
        timer?.fire(at: first.time)
    }

    private func rebuild() {
        heap = heap.filter { waiting.contains($0.number) }.sorted { $0 < $1 }
    }

    private func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < heap.count else { return }
            let right = left + 1
            let child = right < heap.count && heap[right] < heap[left] ? right : left
            guard heap[child] < heap[parent] else { return }
            heap.swapAt(child, parent)
            parent = child
        }
    }

    private func siftUp(_ start: Int) {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child] < heap[parent] else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }
}
