import Testing

@testable import Commands

@Suite struct LiveControlsTests {
    private func press(_ text: String, _ controls: inout LiveControls) -> [LiveCommand] {
        LiveKey.read(Array(text.utf8)).compactMap { controls.press($0) }
    }

    @Test func `bytes of a terminal become keys`() {
        #expect(LiveKey.read(Array("c\u{1B}[A\u{1B}OB".utf8)) == [.character(0x63), .up, .down])
        #expect(LiveKey.read([0x1B]) == [.escape])
        #expect(LiveKey.read([0x1B, 0x1B]) == [.escape, .escape])
        #expect(LiveKey.read([0x0D, 0x7F, 0x10, 0x0E]) == [.enter, .backspace, .up, .down])
        // Keys without a meaning, and what is no key at all.
        #expect(LiveKey.read(Array("\u{1B}[1;5C\u{1B}[3~ä\u{1}".utf8)).isEmpty)
        #expect(LiveKey.read(Array("\u{1B}[".utf8)).isEmpty)
    }

    @Test func `each key of the view does one thing`() {
        var controls = LiveControls()
        let commands = press(" csromxq", &controls)
        #expect(commands == [.pause, .cut, .stall, .refuse, .outage, .mark, .nextProxy, .quit])
        #expect(controls.mode == .view)
    }

    @Test func `every key that is shown does something`() {
        for binding in LiveCommand.bindings {
            var controls = LiveControls()
            let before = controls
            let key = binding.key == "space" ? " " : binding.key
            #expect(!press(key, &controls).isEmpty || controls != before, "\(binding.key)")
        }
    }

    @Test func `text for a filter cuts nothing`() {
        var controls = LiveControls()
        #expect(press("/cut q", &controls).isEmpty)
        #expect(controls.filter == "cut q" && controls.mode == .filter)
        #expect(press("\u{7F}\u{7F}\r", &controls).isEmpty)
        #expect(controls.filter == "cut" && controls.mode == .view)
        #expect(press("c", &controls) == [.cut])
        #expect(press("\u{1B}", &controls).isEmpty)
        #expect(controls.filter.isEmpty)
        _ = press("/" + String(repeating: "x", count: 500), &controls)
        #expect(controls.filter.count == 64)
    }

    @Test func `arrows choose a connection, and Escape gives it up before the filter`() {
        var controls = LiveControls()
        let names = ["c1", "c2", "c3"]
        func press(_ key: LiveKey) { _ = controls.press(key, connections: names) }
        #expect(controls.target(among: names) == .all)
        press(.down)
        press(.down)
        #expect(controls.chosen == "c2" && controls.target(among: names) == .these(["c2"]))
        press(.down)
        press(.down)
        #expect(controls.chosen == "c3")
        press(.up)
        #expect(controls.chosen == "c2")
        // One that has ended is no reason to act on others.
        #expect(controls.target(among: ["c1", "c3"]) == .these([]))
        for key in LiveKey.read(Array("/c\r".utf8)) { press(key) }
        #expect(controls.filter == "c")
        press(.escape)
        #expect(controls.chosen == nil && controls.target(among: names) == .these(names))
        press(.escape)
        #expect(controls.filter.isEmpty && controls.target(among: names) == .all)
        press(.up)
        #expect(controls.chosen == "c3")
    }

    @Test func `a profile is found by what it is like, too`() {
        let profiles = [
            LiveProfile(name: "lte", group: "Cellular", figures: "50M/10Mbit/s, 115 ms"),
            LiveProfile(name: "starlink", group: "Satellite", summary: "a low orbit"),
        ]
        var controls = LiveControls()
        controls.offer(profiles: profiles, current: "lte")
        #expect(press("satel orbit\r", &controls) == [.profile("starlink")])
        controls.offer(profiles: profiles, current: "starlink")
        #expect(press("50m\r", &controls) == [.profile("lte")])
    }

    @Test func `help goes away with any key, and q leaves from it`() {
        var controls = LiveControls()
        #expect(press("?", &controls).isEmpty && controls.mode == .help)
        #expect(press("c", &controls).isEmpty && controls.mode == .view)
        #expect(press("?q", &controls) == [.quit])
    }

    @Test func `a profile is found by typing and by arrows`() {
        let names = ["none", "edge", "lte", "lte-train", "wifi"].map { LiveProfile(name: $0) }
        var controls = LiveControls()
        #expect(press("p", &controls) == [.listProfiles])
        controls.offer(profiles: names, current: "lte")
        // Nothing but Enter was pressed: as it was.
        #expect(press("\r", &controls) == [.profile("lte")])
        controls.offer(profiles: names, current: "none")
        #expect(press("LTE\u{1B}[B\r", &controls) == [.profile("lte-train")])
        controls.offer(profiles: names, current: "none")
        #expect(press("\u{1B}[A\u{1B}[B\u{1B}[B\r", &controls) == [.profile("lte")])
        controls.offer(profiles: names, current: "none")
        #expect(press("zzz\r", &controls).isEmpty && controls.mode == .view)
        controls.offer(profiles: names, current: "none")
        #expect(press("q\u{7F}\u{1B}", &controls).isEmpty && controls.mode == .view)
    }
}
