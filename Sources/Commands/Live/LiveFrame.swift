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
            lines += table(rows: size.rows - fixed - 2)
            lines += events
        case .help: lines += helpLines()
        case .profiles(let choice): lines += choiceLines(choice, rows: size.rows - lines.count - 4)
        }
        while lines.count < size.rows - 1 { lines.append(StyledLine()) }
        return Array(lines.prefix(max(0, size.rows - 1))) + [footer]
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
        let clock = Figures.clock(nanoseconds: state.elapsedNanoseconds)
        let counts = (open: state.openConnections, total: state.totalConnections)
        let long = "\(counts.open) open, \(counts.total) total  \(clock)"
        let short = "\(counts.open)/\(counts.total)  \(clock)"
        first.addRight(first.width + long.count < width ? long : short, endingAt: width)
        let arrow = usesUnicode ? "→" : "->"
        return [first] + proxyLine
            + description.routes.prefix(3).map {
                StyledLine("\($0.listen) \(arrow) \($0.upstreamText)", .faint)
            }
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
        let all = state.connections(room: .max, matching: controls.filter)
        let isFiltered = !controls.filter.isEmpty
        let open = isFiltered ? all.count : max(state.openConnections, all.count)
        // Where there is room for one line only, a connection is worth more than the head.
        let hasHead = rows > 1 || open <= rows
        // What does not fit is counted in a line of its own.
        let room = open > rows && hasHead ? rows - 1 : rows
        let shown = state.connections(room: room, matching: controls.filter)
        let columns = ConnectionColumns(width: width, connections: shown)
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

    private var footer: StyledLine {
        if let status { return StyledLine(status, .warning) }
        switch controls.mode {
        case .view:
            return controls.filter.isEmpty
                ? StyledLine(keys(), .faint)
                : StyledLine("filter: \(controls.filter)  (Esc shows all, / changes it)", .warning)
        case .help: return StyledLine("any key: back  q quit", .faint)
        case .filter: return StyledLine("filter: \(controls.filter)_  (Enter, Esc)", .warning)
        case .profiles: return StyledLine("type, up, down, Enter; Esc: as it is", .faint)
        }
    }

    /// As many keys as there is room for, and always how to learn of the others and to leave.
    private func keys() -> String {
        let end = "? help  q quit"
        var text = ""
        for binding in LiveCommand.bindings where proxy != nil || binding.key != "x" {
            let part = "\(binding.key) \(binding.short)  "
            if text.count + part.count + end.count > width { break }
            text += part
        }
        return text + end
    }

    private func helpLines() -> [StyledLine] {
        let rows =
            LiveCommand.bindings + [
                .init(key: "q", short: "quit", meaning: quitting)
            ]
        return [StyledLine(), StyledLine("Keys", .heading)]
            + rows.map {
                StyledLine(
                    TextLayout.clip("  \(TextLayout.pad($0.key, to: 7))\($0.meaning)", to: width)
                )
            }
    }

    private func choiceLines(_ choice: ProfileChoice, rows: Int) -> [StyledLine] {
        let matches = choice.matches
        var head = StyledLine("Profile", .heading)
        head.add(choice.typed.isEmpty ? "" : ": \(choice.typed)_")
        guard !matches.isEmpty else {
            return [StyledLine(), head, StyledLine("  none is called so", .faint)]
        }
        // The selected one stays in the middle where there is not room for all.
        let room = max(1, rows)
        let first = max(0, min(choice.selected - room / 2, matches.count - room))
        let shown = matches[first..<min(matches.count, first + room)]
        return [StyledLine(), head]
            + shown.enumerated().map { index, name in
                let isSelected = first + index == choice.selected
                let now = name == choice.current ? "  (now)" : ""
                return StyledLine(
                    "\(isSelected ? ">" : " ") \(name)\(now)",
                    isSelected ? .heading : nil
                )
            }
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
