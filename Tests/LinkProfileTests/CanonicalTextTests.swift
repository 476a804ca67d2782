import LinkProfile
import Testing

@Suite struct CanonicalTextTests {
    private static let everything = """
        name: everything
        summary: "quotes \\" and \\\\ and \\t and \\u0007 and é and 網 and \\u2028 and 🚇"
        source: "- {a: b} # no comment"
        confirmed: yes
        parameters: {x: {default: 3}, y: {default: 1MiB}}
        link:
          down:
            rate: 1.5Mbit/s
            delay: 1.5ms
            jitter: {pareto: 3us}
            loss: {gilbert-elliott: {p: 1.23%, r: 45.6%, h: 7.8%, k: 99.99%}}
            queue: 3packets
            outages: {windows: [{at: 1s, for: 2s}, {at: 4s, for: 500ms}], period: 1min, treatment: hold}
          up:
            trace:
              generate: markov
              length: 1s
              seed: 18446744073709551615
              states: [{rate: none, stay: 5ms}, {rate: 3Mbit/s, stay: 1s}]
            delay: 0.000001ms
            jitter: {uniform: 1ms}
            loss: {four-state: {p13: 1%, p31: 20%, p32: 30%, p23: 40%, p14: 0.5%}}
            queue: 12345B
            outages: {random: {up: 3s, down: 1s}}
          tcp: {behaviour: rfc, congestion: reno, handshake: no}
          address: packet
          cross-traffic: {flows: 2, direction: up}
        path: {interface: wired, expensive: yes, constrained: yes, on-demand: 2s}
        budget: {soft: 5MB, then: 64kbit/s, hard: 10MiB, at-hard: stall}
        dns: {delay: 3s}
        faults:
          - "c*?25%:down+${x}..${y}=rst,far=fin"
          - "c2:connect=refuse(3)"
          - PATCH(/u/*)#1:req.body~500=rst,see=104
          - "*(/a%20b)#*:req.head=status(503,x=%22)"
        """

    @Test func `a profile that says everything reads back from its canonical text`() throws {
        var profile = try load(Self.everything)
        let again = try load(profile.canonicalText)
        profile.parameters = []
        #expect(again == profile)
        #expect(again.canonicalText == profile.canonicalText)
    }

    @Test func `the canonical text is this`() throws {
        let profile = try load(Self.everything)
        #expect(
            profile.canonicalText == """
                # Resolved with x=3, y=1MiB.
                name: "everything"
                summary: "quotes \\" and \\\\ and \\U00000009 and \\U00000007 and é and 網 and \
                \\U00002028 and 🚇"
                source: "- {a: b} # no comment"
                confirmed: yes
                link:
                  down:
                    rate: 1500kbit/s
                    delay: 1500us
                    jitter: {pareto: 3us}
                    loss: {gilbert-elliott: {p: 1.23%, r: 45.6%, h: 7.8%, k: 99.99%}}
                    queue: 3packets
                    outages: {windows: [{at: 1s, for: 2s}, {at: 4s, for: 500ms}], period: 60s, \
                treatment: hold}
                  up:
                    trace: {generate: markov, length: 1s, seed: 18446744073709551615, states: \
                [{rate: none, stay: 5ms}, {rate: 3Mbit/s, stay: 1s}]}
                    delay: 1ns
                    jitter: {uniform: 1ms}
                    loss: {four-state: {p13: 1%, p31: 20%, p32: 30%, p23: 40%, p14: 0.5%}}
                    queue: 12345B
                    outages: {random: {up: 3s, down: 1s}, treatment: drop}
                  tcp: {behaviour: rfc, congestion: reno, handshake: no}
                  address: packet
                  cross-traffic: {flows: 2, direction: up}
                path: {interface: wired, expensive: yes, constrained: yes, on-demand: 2s}
                budget: {soft: 5MB, then: 64kbit/s, hard: 10MiB, at-hard: stall}
                dns: {delay: 3s}
                faults:
                  - "c*?25%:down+3..1048576=rst,far=fin"
                  - "c2:connect=refuse(3)"
                  - "PATCH(/u/*)#1:req.body~500=rst,see=104"
                  - "*(/a%20b)#*:req.head=status(503,x=%22)"

                """
        )
    }

    @Test func `equal profiles have equal text, however they were written`() throws {
        let a = try load("name: a\nlink: {rtt: 2000ms, rate: 1000kbit/s, loss: 1.0%}")
        let b = try load(
            "{link: {down: {delay: 1s}, up: {delay: 1s}}, name: a}",
            [
                "rate=1Mbit/s", "loss={bernoulli: 1%}",
            ]
        )
        #expect(a == b)
        #expect(a.canonicalText == b.canonicalText)
    }

    @Test func `traces from files keep their path`() throws {
        let files = ["t: #1.trace": "7\n"]
        let profile = try load("link: {down: {trace: 't: #1.trace'}}", files: files)
        #expect(profile.canonicalText.contains("    trace: \"t: #1.trace\"\n"))
        #expect(try load(profile.canonicalText, files: files).link == profile.link)
    }
}
