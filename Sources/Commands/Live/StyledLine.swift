internal import Basics
internal import Journal

/// One line of the screen, as pieces of text in different styles.
struct StyledLine: Hashable, Sendable {
    private struct Piece: Hashable, Sendable {
        var text: String
        var role: TextStyle.Role?
    }

    private var pieces: [Piece] = []

    init() {}

    init(_ text: String, _ role: TextStyle.Role? = nil) { add(text, role) }

    /// Characters on the screen.
    var width: Int { pieces.reduce(0) { $0 + $1.text.count } }

    /// Appends text; what would move the cursor is replaced.
    mutating func add(_ text: String, _ role: TextStyle.Role? = nil) {
        pieces.append(Piece(text: PrintableText.escaped(text), role: role))
    }

    /// Appends spaces up to a column.
    mutating func pad(to column: Int) {
        if column > width { add(String(repeating: " ", count: column - width)) }
    }

    /// Appends text so that it ends at a column, if there is room for it.
    mutating func addRight(_ text: String, endingAt column: Int, _ role: TextStyle.Role? = nil) {
        guard width + text.count + 1 <= column else { return }
        pad(to: column - text.count)
        add(text, role)
    }

    /// The line with its escape codes, cut to `limit` characters on the screen.
    func rendered(limit: Int, style: TextStyle) -> String {
        var room = limit
        var result = ""
        for piece in pieces where room > 0 {
            let text = piece.text.count > room ? TextLayout.clip(piece.text, to: room) : piece.text
            room -= text.count
            result += piece.role.map { style($0, text) } ?? text
        }
        return result
    }
}
