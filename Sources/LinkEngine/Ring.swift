/// A first-in first-out buffer whose elements keep their position number for life.
///
/// Positions rise for ever: `first` is the oldest element's, `end` the next one's. Appending is
/// amortized O(1); memory follows the largest count, and an empty ring keeps no more than
/// `mostKept` places.
struct Ring<Element> {
    private var storage: ContiguousArray<Element> = []
    /// Places less one.
    ///
    /// Kept here too, so that finding an element need not wait for the count in the storage, which
    /// may lie far from the core.
    private var mask = -1
    private(set) var first = 0
    private(set) var end = 0

    var count: Int { end - first }
    var isEmpty: Bool { first == end }

    subscript(position: Int) -> Element {
        @inline(__always) _read { yield storage[position & mask] }
        @inline(__always) _modify { yield &storage[position & mask] }
    }

    mutating func append(_ element: Element) {
        if count > mask { grow(filler: element) }
        storage[end & mask] = element
        end += 1
    }

    private static var mostKept: Int { 16_384 }

    /// Removes the oldest element; the ring must not be empty.
    mutating func removeFirst() -> Element {
        precondition(first < end, "an empty ring has no first element")
        let element = self[first]
        first += 1
        if first == end { shrink() }
        return element
    }

    /// Removes what lies before `position`.
    mutating func removeAll(before position: Int) { first = max(first, min(position, end)) }

    mutating func removeAll() {
        first = end
        shrink()
    }

    /// Gives the memory of an empty ring back if it is much.
    private mutating func shrink() {
        guard mask >= Self.mostKept else { return }
        storage = []
        mask = -1
    }

    /// Doubles the places; `filler` occupies those that are not used.
    private mutating func grow(filler: Element) {
        let size = max(8, storage.count * 2)
        var larger = ContiguousArray(repeating: filler, count: size)
        for position in first..<end { larger[position & (size - 1)] = self[position] }
        storage = larger
        mask = size - 1
    }
}
