internal import LinkEngine
internal import LinkProfile
internal import Libuv
internal import Proxy

/// The lines of the live view, for a screen of any size.
struct LiveFrame {
    let state: LiveState
    let description: RunDescription
    let size: TerminalSize
    let usesUnicode: Bool
    /// What is going on besides, such as draining.
    let status: String?

    private var width: Int { size.columns }

    private static let keys =
        "space pause  c cut  s stall 5 s  r refuse next  m mark  q quit (twice: at once)"

    /// At most as many lines as the screen has.
    func lines() -> [StyledLine] {
        var lines = header() + [StyledLine()]
        lines += flow("down", .down) + flow("up", .up)
        let footer = StyledLine(status ?? Self.keys, status == nil ? .faint : .warning)
        let events = eventLines()
        let fixed = lines.count + events.count + 1
        lines += table(rows: size.rows - fixed - 2)
        lines += events
        while lines.count < size.rows - 1 { lines.append(StyledLine()) }
        return Array(lines.prefix(max(0, size.rows - 1))) + [footer]
    }

    // MARK: Header

    private func header() -> [StyledLine] {
        var first = StyledLine(CommandTable.program, .heading)
        first.add("  \(description.profile.name)  seed \(description.seed)")
        let clock = Figures.clock(nanoseconds: state.elapsedNanoseconds)
        let counts = (open: state.openConnections, total: state.totalConnections)
        let long = "\(counts.open) open, \(counts.total) total  \(clock)"
        let short = "\(counts.open)/\(counts.total)  \(clock)"
        first.addRight(first.width + long.count < width ? long : short, endingAt: width)
        let arrow = usesUnicode ? "→" : "->"
        return [first]
            + description.routes.prefix(3).map {
                StyledLine("\($0.listen) \(arrow) \($0.upstreamText)", .faint)
            }
    }

    // MARK: Directions

    /// One line for a direction where there is room, else two.
    private func flow(_ name: String, _ direction: Direction) -> [StyledLine] {
        let flow = direction == .down ? state.down : state.up
        let path = description.profile.link[direction]
        let role: TextStyle.Role = direction == .down ? .down : .up
        var line = StyledLine(TextLayout.pad(name, to: 5), role)
        line.add(TextLayout.padLeft(Figures.rate(bitsPerSecond: flow.bitsPerSecond), to: 12) + " ")
        let figures = figures(of: flow, path)
        guard width >= 70 else {
            line.add(spark(flow, path, columns: max(0, min(40, width - line.width - 1))), role)
            return [line, StyledLine("      " + figures, .faint)]
        }
        line.add(spark(flow, path, columns: min(60, width - line.width - 47)), role)
        line.add("  " + figures)
        return [line]
    }

    private func figures(of flow: LiveState.Flow, _ path: PathSettings) -> String {
        let delay = LiveState.delayNow(path, queuedBytes: flow.queuedBytes)
        let wait = delay == .zero ? "0" : Figures.time(delay)
        let bytes = TextLayout.padLeft(Figures.bytes(flow.bytes), to: 9)
        guard width >= 50 else { return "q \(flow.queuedPackets)  \(wait) \(bytes)" }
        return TextLayout.pad("queue \(flow.queuedPackets)", to: 11)
            + TextLayout.pad("delay \(wait)", to: 15) + bytes
    }

    private func spark(_ flow: LiveState.Flow, _ path: PathSettings, columns: Int) -> String {
        var top: UInt64 = 1
        if case .rate(let rate) = path.capacity { top = rate.bitsPerSecond }
        let values = flow.history.suffix(max(0, columns))
        let line = Plot.sparkline(Array(values), top: top, usesUnicode: usesUnicode)
        return TextLayout.padLeft(line, to: max(0, columns))
    }

    // MARK: Connections

    private func table(rows: Int) -> [StyledLine] {
        guard rows > 0 else { return [] }
        guard !state.connections.isEmpty else { return [StyledLine()] + hint() }
        let open = max(state.openConnections, state.connections.count)
        // What does not fit is counted in a line of its own.
        let shown = state.connections(room: open > rows ? rows - 1 : rows)
        let names = max(5, (shown.map(\.name.count).max() ?? 0) + 2)
        var lines = [StyledLine(), tableHead(names)] + shown.map { row($0, names) }
        if open > shown.count {
            lines.append(StyledLine("... and \(open - shown.count) more open, not shown", .faint))
        }
        return lines
    }

    private var showsClient: Bool { width >= 58 }

    /// What the other columns leave for the client's address.
    private func clientWidth(_ names: Int) -> Int { width - names - 35 }

    private func tableHead(_ names: Int) -> StyledLine {
        var text = TextLayout.pad("", to: names)
        if showsClient { text += TextLayout.pad("client", to: clientWidth(names)) }
        text += TextLayout.pad("state", to: 10)
        for (name, width) in [("down", 9), ("up", 9), ("age", 7)] {
            text += TextLayout.padLeft(name, to: width)
        }
        return StyledLine(text, .faint)
    }

    private func row(_ connection: LiveState.Connection, _ names: Int) -> StyledLine {
        var line = StyledLine(TextLayout.pad(connection.name, to: names))
        if showsClient {
            let client = TextLayout.clip(connection.client, to: clientWidth(names) - 1)
            line.add(TextLayout.pad(client, to: clientWidth(names)))
        }
        let role: TextStyle.Role? = connection.state == "open" ? nil : .warning
        line.add(TextLayout.pad(connection.state, to: 10), role)
        line.add(TextLayout.padLeft(Figures.bytes(connection.downBytes), to: 9))
        line.add(TextLayout.padLeft(Figures.bytes(connection.upBytes), to: 9))
        line.add(
            TextLayout.padLeft(Figures.clock(nanoseconds: connection.ageNanoseconds), to: 7)
        )
        return line
    }

    /// What to do as long as nobody connects.
    private func hint() -> [StyledLine] {
        guard state.totalConnections == 0 else { return [] }
        guard let curl = description.curl else {
            return [StyledLine("Connect your client to \(description.routes[0].listen).")]
        }
        return [
            StyledLine("A test server answers. In another terminal, try:"), StyledLine("  " + curl),
        ]
    }

    // MARK: Events

    /// The latest events, each of them whole, over as many lines as it takes.
    private func eventLines() -> [StyledLine] {
        guard !state.events.isEmpty else { return [] }
        let room = max(2, min(LiveState.eventLimit, size.rows / 4))
        var shown: [StyledLine] = []
        for event in state.events.reversed() {
            let lines = lines(of: event)
            if !shown.isEmpty && shown.count + lines.count > room { break }
            shown = lines + shown
        }
        return [StyledLine()] + shown
    }

    private func lines(of event: LiveState.Event) -> [StyledLine] {
        let clock = Figures.clock(nanoseconds: event.atNanoseconds)
        let margin = 9
        let role: TextStyle.Role? = event.text.hasPrefix("fault") ? .warning : nil
        return TextLayout.wrap(event.text, width: max(20, width - margin)).enumerated().map {
            number,
            text in
            var line = StyledLine(
                TextLayout.pad(number == 0 ? TextLayout.padLeft(clock, to: 7) : "", to: margin),
                .faint
            )
            line.add(text, role)
            return line
        }
    }
}
