import Journal
import LinkEngine
import Basics
import LinkProfile
import SystemIO
import Proxy
import Testing

@testable import Commands

@Suite struct LiveFrameTests {
    private func description(upstream: Endpoint? = nil) throws -> RunDescription {
        var profile = Profile(name: "lte")
        profile.link.down.capacity = .rate(try #require(BitRate(bitsPerSecond: 50_000_000)))
        profile.link.down.delay = .milliseconds(50)
        return RunDescription(
            profile: profile,
            seed: 7,
            faults: [],
            routes: [.init(listen: .tcp(host: "127.0.0.1", port: 8123), upstream: upstream)],
            reproduction: "linkcond --profile lte --seed 7"
        )
    }

    private func snapshot(connections: Int, bytes: UInt64) -> ProxySnapshot {
        var snapshot = ProxySnapshot()
        snapshot.down.bytes = bytes
        snapshot.down.queuedPackets = 12
        snapshot.down.queuedBytes = 18_000
        snapshot.openConnections = connections
        snapshot.totalConnections = UInt64(connections) + 1
        snapshot.connections = (0..<UInt32(connections)).map { ordinal in
            ProxySnapshot.Connection(
                id: ConnectionID(ordinal: ordinal + 1),
                ordinal: ordinal,
                client: .loopback(port: 50_000),
                state: ordinal == 1 ? .stalled : .open,
                upBytes: 92,
                downBytes: bytes
            )
        }
        return snapshot
    }

    private func lines(
        _ state: LiveState,
        columns: Int,
        rows: Int,
        upstream: Endpoint? = nil
    ) throws -> [String] {
        let frame = LiveFrame(
            state: state,
            description: try description(upstream: upstream),
            size: TerminalSize(columns: columns, rows: rows),
            usesUnicode: true,
            status: nil
        )
        return frame.lines().map {
            $0.rendered(limit: .max, style: TextStyle(isColoured: false))
        }
    }

    private func busyState(connections: Int) -> LiveState {
        var state = LiveState()
        for sample in 1...100 {
            state.take(
                snapshot(connections: connections, bytes: UInt64(sample) * 1_000_000),
                at: .milliseconds(Int64(sample) * 250)
            )
        }
        for number in 1...20 { state.add("fault c\(number):down+1=rst fired on c\(number)") }
        return state
    }

    /// What was printed before the view is not to be seen while it is there.
    @Test func `it says where the page is, or the control API`() throws {
        var description = try description()
        description.control = "http://127.0.0.1:9001"
        description.controlToken = "secret"
        for page in [nil, "http://127.0.0.1:9001/#t=secret"] {
            description.page = page
            let frame = LiveFrame(
                state: LiveState(),
                description: description,
                size: TerminalSize(columns: 100, rows: 30),
                usesUnicode: true,
                status: nil
            )
            let lines = frame.lines().map {
                $0.rendered(limit: .max, style: TextStyle(isColoured: false))
            }
            let line = page.map { "ui \($0)" } ?? "control http://127.0.0.1:9001 token secret"
            #expect(lines[2] == line)
        }
    }

    @Test(arguments: [40, 60, 80, 120, 200], [10, 20, 24, 50])
    func `a frame fills the screen and no more`(columns: Int, rows: Int) throws {
        let lines = try lines(busyState(connections: 40), columns: columns, rows: rows)
        #expect(lines.count == rows)
        for line in lines where line != lines.last {
            #expect(line.count <= columns, "\(line)")
        }
    }

    @Test func `the header and both directions say what is now`() throws {
        let lines = try lines(busyState(connections: 2), columns: 100, rows: 24)
        #expect(lines[0].hasPrefix("linkcond  lte  seed 7"))
        #expect(lines[0].hasSuffix("2 open, 3 total  0:25"))
        let down = try #require(lines.first { $0.hasPrefix("down") })
        #expect(down.contains("32.0 Mbit/s"))
        // 50 ms, and 18,000 bytes at 50 Mbit/s before it.
        #expect(down.contains("queue 18.0 kB") && down.contains("delay 52.9 ms"))
        #expect(lines.contains { $0.hasPrefix("c2") && $0.contains("stalled") })
    }

    @Test(arguments: [40, 60, 120])
    func `of several proxies the header names the one that is shown`(columns: Int) throws {
        func lines(_ proxy: ShownProxy?) throws -> [String] {
            var frame = LiveFrame(
                state: busyState(connections: 2),
                description: try description(),
                proxy: proxy,
                size: TerminalSize(columns: columns, rows: 24),
                usesUnicode: true,
                status: nil
            )
            frame.quitting = ""
            return frame.lines().map {
                $0.rendered(limit: .max, style: TextStyle(isColoured: false))
            }
        }
        let names = ["default", "api"]
        let second = try lines(ShownProxy("api", among: names))
        #expect(second[1].hasPrefix("proxy api  2 of 2"), "\(second[1])")
        #expect(second[2].hasPrefix("127.0.0.1:8123"))
        #expect(second.count == 24)
        let closed = try lines(ShownProxy("api", among: names, isEnabled: false))
        #expect(closed[1].contains("listens no more"), "\(closed[1])")
        let long = String(repeating: "n", count: 64)
        let clipped = try lines(ShownProxy(long, among: [long, "b"], isEnabled: false))
        #expect(clipped[1].count <= columns, "\(clipped[1])")
        // The others are named as far as there is room.
        #expect(second[1].contains("beside default") == (columns >= 60), "\(second[1])")
        let crowd = try lines(ShownProxy("p1", among: (1...64).map { "p\($0)" }))
        #expect(crowd[1].count == columns && crowd[1].hasSuffix("x: the next"), "\(crowd[1])")
        #expect(columns < 60 || crowd[1].contains("beside p2, p3"), "\(crowd[1])")
        // One alone needs no name, and no key for the next.
        let alone = try lines(ShownProxy("default", among: ["default"]))
        #expect(alone[1].hasPrefix("127.0.0.1:8123") && !(alone.last?.contains("x next") ?? true))
    }

    @Test func `a tall screen draws rates under their ceiling, and the queue`() throws {
        let lines = try lines(busyState(connections: 2), columns: 100, rows: 40)
        #expect(lines.contains { $0.contains("50.0 Mbit/s┤") && $0.contains("ceiling") })
        #expect(lines.contains { $0.contains("queue 18.0 kB┤") })
        // 32 of 50 Mbit/s on four lines: the third from below is partly full, the highest empty.
        let top = try #require(lines.firstIndex { $0.contains("50.0 Mbit/s┤") })
        #expect(lines[top + 1].hasSuffix("▄▄▄▄") && lines[top + 3].hasSuffix("████"))
        #expect(!lines[top].contains("█"))
    }

    @Test func `far below the ceiling the scale follows the rate`() {
        var state = LiveState()
        for sample in 1...20 {
            state.take(
                snapshot(connections: 0, bytes: UInt64(sample) * 1_000),
                at: .milliseconds(Int64(sample) * 250)
            )
        }
        let graph = RateGraph(
            flow: state.down,
            ceiling: 50_000_000,
            width: 80,
            rows: 3,
            usesUnicode: true
        )
        let text = graph.lines(.down).map {
            $0.rendered(limit: .max, style: TextStyle(isColoured: false))
        }
        #expect(text[0].contains("32.0 kbit/s┤") && !text[0].contains("ceiling"), "\(text)")
    }

    /// A graph of ten samples at the first rate and twenty at the second, eight lines high.
    private func graph(_ before: UInt64, _ now: UInt64, ceiling: UInt64) -> [String] {
        var state = LiveState()
        var bytes: UInt64 = 0
        for sample in 1...30 {
            bytes += (sample <= 10 ? before : now) / 32
            state.take(
                snapshot(connections: 0, bytes: bytes),
                at: .milliseconds(Int64(sample) * 250)
            )
        }
        let graph = RateGraph(
            flow: state.down,
            ceiling: ceiling,
            width: 80,
            rows: 8,
            usesUnicode: true
        )
        return graph.lines(.down).map {
            $0.rendered(limit: .max, style: TextStyle(isColoured: false))
        }
    }

    @Test func `rates of a faster profile keep their height under a lower ceiling`() {
        let text = graph(48_000_000, 2_000_000, ceiling: 4_000_000)
        #expect(text[0].contains("48.0 Mbit/s┤"), "\(text)")
        // Ten columns reach the top; the current ones stay in the lowest line, where the ceiling is.
        #expect(
            text[0].hasSuffix(String(repeating: "█", count: 10) + String(repeating: " ", count: 20))
        )
        #expect(text[7].contains("┄ ceiling 4.00 Mbit/s █"), "\(text)")
        #expect(!text.dropLast(2).contains { $0.hasSuffix("▁") })
        let middle = graph(48_000_000, 2_000_000, ceiling: 24_000_000)
        let line = middle.first { $0.contains("ceiling") } ?? ""
        #expect(line.contains("ceiling 24.0 Mbit/s ██████████┄┄┄┄"), "\(middle)")
    }

    @Test func `a rate just above the ceiling changes no scale`() {
        let text = graph(4_200_000, 4_000_000, ceiling: 4_000_000)
        #expect(text[0].contains("4.00 Mbit/s┤") && text[0].contains("ceiling"), "\(text)")
    }

    @Test func `a late sample that is made up for changes no scale`() {
        var state = LiveState()
        for (sample, bytes) in [1, 2, 2, 4, 5].enumerated() {
            state.take(
                snapshot(connections: 0, bytes: UInt64(bytes) * 125_000),
                at: .milliseconds(Int64(sample + 1) * 250)
            )
        }
        #expect(state.down.history.max() == 8_000_000)
        let graph = RateGraph(
            flow: state.down,
            ceiling: 4_000_000,
            width: 80,
            rows: 8,
            usesUnicode: true
        )
        let text = graph.lines(.down).map {
            $0.rendered(limit: .max, style: TextStyle(isColoured: false))
        }
        #expect(text[0].contains("4.00 Mbit/s┤┄") && text[0].contains("ceiling"), "\(text)")
    }

    @Test func `the chosen connection is marked and kept in sight, and the footer says so`() throws
    {
        var controls = LiveControls()
        let state = busyState(connections: 40)
        let names = state.connections(room: .max).map(\.name)
        for _ in 0..<31 { _ = controls.press(.down, connections: names) }
        var frame = LiveFrame(
            state: state,
            description: try description(),
            size: TerminalSize(columns: 80, rows: 24),
            usesUnicode: true,
            status: nil
        )
        frame.controls = controls
        let lines = frame.lines().map {
            $0.rendered(limit: .max, style: TextStyle(isColoured: false))
        }
        let chosen = try #require(controls.chosen)
        #expect(lines.contains { $0.hasPrefix("> \(chosen) ") })
        #expect(lines.contains { $0.contains("act on \(chosen)") })
        #expect(lines.count == 24)
    }

    @Test(arguments: [60, 80, 100, 140])
    func `the footer drops no key that works`(columns: Int) throws {
        let text = try lines(busyState(connections: 2), columns: columns, rows: 24)
            .suffix(3).joined(separator: "  ")
        for binding in LiveCommand.bindings where binding.key != "x" {
            #expect(text.contains("\(binding.key) \(binding.short)"), "\(binding.key)")
        }
        #expect(text.contains("? help") && text.contains("q quit"))
    }

    @Test func `only the latest events stay`() throws {
        let lines = try lines(busyState(connections: 0), columns: 80, rows: 24)
        #expect(lines.filter { $0.contains("fired") }.count == 6)
        #expect(lines.contains { $0.contains("c20:down") })
        #expect(!lines.contains { $0.contains("c14:down") })
    }

    @Test(arguments: [40, 60, 80, 120])
    func `connections under a fault are shown first, in full, and the others are counted`(
        columns: Int
    ) throws {
        var state = LiveState()
        var snapshot = snapshot(connections: 40, bytes: 5_000)
        snapshot.connections[2].state = .slowed
        snapshot.connections[3].state = .silent
        state.take(snapshot, at: .seconds(1))
        // Then one of the oldest goes on, the others do nothing for a while.
        snapshot.connections[4].downBytes += 1_000
        state.take(snapshot, at: .seconds(9))
        let lines = try lines(state, columns: columns, rows: 17)
        let first = try #require(lines.firstIndex { $0.hasPrefix("c2 ") })
        #expect(lines[first].contains("stalled"))
        #expect(lines[first + 1].hasPrefix("c3 ") && lines[first + 1].contains("slowed"))
        #expect(lines[first + 2].hasPrefix("c4 ") && lines[first + 2].contains("silent"))
        #expect(lines[first + 3].hasPrefix("c5 ") && lines[first + 3].contains(" open "))
        #expect(lines[first + 3].contains("6.00 kB") && lines[first + 3].hasSuffix("0:08"))
        let rows = lines.count { $0.hasPrefix("c") }
        #expect(lines.contains("... and \(40 - rows) more open, not shown"))
    }

    @Test func `a flipped bit is seen on its connection`() throws {
        var state = LiveState()
        state.add(
            FaultReport(
                connection: ConnectionID(ordinal: 1),
                id: "c1:down+5=corrupt",
                address: "down+5",
                effect: "corrupt",
                state: .fired,
                offset: 5
            )
        )
        state.take(snapshot(connections: 3, bytes: 9), at: .nanoseconds(1))
        let lines = try lines(state, columns: 60, rows: 20)
        #expect(lines.contains { $0.hasPrefix("c1 ") && $0.contains("corrupted") })
        #expect(lines.contains { $0.hasPrefix("c3 ") && $0.contains("open") })
    }

    @Test func `an event is shown whole where the screen is narrow`() throws {
        var state = LiveState()
        state.add("fault c2:down+2000000=rst fired on c2 at byte 2,000,000")
        let lines = try lines(state, columns: 60, rows: 20)
        let first = try #require(lines.firstIndex { $0.contains("fault c2") })
        let text = lines[first...(first + 1)].joined(separator: " ").split(separator: " ")
        #expect(text.joined(separator: " ").hasSuffix("fired on c2 at byte 2,000,000"))
    }

    @Test func `a small screen shows a connection at least, and counts the others`() throws {
        for rows in 15...24 {
            let lines = try lines(busyState(connections: 3), columns: 60, rows: rows)
            let shown = lines.count { $0.firstMatch(of: #/^c\d+ +127/#) != nil }
            #expect(shown > 0 && lines.count == rows, "\(lines)")
            let rest = lines.count { $0.hasPrefix("... and \(3 - shown) more open") }
            #expect(rest == (shown < 3 ? 1 : 0), "\(lines)")
        }
    }

    @Test func `before anybody connects it says what to type`() throws {
        let alone = try lines(LiveState(), columns: 80, rows: 24)
        #expect(alone.contains("  curl -o /dev/null http://127.0.0.1:8123/bytes/1000000"))
        let upstream = Endpoint.tcp(host: "::1", port: 80)
        let other = try lines(LiveState(), columns: 80, rows: 24, upstream: upstream)
        #expect(other.contains("127.0.0.1:8123 → [::1]:80"))
        #expect(other.contains("Connect your client to 127.0.0.1:8123."))
    }

    @Test func `control characters never reach the terminal`() {
        let line = StyledLine("a\u{1B}[2Jb\nc")
        #expect(
            line.rendered(limit: 80, style: TextStyle(isColoured: true)) == #"a\u001b[2Jb\u000ac"#
        )
        let marks = StyledLine("\u{202E}a\u{2066}b\r\u{9B}1m\u{85}\u{2028}")
        let shown = #"\u202ea\u2066b\u000d\u009b1m\u0085\u2028"#
        #expect(marks.rendered(limit: 80, style: TextStyle(isColoured: true)) == shown)
        #expect(marks.width == shown.count)
    }

    @Test func `a line is cut by what is seen, not by its escape codes`() {
        var line = StyledLine("abc", .down)
        line.add("defgh")
        let text = line.rendered(limit: 5, style: TextStyle(isColoured: true))
        #expect(text == "\u{1B}[36mabc\u{1B}[0md…")
    }
}
