/// A queue from which many elements are taken at no more cost than few.
struct GateQueue<Element: Sendable>: Sendable {
    private var elements: [Element] = []
    /// The first element that was not taken.
    private var head = 0

    var isEmpty: Bool { head == elements.count }

    /// The oldest element; nil if there is none.
    var first: Element? { isEmpty ? nil : elements[head] }

    mutating func append(_ element: Element) { elements.append(element) }

    /// Adds an element after the last one that `precedes` it.
    mutating func insert(_ element: Element, after precedes: (Element) -> Bool) {
        let last = elements[head...].lastIndex(where: precedes)
        elements.insert(element, at: last.map { $0 + 1 } ?? head)
    }

    /// Takes the oldest element; there must be one.
    @discardableResult
    mutating func removeFirst() -> Element {
        let element = elements[head]
        head += 1
        if head == elements.count {
            removeAll()
        } else if head >= 64, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    mutating func removeAll() {
        elements.removeAll(keepingCapacity: elements.capacity <= 64)
        head = 0
    }

    /// Changes the oldest element; there must be one.
    mutating func updateFirst<Result>(_ change: (inout Element) -> Result) -> Result {
        change(&elements[head])
    }
}
