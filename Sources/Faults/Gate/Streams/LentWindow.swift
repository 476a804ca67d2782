/// What a receiver has room for (RFC 9113 §6.9), and what its sender was given beyond that.
///
/// What waits here takes none of the receiver's room, but the sender has paid for it: without a loan, a
/// stream that a fault holds would keep the others from the connection's window. What was lent is paid
/// back out of the receiver's updates, so that in the end neither side has gained or lost any.
struct LentWindow: Hashable {
    /// Smaller loans are not worth a frame.
    static let leastLoan = 8_192

    /// At first of this size (RFC 9113 §6.9.2).
    static let initialSize = 65_535

    /// What the receiver accepts; negative once it has shrunk its window.
    var room: Int
    private(set) var lent = 0

    init(room: Int = initialSize) { self.room = room }

    /// What may go to the receiver; without a loan, the sender itself observes that.
    var limit: Int { lent > 0 ? max(0, room) : .max }

    /// Lends up to as much as waits, if that is much or the sender has little left.
    ///
    /// - Parameters:
    ///   - waiting: what is to be lent for.
    ///   - surplus: how much more was announced to the sender than by its receiver.
    /// - Returns: what is to be announced to the sender, 0 for nothing.
    mutating func lend(upTo waiting: Int, surplus: Int = 0) -> Int {
        let missing = waiting - lent
        guard missing > 0 else { return 0 }
        let left = room + surplus - missing
        guard missing >= Self.leastLoan || left < Self.leastLoan else { return 0 }
        lent += missing
        return missing
    }

    /// Notes content that a fault adds: the room that its receiver makes is not the sender's.
    mutating func owe(_ count: Int) { lent += count }

    /// Repays, out of `count`, a loan that waiting bytes no longer cover.
    ///
    /// - Returns: what is left for the sender.
    mutating func repay(_ count: Int, waiting: Int) -> Int {
        let paid = min(count, max(0, lent - waiting))
        lent -= paid
        return count - paid
    }
}
