internal import LinkEngine

/// The faults at bytes of one direction of a connection, and how far its bytes have passed.
///
/// Counts bytes and never sees them. A fault is due as soon as its offset was passed, without a
/// further byte: at offset 0 before the first one, at the last byte before the stream's end. Only
/// `corrupt` needs the byte that it flips, and a place in a TLS record the content of that.
struct ByteFaults: Hashable, Sendable {
    /// Bytes passed so far.
    private(set) var position: UInt64 = 0
    private var faults: [ArmedFault] { didSet { findNext() } }
    private var nextIndex = 0 { didSet { findNext() } }
    /// Where the next fault acts; asked for at every byte that comes.
    private var nextOffset: UInt64?
    /// Whether a fault waits that ends the connection.
    private(set) var hasEnding = false

    /// - Parameter faults: of one direction, in the order in which they act.
    init(_ faults: [ArmedFault]) {
        precondition(
            zip(faults, faults.dropFirst()).allSatisfy { !ArmedFault.actsBefore($1, $0) },
            "faults in the order in which they act"
        )
        self.faults = faults
        findNext()
    }

    /// The faults that have not acted.
    var waiting: ArraySlice<ArmedFault> { faults[nextIndex...] }

    /// How many bytes may pass before the next fault acts; nil if none is left.
    var unobstructed: UInt64? { nextOffset.map { $0 - position } }

    /// Whether a fault that ends the connection acts now.
    var isEndingDue: Bool {
        hasEnding && nextOffset == position
            && waiting.contains {
                $0.byteOffset == position && $0.endsBothDirections && !$0.needsByte
            }
    }

    /// Starts after bytes that have passed without a gate; no fault is armed.
    mutating func begin(at position: UInt64) {
        precondition(faults.isEmpty && self.position == 0, "a gate that is not in use")
        self.position = position
    }

    /// Adds a fault; false if its place is passed.
    mutating func arm(_ fault: ArmedFault) -> Bool {
        guard let offset = fault.byteOffset, offset >= position else { return false }
        let place = waiting.firstIndex { ArmedFault.actsBefore(fault, $0) } ?? faults.endIndex
        faults.insert(fault, at: place)
        return true
    }

    /// Removes a fault that has not acted; false if there is none.
    mutating func disarm(_ id: String) -> Bool {
        guard let place = waiting.firstIndex(where: { $0.id == id }) else { return false }
        faults.remove(at: place)
        return true
    }

    /// Takes out the fault that acts now.
    ///
    /// - Parameter available: bytes that wait.
    /// - Returns: nil if none does.
    mutating func next(available: Int) -> ArmedFault? {
        guard nextOffset == position, available > 0 || !faults[nextIndex].needsByte else {
            return nil
        }
        defer { nextIndex += 1 }
        return faults[nextIndex]
    }

    /// Counts bytes that pass; no fault acts before the last of them has.
    mutating func pass(_ count: Int) {
        precondition(unobstructed.map { $0 >= UInt64(count) } ?? true, "a fault acts before that")
        position += UInt64(count)
    }

    private mutating func findNext() {
        nextOffset = nextIndex < faults.count ? faults[nextIndex].byteOffset : nil
        hasEnding = waiting.contains(where: \.endsBothDirections)
    }
}
