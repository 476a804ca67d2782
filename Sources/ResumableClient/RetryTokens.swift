/// Tokens that all transfers to one authority share, so that many of them do not storm one server.
///
/// Each retry takes a token; success, or progress after a resume, gives one back. Belongs to one
/// thread and is handed to every machine.
package final class RetryTokens {
    package static let capacity = 20

    /// What was taken and not given back; an authority without an entry has all its tokens.
    private var taken: [String: Int] = [:]

    package init() {}

    /// How many tokens this authority has left.
    package func left(_ authority: String) -> Int { Self.capacity - taken[authority, default: 0] }

    /// Takes a token; false if there is none.
    package func take(_ authority: String) -> Bool {
        guard left(authority) > 0 else { return false }
        taken[authority, default: 0] += 1
        return true
    }

    /// Gives one token back; a full bucket stays full.
    package func giveBack(_ authority: String) {
        guard let count = taken[authority] else { return }
        taken[authority] = count > 1 ? count - 1 : nil
    }
}
