import Basics
import Faults
import LinkEngine
import LinkProfile
import Testing

/// What right profiles mean.
@Suite struct ProfileSchemaTests {
    private func rate(_ text: String) throws -> Capacity { .rate(try Quantity.bitRate(text)) }

    private func chance(_ text: String) throws -> Probability { try Quantity.probability(text) }

    @Test func `an empty mapping is a transparent profile named after its file`() throws {
        let profile = try load("{}")
        #expect(profile == Profile(name: "p"))
        #expect(profile.link.isTransparent)
        let odd = ProfileText(file: "/some/where/My Profile.yaml", bytes: Array("{}".utf8))
        #expect(try library().load(odd).name == "custom")
    }

    @Test func `settings of the link hold for both directions, those of a direction go first`()
        throws
    {
        let link = try load(
            """
            link:
              rate: 10Mbit/s
              delay: 20ms
              queue: 64KiB
              down: {rate: 1Gbit/s}
              up: {delay: 3ms, queue: auto}
            """
        ).link
        #expect(try link.down.capacity == rate("1Gbit/s"))
        #expect(try link.up.capacity == rate("10Mbit/s"))
        #expect(link.down.delay == .milliseconds(20))
        #expect(link.up.delay == .milliseconds(3))
        #expect(link.down.queue == .bytes(65_536))
        #expect(link.up.queue == .automatic)
    }

    @Test func `the halves of a round trip add up to it`() throws {
        let link = try load("link: {rtt: 80.000001ms}").link
        #expect(link.down.delay == Duration(nanoseconds: 40_000_000))
        #expect(link.up.delay == Duration(nanoseconds: 40_000_001))
    }

    @Test func `each kind of loss`() throws {
        func loss(_ text: String) throws -> LossModel {
            try load("link: {loss: \(text)}").link.up.loss
        }
        #expect(try loss("none") == .none)
        #expect(try loss("0%") == .none)
        #expect(try loss("4.77%") == .bernoulli(chance("4.77%")))
        #expect(try loss("{bernoulli: 100%}") == .bernoulli(.one))
        #expect(try loss("{burst: {loss: 0%, mean: 3packets}}") == .none)
        // L = 50 %, B = 4: r = 1/4, p = 0.5 / (4 · 0.5) = 1/4.
        let quarter = try #require(Probability(1, outOf: 4))
        #expect(
            try loss("{burst: {loss: 50%, mean: 4packets}}")
                == .gilbertElliott(GilbertElliott(goodToBad: quarter, badToGood: quarter))
        )
        // The most that bursts of 1.5 can hold is 1.5 / 2.5; then p = 1.
        let most = try loss("{burst: {loss: 60%, mean: 1.5packets}}")
        let twoThirds = try #require(Probability(2, outOf: 3))
        guard case .gilbertElliott(let chain) = most else {
            Issue.record("\(most)")
            return
        }
        #expect(chain.badToGood == twoThirds)
        #expect(chain.goodToBad == .one)
        #expect(
            try loss("{gilbert-elliott: {p: 1%, r: 25%, h: 10%, k: 99.9%}}")
                == .gilbertElliott(
                    GilbertElliott(
                        goodToBad: chance("1%"),
                        badToGood: chance("25%"),
                        lossInGood: #require(
                            Probability(
                                Probability.one.threshold - chance("99.9%").threshold,
                                outOf: Probability.one.threshold
                            )
                        ),
                        lossInBad: #require(
                            Probability(
                                Probability.one.threshold - chance("10%").threshold,
                                outOf: Probability.one.threshold
                            )
                        )
                    )
                )
        )
        #expect(
            try loss("{four-state: {p13: 1%, p31: 20%, p32: 30%, p23: 40%, p14: 0.5%}}")
                == .fourState(
                    FourState(
                        p13: chance("1%"),
                        p31: chance("20%"),
                        p32: chance("30%"),
                        p23: chance("40%"),
                        p14: chance("0.5%")
                    )
                )
        )
        #expect(try loss("{list: [3, 12, 30]}") == .list([3, 12, 30]))
        #expect(try loss("{list: []}") == .none)
    }

    @Test func `each kind of jitter`() throws {
        func jitter(_ text: String) throws -> Jitter {
            try load("link: {jitter: \(text)}").link.down.jitter
        }
        #expect(try jitter("none") == .none)
        #expect(try jitter("{normal: 0ms}") == .none)
        #expect(try jitter("{uniform: 1ms}") == .uniform(.milliseconds(1)))
        #expect(try jitter("{normal: 1.5ms}") == .normal(.microseconds(1_500)))
        #expect(try jitter("{pareto: 1us}") == .pareto(.microseconds(1)))
    }

    @Test func `each kind of outage`() throws {
        func outages(_ text: String) throws -> Outages {
            try load("link: {outages: \(text)}").link.down.outages
        }
        let windows = [
            Outages.Window(at: .zero, length: .seconds(1)),
            Outages.Window(at: .seconds(1), length: .seconds(2)),
        ]
        #expect(try outages("none") == .none)
        #expect(
            try outages("[{at: 0s, for: 1s}, {at: 1s, for: 2s}]")
                == Outages(schedule: .windows(windows, period: nil), treatment: .drop)
        )
        #expect(
            try outages(
                "{windows: [{at: 0s, for: 1s}, {at: 1s, for: 2s}], period: 3s, treatment: hold}"
            ) == Outages(schedule: .windows(windows, period: .seconds(3)), treatment: .hold)
        )
        #expect(
            try outages("{random: {up: 1min, down: 1ms}}")
                == Outages(
                    schedule: .random(meanUp: .seconds(60), meanDown: .milliseconds(1))
                )
        )
    }

    @Test func `settings of TCP, addresses, path and budget`() throws {
        let profile = try load(
            """
            link: {tcp: {behaviour: rfc, congestion: reno, handshake: no}, address: packet}
            path: {interface: wired, expensive: yes, constrained: true}
            budget: {soft: 1kB, then: 8kbit/s, hard: 2KiB, at-hard: stall}
            dns: {delay: 1.5s}
            """
        )
        #expect(profile.link.tcp.behaviour == .rfc)
        #expect(profile.link.tcp.congestionControl == .reno)
        #expect(!profile.link.tcp.handshake)
        #expect(profile.link.indexing == .packet)
        #expect(profile.path.interface == .wired)
        #expect(profile.path.isExpensive)
        #expect(profile.path.isConstrained)
        #expect(profile.budget?.softLimitBytes == 1_000)
        #expect(profile.budget?.hardLimitBytes == 2_048)
        #expect(profile.budget?.atHardLimit == .stall)
        #expect(profile.nameLookupDelay == .milliseconds(1_500))
    }

    @Test func `cross traffic`() throws {
        let shared = try load("link: {rate: 1Mbit/s, cross-traffic: {flows: 3, direction: up}}")
        #expect(shared.link.crossTraffic == CrossTraffic(flows: 3, direction: .up))
        let plain = try load("link: {down: {rate: 1Mbit/s}, cross-traffic: {flows: 1}}")
        #expect(plain.link.crossTraffic == CrossTraffic(flows: 1, direction: .down))
        // Without any, a rate is not needed.
        #expect(try load("link: {cross-traffic: {flows: 0}}").link.crossTraffic == nil)
        #expect(!plain.link.isTransparent)
    }

    @Test func `JSON text is a profile too`() throws {
        let profile = try load(
            #"{"name": "j", "link": {"down": {"rate": "1Mbit/s"}}, "confirmed": false}"#
        )
        #expect(profile.name == "j")
        #expect(try profile.link.down.capacity == rate("1Mbit/s"))
    }

    @Test func `words that YAML 1.1 takes for something else stay words`() throws {
        #expect(try load("name: no\nsummary: 1:30\nsource: 0x10").name == "no")
        #expect(try load("summary: 1:30").summary == "1:30")
        #expect(try load("summary: ~").summary == "~")
    }

    @Test func `a child changes what it names and keeps the rest, direction by direction`()
        throws
    {
        let files = [
            "./parent.yaml": """
            name: parent
            summary: of the parent
            source: a paper
            confirmed: yes
            link:
              down: {rate: 5Mbit/s, delay: 5ms, loss: 1%}
              up: {trace: {generate: poisson, rate: 1Mbit/s, length: 1s, seed: 1}, delay: 6ms}
              tcp: {congestion: reno}
            path: {interface: cellular, expensive: yes}
            budget: {soft: 1MB, then: 1kbit/s}
            faults: ["c1:down+1=rst"]
            """
        ]
        let child = try load(
            """
            extends: ./parent.yaml
            link:
              delay: 7ms
              down: {loss: none}
              up: {rate: 2Mbit/s}
              tcp: {handshake: no}
            path: {constrained: yes}
            budget: {hard: 2MB}
            faults: ["c2:down+2=fin"]
            """,
            files: files
        )
        #expect(child.name == "p")
        #expect(child.summary == "")
        #expect(child.source == "a paper")
        #expect(child.isConfirmed)
        #expect(try child.link.down.capacity == rate("5Mbit/s"))
        #expect(child.link.down.delay == .milliseconds(7))
        #expect(child.link.down.loss == .none)
        #expect(try child.link.up.capacity == rate("2Mbit/s"))
        #expect(child.traces == TraceSources())
        #expect(child.link.up.delay == .milliseconds(7))
        #expect(child.link.tcp.congestionControl == .reno)
        #expect(!child.link.tcp.handshake)
        #expect(child.path.interface == .cellular)
        #expect(child.path.isExpensive)
        #expect(child.path.isConstrained)
        #expect(child.budget?.softLimitBytes == 1_000_000)
        #expect(child.budget?.hardLimitBytes == 2_000_000)
        #expect(child.faults.map(\.canonicalText) == ["c2:down+2=fin"])
    }

    @Test func `a child changes the default of its parent's parameter and may use it`() throws {
        let parameters = "parameters: {d: {default: 1ms, max: 9ms, help: how long}}"
        let files = ["./parent.yaml": "\(parameters)\nlink: {down: {delay: \"${d}\"}}"]
        let yaml = """
            extends: ./parent.yaml
            parameters: {d: {default: 2ms}, e: {default: 5kB}}
            link: {up: {delay: "${d}"}}
            faults: ["c1:up+${e}=stall(${d})"]
            """
        let child = try load(yaml, files: files)
        #expect(child.link.down.delay == .milliseconds(2))
        #expect(child.link.up.delay == .milliseconds(2))
        #expect(child.faults.map(\.canonicalText) == ["c1:up+5000=stall(2ms)"])
        let changed = try load(yaml, ["d=3ms", "d=4ms", "e=1KiB"], files: files)
        #expect(changed.link.down.delay == .milliseconds(4))
        #expect(changed.faults.map(\.canonicalText) == ["c1:up+1024=stall(4ms)"])
        #expect(changed.parameters.map(\.name) == ["d", "e"])
        #expect(
            changed.parameters.map(\.allowed) == ["up to 9ms", "a number of bytes, like 64KiB"]
        )
        #expect(changed.parameters.map(\.help) == ["how long", ""])
    }

    @Test func `parameters of every kind know their unit`() throws {
        let yaml = """
            parameters:
              number: {default: 3, max: 5}
              duration: {default: 3ms}
              rate: {default: 1Mbit/s}
              bytes: {default: 1MiB}
              share: {default: 1.50%}
              packets: {default: 10packets}
              word: {default: b, one-of: [a, b]}
            """
        let profile = try load(yaml)
        let values = ["3", "3ms", "1Mbit/s", "1MiB", "1.5%", "10packets", "b"]
        #expect(profile.parameters.map(\.value) == values)
        for wrong in ["3ms", "3", "1MB", "1Mbit/s", "1", "1%", "c"].enumerated() {
            let name = profile.parameters[wrong.offset].name
            #expect(mistakes(yaml, ["\(name)=\(wrong.element)"]).count == 1, "\(name)")
        }
    }

    @Test func `settings are dotted paths, short, in flow style, the last one uppermost`() throws {
        let link = try load(
            "link: {rate: 1Mbit/s}",
            [
                "link.down.rate=2Mbit/s", "up.rate=3Mbit/s", "down.loss={bernoulli: 1%}",
                "up.loss.burst={loss: 1%, mean: 2packets}", "delay=1ms", "delay=2ms",
                "tcp.behaviour=rfc",
            ]
        ).link
        #expect(try link.down.capacity == rate("2Mbit/s"))
        #expect(try link.up.capacity == rate("3Mbit/s"))
        #expect(try link.down.loss == .bernoulli(chance("1%")))
        #expect(link.up.loss != .none)
        #expect(link.down.delay == .milliseconds(2))
        #expect(link.tcp.behaviour == .rfc)
        let profile = try load(
            "{}",
            ["path.constrained=yes", "budget.hard=1MB", "dns.delay=1s", "rtt=10ms"]
        )
        #expect(profile.path.isConstrained)
        #expect(profile.budget?.hardLimitBytes == 1_000_000)
        #expect(profile.nameLookupDelay == .seconds(1))
        #expect(profile.link.up.delay == .milliseconds(5))
    }

    @Test func `a parameter goes before a setting of the same name`() throws {
        let yaml = "parameters: {rate: {default: 1Mbit/s}}\nlink: {down: {rate: \"${rate}\"}}"
        let link = try load(yaml, ["rate=2Mbit/s"]).link
        #expect(try link.down.capacity == rate("2Mbit/s"))
        #expect(link.up.capacity == .unlimited)
    }

    @Test func `a mahimahi trace is read relative to the file that names it`() throws {
        var asked: [[String?]] = []
        let library = ProfileLibrary(find: { _ in nil }) { path, from throws(UnreadableFile) in
            asked.append([path, from])
            return ProfileText(file: "/t/\(path)", bytes: Array("0\n5\r\n5\n10\n".utf8))
        }
        let text = ProfileText(file: "/t/p.yaml", bytes: Array("link: {trace: a.trace}".utf8))
        let profile = try library.load(text)
        let trace = DeliveryTrace(opportunitiesMilliseconds: [0, 5, 5, 10])
        #expect(profile.link.down.capacity == trace.map { .trace($0) })
        #expect(profile.traces.up == .file("a.trace"))
        #expect(asked == [["a.trace", "/t/p.yaml"], ["a.trace", "/t/p.yaml"]])
        let setting = ProfileSetting(key: "trace", value: "b.trace")
        _ = try library.load(
            ProfileText(file: "p.yaml", bytes: Array("{}".utf8)),
            settings: [setting]
        )
        #expect(asked.last == ["b.trace", nil])
    }

    @Test func `the user's profile goes before a built-in one of the same name`() throws {
        let own = ProfileText(file: "/home/lte.yaml", bytes: Array("summary: mine".utf8))
        let library = ProfileLibrary(userNames: ["lte"], find: { $0 == "lte" ? own : nil }) {
            path,
            _ throws(UnreadableFile) in throw UnreadableFile(reason: path)
        }
        #expect(try library.load("lte").summary == "mine")
        #expect(try library.load("3g").name == "3g")
    }
}
