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

    /// At most as many lines as the screen has.
    func lines() -> [StyledLine] {
        var lines = header() + [StyledLine()]
        lines += flow("down", .down) + flow("up", .up)
        let footer = StyledLine(status ?? "q quit", status == nil ? .faint : .warning)
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
        let shown = state.connections.suffix(rows)
        var lines = [StyledLine(), tableHead()] + shown.map { row($0) }
        let hidden = max(state.openConnections, state.connections.count) - shown.count
        if hidden > 0 {
            lines[lines.count - shown.count] =
                StyledLine("      ... and \(hidden + 1) more", .faint)
        }
        return lines
    }

    private var showsClient: Bool { width >= 60 }
    private var showsState: Bool { width >= 78 }
    private var clientWidth: Int { width - (showsState ? 48 : 37) }

    private func tableHead() -> StyledLine {
        var text = TextLayout.pad("", to: 6)
        if showsClient { text += TextLayout.pad("client", to: clientWidth) }
        if showsState { text += TextLayout.pad("state", to: 11) }
        for (name, width) in [("down", 10), ("up", 11), ("age", 9)] {
            text += TextLayout.padLeft(name, to: width)
        }
        return StyledLine(text, .faint)
    }

    private func row(_ connection: LiveState.Connection) -> StyledLine {
        var line = StyledLine(TextLayout.pad(connection.name, to: 6))
        if showsClient {
            let client = TextLayout.clip(connection.client, to: clientWidth - 1)
            line.add(TextLayout.pad(client, to: clientWidth))
        }
        let isOpen = connection.state == "open"
        if showsState {
            line.add(TextLayout.pad(connection.state, to: 11), isOpen ? nil : .warning)
        }
        line.add(TextLayout.padLeft(Figures.bytes(connection.downBytes), to: 10))
        line.add(TextLayout.padLeft(Figures.bytes(connection.upBytes), to: 11))
        line.add(
            TextLayout.padLeft(Figures.clock(nanoseconds: connection.ageNanoseconds), to: 9)
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

    private func eventLines() -> [StyledLine] {
        guard !state.events.isEmpty else { return [] }
        let room = max(1, min(LiveState.eventLimit, size.rows / 3))
        return [StyledLine()]
            + state.events.suffix(room).map { event in
                var line = StyledLine(
                    TextLayout.padLeft(Figures.clock(nanoseconds: event.atNanoseconds), to: 7)
                        + "  ",
                    .faint
                )
                line.add(event.text, event.text.hasPrefix("fault") ? .warning : nil)
                return line
            }
    }
}
