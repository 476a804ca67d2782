/// A first-in first-out buffer whose elements keep their position number for life.
///
/// Positions rise for ever: `first` is the oldest element's, `end` the next one's. Appending is
/// amortized O(1); memory follows the largest count and is kept.
struct Ring<Element> {
    private var storage: ContiguousArray<Element>
    private let filler: Element
    private(set) var first = 0
    private(set) var end = 0

    /// Makes an empty ring; `filler` occupies unused places.
    init(filler: Element) {
        self.filler = filler
        storage = []
    }

    var count: Int { end - first }
    var isEmpty: Bool { first == end }

    subscript(position: Int) -> Element {
        get { storage[position & (storage.count - 1)] }
        _modify { yield &storage[position & (storage.count - 1)] }
    }

    mutating func append(_ element: Element) {
        if count == storage.count { grow() }
        storage[end & (storage.count - 1)] = element
        end += 1
    }

    /// Removes the oldest element; the ring must not be empty.
    mutating func removeFirst() -> Element {
        precondition(first < end, "an empty ring has no first element")
        let element = self[first]
        first += 1
        return element
    }

    mutating func removeAll() {
        first = end
    }

    private mutating func grow() {
        let size = max(8, storage.count * 2)
        var larger = ContiguousArray(repeating: filler, count: size)
        for position in first..<end { larger[position & (size - 1)] = self[position] }
        storage = larger
    }
}
