/// A list that is filled and emptied again and again: emptying it keeps the places.
struct Scratch<Element> {
    private var storage: ContiguousArray<Element> = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    subscript(index: Int) -> Element {
        @inline(__always) _read {
            precondition(index < count, "a list ends at its count")
            yield storage[index]
        }
        @inline(__always) _modify {
            precondition(index < count, "a list ends at its count")
            yield &storage[index]
        }
    }

    mutating func append(_ element: Element) {
        if count < storage.count { storage[count] = element } else { storage.append(element) }
        count += 1
    }

    mutating func removeAll() { count = 0 }
}
