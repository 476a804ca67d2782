internal import Basics

/// The table of connections: columns for a screen's width.
struct ConnectionColumns {
    private let nameWidth: Int
    /// 0 for no such column.
    private let clientWidth: Int
    private let requestWidth: Int

    private let chosen: String?
    private static let mark = "> "

    /// Columns of state, bytes and age.
    private static let figures = 35
    /// An IPv4 address with its port.
    private static let addressWidth = 23

    /// - Parameters:
    ///   - width: of the screen, in characters.
    ///   - connections: the rows to come.
    ///   - chosen: the name of the one that is marked.
    init(width: Int, connections: [LiveState.Connection], chosen: String? = nil) {
        self.chosen = chosen
        let mark = chosen == nil ? 0 : Self.mark.count
        nameWidth = max(5, (connections.map(\.name.count).max() ?? 0) + 2) + mark
        let room = width - nameWidth - Self.figures
        let hasRequests = connections.contains { $0.request != nil }
        if hasRequests, room >= Self.addressWidth + 12 {
            clientWidth = Self.addressWidth
            requestWidth = room - Self.addressWidth
        } else if hasRequests, room >= 14 {
            // What is asked for tells more than who asks.
            clientWidth = 0
            requestWidth = room
        } else {
            clientWidth = width >= 58 ? room : 0
            requestWidth = 0
        }
    }

    var head: StyledLine {
        var text = TextLayout.pad("", to: nameWidth)
        if clientWidth > 0 { text += TextLayout.pad("client", to: clientWidth) }
        if requestWidth > 0 { text += TextLayout.pad("request", to: requestWidth) }
        text += TextLayout.pad("state", to: 10)
        for (name, width) in [("down", 9), ("up", 9), ("age", 7)] {
            text += TextLayout.padLeft(name, to: width)
        }
        return StyledLine(text, .faint)
    }

    func row(_ connection: LiveState.Connection) -> StyledLine {
        let isChosen = connection.name == chosen
        let name =
            chosen == nil ? connection.name : (isChosen ? Self.mark : "  ") + connection.name
        var line = StyledLine(TextLayout.pad(name, to: nameWidth), isChosen ? .heading : nil)
        for (text, width) in [
            (connection.client, clientWidth), (connection.request ?? "-", requestWidth),
        ] where width > 0 {
            let text = TextLayout.pad(TextLayout.clip(text, to: width - 1), to: width)
            line.add(text, isChosen ? .heading : nil)
        }
        let role: TextStyle.Role? = connection.state == "open" ? nil : .warning
        line.add(TextLayout.pad(connection.state, to: 10), role)
        line.add(TextLayout.padLeft(Figures.bytes(connection.downBytes), to: 9))
        line.add(TextLayout.padLeft(Figures.bytes(connection.upBytes), to: 9))
        line.add(
            TextLayout.padLeft(Figures.clock(connection.age), to: 7)
        )
        return line
    }
}
