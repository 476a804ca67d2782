import LinkProfile
import Testing

/// Every kind of mistake is answered with a place and words to act on.
@Suite struct DiagnosticTests {
    private static let files = [
        "./self.yaml": "extends: ./self.yaml",
        "./broken.yaml": "link: {\n rat: 1}",
        "down.trace": "5\n3\n",
        "zero.trace": "0\n0\n",
        "text.trace": "1\nx\n",
    ]

    @Test func `wrong profiles get the stored answers`() {
        let golden = [
            DiagnosticGolden.structure, DiagnosticGolden.values, DiagnosticGolden.references,
        ]
        for block in golden.flatMap({ $0.split(separator: "\n\n") }) {
            let lines = block.split(separator: "\n").map(String.init)
            let input = lines.filter { $0.hasPrefix(">") }
            let yaml = input.map { $0.dropFirst(2) }.joined(separator: "\n")
            let text = yaml.map { $0 == "→" ? "\t" : String($0) }.joined()
            #expect(input + mistakes(text, files: Self.files) == lines)
            #expect(lines.count > input.count, "no answer is stored for \(yaml)")
        }
    }

    @Test func `settings of the command line are named as the place of their mistakes`() {
        let yaml = """
            parameters:
              bytes: {default: 1MiB, min: 1kB, max: 1TiB}
              effect: {default: rst, one-of: [rst, fin]}
            """
        let known =
            "there are bytes, effect, rate, trace, delay, jitter, loss, queue, outages, "
            + "rtt, address, dns.delay, tcp.behaviour, tcp.congestion, tcp.handshake, "
            + "cross-traffic.flows, cross-traffic.direction, "
            + "path.interface, path.expensive, path.constrained, path.on-demand, budget.soft, budget.then, "
            + "budget.hard and budget.at-hard, and down. or up. before a key for one direction"
        let answers = [
            "bytes=10": "--set bytes=10: '10' has no unit; expected one of B, kB, MB, GB, "
                + "KiB, MiB, GiB, like 64KiB",
            "bytes=2TiB": "--set bytes=2TiB: '2TiB' is not for 'bytes'; "
                + "expected 1kB to 1TiB",
            "effect=fim": "--set effect=fim: 'fim' is not for 'effect'; "
                + "did you mean 'fin'?",
            "effects=fin": "--set effects=fin: unknown key 'effects'; "
                + "did you mean 'effect'?",
            "zzzzz=1": "--set zzzzz=1: unknown key 'zzzzz'; \(known)",
            "down.rte=1Mbit/s": "--set down.rte=1Mbit/s: unknown key 'down.rte'; "
                + "did you mean 'down.rate'?",
            "link.up.dely=1ms": "--set link.up.dely=1ms: unknown key 'link.up.dely'; "
                + "did you mean 'up.delay'?",
            "latency=1ms": "--set latency=1ms: unknown key 'latency'; "
                + "write 'delay' (one way) or 'rtt' (both ways)",
            "down.bandwidth=1Mbit/s": "--set down.bandwidth=1Mbit/s: unknown key "
                + "'down.bandwidth'; write 'rate'",
            "down.rate=1": "--set down.rate=1: '1' has no unit; expected one of bit/s, "
                + "kbit/s, Mbit/s, Gbit/s, kB/s, MB/s, KiB/s, MiB/s, like 64kbit/s",
            "down=1ms": "--set down=1ms: expected a direction as a mapping of rate, trace, "
                + "delay, jitter, loss, queue and outages; found '1ms'",
            "loss={burst: {loss: 1%}}": "--set loss={burst: {loss: 1%}}: "
                + "'mean' is missing",
            "loss={": "--set loss={: not YAML: did not find expected node content "
                + "while parsing a flow node",
            "rate.a.b=1": "--set rate.a.b=1: unknown key 'rate.a.b'; did you mean 'rate'?",
            "loss.a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p=1":
                "--set loss.a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p=1: "
                + "'loss.a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p' has too many parts",
            "name=x": "--set name=x: unknown key 'name'; \(known)",
            "down.rate=${bytes}": "--set down.rate=${bytes}: '${bytes}' is not a rate; "
                + "expected a number with a unit, like 64kbit/s",
        ]
        for (setting, answer) in answers { #expect(mistakes(yaml, [setting]) == [answer]) }
    }

    @Test func `a setting is split at its first equals sign`() throws {
        let setting = try #require(ProfileSetting(parsing: "a.b=c=d"))
        #expect(setting.key == "a.b")
        #expect(setting.value == "c=d")
        #expect(ProfileSetting(parsing: "a") == nil)
        #expect(ProfileSetting(parsing: "=a") == nil)
        #expect(ProfileSetting(parsing: "a=")?.value == "")
    }

    @Test func `characters a terminal would obey are shown, not sent`() {
        #expect(
            mistakes("path: {interface: \"\\e[31m\\u202e\"}") == [
                "p.yaml:1:19: error: unknown word '\\u{1b}[31m\\u{202e}'; "
                    + "expected wifi, cellular, wired or other"
            ]
        )
        #expect(mistakes("name: \u{7}bell").first?.hasPrefix("p.yaml:1:7: error: not YAML") == true)
    }

    @Test func `a byte that is not UTF-8 has its place`() {
        let text = ProfileText(file: "p.yaml", bytes: Array("name: a\nsummary: é".utf8) + [0xFF])
        do throws(ProfileError) {
            _ = try library().load(text)
            Issue.record("accepted")
        } catch {
            #expect(
                error.lines == ["p.yaml:2:11: error: not YAML: invalid leading UTF-8 octet"]
            )
        }
    }

    @Test func `limits of size, depth, count and ancestry answer in words`() {
        let comment = "#" + String(repeating: " ", count: 300_000)
        #expect(
            mistakes(comment) == [
                "p.yaml:1:1: error: the text has 300001 bytes; a profile has at most 256KiB"
            ]
        )
        let many = "faults: [" + String(repeating: "a,", count: 21_000) + "a]"
        #expect(mistakes(many).first?.contains("more than 20000 values") == true)
        let faults = "faults: [" + String(repeating: "a,", count: 1_001) + "]"
        #expect(mistakes(faults) == ["p.yaml:1:9: error: 1001 faults; the limit is 1000"])
        let deep = String(repeating: "{a: ", count: 40_000)
        #expect(mistakes(deep).first?.contains("nested deeper than 16 levels") == true)

        var files: [String: String] = [:]
        for level in 0..<20 { files["./\(level).yaml"] = "extends: ./\(level + 1).yaml" }
        #expect(
            mistakes("extends: ./0.yaml", files: files) == [
                "./7.yaml:1:10: error: more than 8 profiles extend one another"
            ]
        )
    }

    @Test func `at most twenty mistakes are named`() {
        let yaml = (0..<50).map { "key\($0): a" }.joined(separator: "\n")
        #expect(mistakes(yaml).count == 20)
    }

    @Test func `unknown profiles and unreadable files are told apart`() {
        func failure(_ reference: String) -> ProfileError? {
            do throws(ProfileError) {
                _ = try library().load(reference)
                return nil
            } catch {
                return error
            }
        }
        #expect(failure("ltee") == .unknownProfile("ltee", suggestions: ["lte"]))
        #expect(failure("nothing-like-it") == .unknownProfile("nothing-like-it", suggestions: []))
        #expect(failure("./a.yaml") == .unreadable("./a.yaml", reason: "no such file"))
        #expect(failure("./a.yaml")?.lines == ["cannot read './a.yaml': no such file"])
    }

    @Test(arguments: [
        ("Slow 3G", "chrome-slow-3g"), ("Fast 4G", "chrome-fast-4g"), ("LTE", "lte"),
        ("Offline", "100-loss"), ("Very Bad Network", "very-bad-network"), ("Wi-Fi", "wifi"),
        ("No throttling", "none"),
    ])
    func `a name of another program's preset is taken`(name: String, profile: String) throws {
        #expect(try library().load(name).name == profile)
    }

    @Test(arguments: [
        ("5g", "'measured-5g-p25', 'measured-5g-p50', 'measured-5g-p75', 'measured-5g-p95' or"),
        ("4G", "'lte', 'lte-drive', 'wpt-lte', 'chrome-fast-4g', 'chrome-slow-4g'"),
        ("Good 2G", "'edge-good' or 'atc-edge-good'"), ("wlan", "did you mean 'wifi'"),
        ("lte-drve", "did you mean 'lte-drive'?"), ("5g nsa", "'measured-5g-p25'"),
    ])
    func `a name that no profile has is answered with those that are meant`(
        name: String,
        words: String
    ) {
        let error = #expect(throws: ProfileError.self) { try library().load(name) }
        #expect(error?.lines.first?.contains(words) == true, "\(error?.lines ?? [])")
    }
}
