internal import Arguments
internal import Basics
internal import LinkEngine
internal import LinkProfile
internal import Proxy
internal import SystemIO

/// The lines of the live view, for a screen of any size.
struct LiveFrame {
    let state: LiveState
    let description: RunDescription
    /// Which of several proxies it is; nil if there is but one.
    var proxy: ShownProxy?
    var controls = LiveControls()
    let size: TerminalSize
    let usesUnicode: Bool
    /// What is going on besides, such as draining.
    let status: String?
    /// What `q` does.
    var quitting = "quit; twice: at once"

    private var width: Int { size.columns }

    /// At most as many lines as the screen has.
    func lines() -> [StyledLine] {
        var lines = header() + [StyledLine()]
        lines += flow("down", .down) + flow("up", .up)
        switch controls.mode {
        case .view, .filter:
            let events = eventLines()
            let fixed = lines.count + events.count + 1
            lines += table(rows: size.rows - fixed - 1 - footer.count)
            lines += events
        case .help: lines += helpLines()
        case .profiles(let choice): lines += choiceLines(choice, rows: size.rows - lines.count - 4)
        }
        let footer = footer
        let room = max(0, size.rows - footer.count)
        while lines.count < room { lines.append(StyledLine()) }
        return Array(lines.prefix(room)) + footer
    }

    /// The same without a screen around it: all connections that are known, and no keys.
    func plainLines() -> [StyledLine] {
        header() + flow("down", .down) + flow("up", .up)
            + table(rows: state.connections.count + 1) + eventLines()
    }

    // MARK: Header

    private func header() -> [StyledLine] {
        var first = StyledLine(CommandSet.program, .heading)
        first.add("  \(description.profile.name)  seed \(description.seed)")
        if state.isPaused { first.add("  paused", .warning) }
        if state.isOut { first.add("  outage", .warning) }
        let clock = Figures.clock(state.elapsed)
        let counts = (open: state.openConnections, total: state.totalConnections)
        let long = "\(counts.open) open, \(counts.total) total  \(clock)"
        let short = "\(counts.open)/\(counts.total)  \(clock)"
        first.addRight(first.width + long.count < width ? long : short, endingAt: width)
        let arrow = usesUnicode ? "→" : "->"
        return [first] + proxyLine
            + description.routes.prefix(3).map {
                StyledLine("\($0.listen) \(arrow) \($0.upstreamText)", .faint)
            } + description.controlLines.suffix(1).map { StyledLine($0, .faint) }
    }

    private var proxyLine: [StyledLine] {
        guard let proxy else { return [] }
        var line = StyledLine("proxy ")
        line.add(TextLayout.clip(proxy.name, to: max(8, width - 36)), .heading)
        line.add("  \(proxy.place) of \(proxy.names.count)")
        if !proxy.isEnabled { line.add("  listens no more", .warning) }
        let hint = "x: the next"
        let room = width - line.width - hint.count - 6
        if room >= 12 {
            let others = proxy.names.filter { $0 != proxy.name }.joined(separator: ", ")
            line.add(TextLayout.clip("  beside \(others)", to: room), .faint)
        }
        line.addRight(hint, endingAt: width, .faint)
        return [line]
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
        if graphRows > 0 {
            line.add(figures)
            let graph = RateGraph(
                flow: flow,
                ceiling: Self.ceiling(path),
                width: width,
                rows: graphRows,
                usesUnicode: usesUnicode
            )
            return [line] + graph.lines(role)
        }
        guard width >= 70 else {
            line.add(spark(flow, path, columns: max(0, min(40, width - line.width - 1))), role)
            return [line, StyledLine("      " + figures, .faint)]
        }
        line.add(spark(flow, path, columns: min(60, width - line.width - 51)), role)
        line.add("  " + figures)
        return [line]
    }

    /// Lines of each direction's graph; none where connections need the room.
    private var graphRows: Int {
        width >= 70 && size.rows < 1_000 ? max(0, min(8, (size.rows - 22) / 4)) : 0
    }

    private static func ceiling(_ path: PathSettings) -> UInt64? {
        if case .rate(let rate) = path.capacity { rate.bitsPerSecond } else { nil }
    }

    private func figures(of flow: LiveState.Flow, _ path: PathSettings) -> String {
        let delay = LiveState.delayNow(path, queuedBytes: flow.queuedBytes)
        let wait = delay == .zero ? "0" : Figures.time(delay)
        let bytes = TextLayout.padLeft(Figures.bytes(flow.bytes), to: 9)
        let queue = flow.queuedBytes == 0 ? "0" : Figures.bytes(UInt64(max(0, flow.queuedBytes)))
        guard width >= 50 else { return "q \(queue)  \(wait) \(bytes)" }
        return TextLayout.pad("queue \(queue)", to: 15)
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
        let all = state.connections(room: .max, matching: controls.filter)
        let isFiltered = !controls.filter.isEmpty
        let open = isFiltered ? all.count : max(state.openConnections, all.count)
        // Where there is room for one line only, a connection is worth more than the head.
        let hasHead = rows > 1 || open <= rows
        // What does not fit is counted in a line of its own.
        let room = open > rows && hasHead ? rows - 1 : rows
        let shown = state.connections(
            room: room,
            matching: controls.filter,
            with: controls.chosen
        )
        let columns = ConnectionColumns(
            width: width,
            connections: shown,
            chosen: controls.chosen
        )
        var lines = [StyledLine()] + (hasHead ? [columns.head] : []) + shown.map { columns.row($0) }
        if open > shown.count {
            lines.append(StyledLine("... and \(open - shown.count) more open, not shown", .faint))
        } else if isFiltered, shown.isEmpty {
            lines.append(StyledLine("no connection with '\(controls.filter)'", .faint))
        }
        return lines
    }

    /// What to do as long as nobody connects.
    private func hint() -> [StyledLine] {
        guard state.totalConnections == 0 else { return [] }
        guard let curl = description.curl else {
            return description.routes.prefix(1).map {
                StyledLine("Connect your client to \($0.listen).")
            }
        }
        return [
            StyledLine("A test server answers. In another terminal, try:"), StyledLine("  " + curl),
        ]
    }

    // MARK: Keys

    private var footer: [StyledLine] {
        if let status { return [StyledLine(status, .warning)] }
        switch controls.mode {
        case .view: return aim + keyLines.map { StyledLine($0, .faint) }
        case .help: return [StyledLine("any key: back  q quit", .faint)]
        case .filter: return [StyledLine("filter: \(controls.filter)_  (Enter, Esc)", .warning)]
        case .profiles: return [StyledLine("type, up, down, Enter; Esc: keep current", .faint)]
        }
    }

    /// What actions are for, if not for all.
    private var aim: [StyledLine] {
        let names = state.connections(room: .max, matching: controls.filter).map(\.name)
        switch controls.target(among: names) {
        case .all: return []
        case .these(let names):
            let words =
                if let chosen = controls.chosen {
                    names.isEmpty ? "\(chosen) has ended" : "space, c and s act on \(chosen)"
                } else {
                    "filter: \(controls.filter); space, c and s act on \(names.count) open"
                }
            return [StyledLine(TextLayout.clip("\(words)  (Esc: on all)", to: width), .warning)]
        }
    }

    /// Every key that works, on as many lines as that takes.
    private var keyLines: [String] {
        let parts =
            LiveCommand.bindings.filter { proxy != nil || $0.key != "x" }
            .map { "\($0.key) \($0.short)" } + ["↑↓ choose", "? help", "q quit"]
        var lines = [""]
        for part in parts.map({ usesUnicode ? $0 : $0.replacing("↑↓", with: "up, down") }) {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = part
            } else if last.count + 2 + part.count <= width {
                lines[lines.count - 1] += "  " + part
            } else {
                lines.append(part)
            }
        }
        // On a small screen connections matter more, and `?` tells the rest.
        guard lines.count > max(1, size.rows / 12) else { return lines }
        return ["? help  q quit"]
    }

    private func helpLines() -> [StyledLine] {
        let rows =
            LiveCommand.bindings + [
                .init(key: "arrows", short: "", meaning: "choose a connection; Esc: none"),
                .init(key: "q", short: "quit", meaning: quitting),
            ]
        return [StyledLine(), StyledLine("Keys", .heading)]
            + rows.map {
                StyledLine(
                    TextLayout.clip("  \(TextLayout.pad($0.key, to: 8))\($0.meaning)", to: width)
                )
            } + [
                StyledLine(),
                StyledLine(
                    TextLayout.clip(
                        "  space, c and s act on the chosen connection, or else on the filtered ones",
                        to: width
                    )
                ),
            ]
    }

    private func choiceLines(_ choice: ProfileChoice, rows: Int) -> [StyledLine] {
        let matches = choice.matches
        var head = StyledLine("Profile", .heading)
        head.add(choice.typed.isEmpty ? "" : ": \(choice.typed)_")
        head.addRight("\(matches.count) of \(choice.profiles.count)", endingAt: width, .faint)
        guard !matches.isEmpty else {
            return [StyledLine(), head, StyledLine("  none has this in it", .faint)]
        }
        let list = ProfileList(choice: choice, width: width).lines
        // The selected one stays in the middle where there is not room for all.
        let room = max(1, rows)
        let place = list.firstIndex { $0.isSelected } ?? 0
        let first = max(0, min(place - room / 2, list.count - room))
        return [StyledLine(), head]
            + list[first..<min(list.count, first + room)].map(\.line)
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
        let clock = Figures.clock(event.at)
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
