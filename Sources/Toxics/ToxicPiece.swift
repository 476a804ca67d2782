internal import Basics

/// What goes from one stage of a chain to the next, in order.
enum ToxicContent: Hashable, Sendable {
    case bytes(Int)
    /// Bytes that a stage took away; they go along, so that they are counted in their place.
    case dropped(Int)
    /// The sender has ended its side.
    case end
    /// This toxic closes the connection after what came before.
    case close(by: UInt64)
    /// The connection is reset at once; overtakes everything.
    case reset(by: UInt64)
}

/// Content that leaves a stage.
struct ToxicPassage: Hashable, Sendable {
    var content: ToxicContent
    /// The time from which delays are counted; a delay that was served moves it on.
    var stamp: Instant
    /// When it left.
    var at: Instant
}

/// A queue that keeps its memory small: space of removed elements is reclaimed now and then.
struct PieceQueue<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var count: Int { elements.count - head }

    /// The oldest element; the queue must not be empty.
    var first: Element {
        get { elements[head] }
        set { elements[head] = newValue }
    }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func removeFirst() -> Element {
        precondition(!isEmpty, "an empty queue has no first element")
        let element = elements[head]
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: elements.capacity <= 64)
            head = 0
        } else if head >= 64, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Changes every element.
    mutating func update(_ change: (inout Element) -> Void) {
        for index in head..<elements.count { change(&elements[index]) }
    }
}

extension Instant {
    /// So many units later, or `never` if that is beyond all time.
    func after(_ count: Int64, each unit: Duration) -> Instant {
        let (span, isTooLong) = count.multipliedReportingOverflow(by: unit.nanoseconds)
        let (sum, isTooLate) = nanoseconds.addingReportingOverflow(span)
        return isTooLong || isTooLate ? .never : Instant(nanoseconds: sum)
    }
}

extension Int64 {
    /// The nearest number from −2⁴⁰ to 2⁴⁰, so that sums and times do not overflow; a time of 2⁴⁰ ms
    /// is 35 years.
    var bounded: Int64 { Swift.min(Swift.max(self, -(1 << 40)), 1 << 40) }

    static let nanosecondsPerMillisecond: Int64 = 1_000_000
}
