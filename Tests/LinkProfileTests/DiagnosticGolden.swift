/// Wrong profiles and the exact words that are said about them.
///
/// Lines after `> ` are a profile, with `→` for a tab; below are its diagnostics. A changed line is
/// a changed message: read it as a user would.
enum DiagnosticGolden {
    static let structure = #"""
        > link:
        >   down: {dealy: 3ms}
        p.yaml:2:10: error: unknown key 'dealy'; did you mean 'delay'?

        > link: {zzz: 3ms}
        p.yaml:1:8: error: unknown key 'zzz'; expected down, up, rate, trace, delay, rtt, jitter, loss, queue, outages, tcp, address or cross-traffic

        > lnk: {}
        p.yaml:1:1: error: unknown key 'lnk'; did you mean 'link'?

        > latency: 3ms
        p.yaml:1:1: error: unknown key 'latency'; write 'delay' (one way) or 'rtt' (both ways) under 'link'

        > link: {latency: 3ms}
        p.yaml:1:8: error: unknown key 'latency'; write 'delay' (one way) or 'rtt' (both ways)

        > link: {up: {latency: 3ms}}
        p.yaml:1:13: error: unknown key 'latency'; write 'delay' (one way) or 'rtt' (both ways)

        > link: {up: {rtt: 3ms}}
        p.yaml:1:13: error: unknown key 'rtt'; a direction has a 'delay' (one way); 'rtt' stands under 'link'

        > link: {bandwidth: 3Mbit/s}
        p.yaml:1:8: error: unknown key 'bandwidth'; write 'rate'

        > link: {delay: 3ms, rtt: 6ms}
        p.yaml:1:20: error: 'rtt' and 'delay' are mutually exclusive

        > link: 3ms
        p.yaml:1:7: error: expected a link as a mapping of down, up, rate, trace, delay, rtt, jitter, loss, queue, outages, tcp, address and cross-traffic; found '3ms'

        > link:
        p.yaml:1:6: error: expected a link as a mapping of down, up, rate, trace, delay, rtt, jitter, loss, queue, outages, tcp, address and cross-traffic; found nothing

        > - a
        p.yaml:1:1: error: expected a profile as a mapping of name, summary, kind, source, confirmed, extends, parameters, link, path, budget, dns, faults and handovers; found a list

        > just text
        p.yaml:1:1: error: expected a profile as a mapping of name, summary, kind, source, confirmed, extends, parameters, link, path, budget, dns, faults and handovers; found 'just text'

        >
        p.yaml:1:1: error: the text is empty; expected a profile

        > # only a comment
        p.yaml:2:1: error: the text is empty; expected a profile

        > name: a
        > name: b
        p.yaml:2:1: error: duplicate key 'name'; it was first given in line 1

        > link: {rate: 1Mbit/s,
        >   rate: 2Mbit/s}
        p.yaml:2:3: error: duplicate key 'rate'; it was first given in line 1

        > name: &x a
        p.yaml:1:7: error: anchors are not supported in a profile; write the value out

        > name: a
        > summary: *x
        p.yaml:2:10: error: aliases are not supported in a profile; write the value out

        > name: !!str a
        p.yaml:1:7: error: tags are not supported in a profile; write the value out

        > link: !a {rate: 1Mbit/s}
        p.yaml:1:7: error: tags are not supported in a profile; write the value out

        > faults: &f [a]
        p.yaml:1:9: error: anchors are not supported in a profile; write the value out

        > name: a
        > ---
        > name: b
        p.yaml:2:1: error: a second document; a profile is one document

        > link: {rate: 1Mbit/s
        p.yaml:2:1: error: not YAML: did not find expected ',' or '}' while parsing a flow mapping

        > link:
        > →rate: 1Mbit/s
        p.yaml:2:1: error: not YAML: found character that cannot start any token while scanning for the next token; indent with spaces, not with tabs

        > link:
        >   rate: 1Mbit/s
        >  up:
        >   delay: 3ms
        p.yaml:3:2: error: not YAML: did not find expected key while parsing a block mapping; is the line indented like those beside it?

        > link:
        >   rate: 1Mbit/s
        >     delay: 3ms
        p.yaml:3:10: error: not YAML: mapping values are not allowed in this context; is the line indented like those beside it?

        > ? {a: b}
        > : c
        p.yaml:1:3: error: a key must be a word, not a mapping

        > [[[[[[[[[[[[[[[[[[[[
        p.yaml:1:17: error: nested deeper than 16 levels; no profile needs that

        > name: Not A Name
        p.yaml:1:7: error: 'Not A Name' is not a name; expected up to 64 letters a-z, digits and hyphens

        > name: [a]
        p.yaml:1:7: error: expected a name; found a list

        > confirmed: true story
        p.yaml:1:12: error: expected yes or no; found 'true story'

        > link: {down: {dealy: 1ms, rate: 5}, up: {los: 1%}}
        > path: {interface: wifo}
        p.yaml:1:15: error: unknown key 'dealy'; did you mean 'delay'?
        p.yaml:1:33: error: '5' has no unit; expected one of bit/s, kbit/s, Mbit/s, Gbit/s, kB/s, MB/s, KiB/s, MiB/s, like 64kbit/s
        p.yaml:1:42: error: unknown key 'los'; did you mean 'loss'?
        p.yaml:2:19: error: unknown word 'wifo'; did you mean 'wifi'?
        """#

    static let values = #"""
        > link: {delay: 80}
        p.yaml:1:15: error: '80' has no unit; expected one of ns, us, ms, s, min, h, like 80ms

        > link: {delay: fast}
        p.yaml:1:15: error: 'fast' is not a duration; expected a number with a unit, like 80ms

        > link: {delay: -5ms}
        p.yaml:1:15: error: '-5ms' is not a duration; expected a number with a unit, like 80ms

        > link: {delay: 2h}
        p.yaml:1:15: error: '2h' is out of range; expected 0s to 3600s

        > link: {delay: 99999999999999999999h}
        p.yaml:1:15: error: '99999999999999999999h' is too large; the most is 876000h

        > link: {delay: 0.5ns}
        p.yaml:1:15: error: '0.5ns' is too fine; the smallest step is 1ns

        > link: {delay: [1ms]}
        p.yaml:1:15: error: expected a duration, like 80ms; found a list

        > link: {rate: 10}
        p.yaml:1:14: error: '10' has no unit; expected one of bit/s, kbit/s, Mbit/s, Gbit/s, kB/s, MB/s, KiB/s, MiB/s, like 64kbit/s

        > link: {rate: 10Mbps}
        p.yaml:1:14: error: unknown unit 'Mbps' in '10Mbps'; did you mean 'Mbit/s'?

        > link: {rate: 10ms}
        p.yaml:1:14: error: unknown unit 'ms' in '10ms'; expected one of bit/s, kbit/s, Mbit/s, Gbit/s, kB/s, MB/s, KiB/s, MiB/s

        > link: {rate: 0Mbit/s}
        p.yaml:1:14: error: '0Mbit/s' is not a rate; expected more than 0, like 64kbit/s

        > link: {rate: 10bit/s}
        p.yaml:1:14: error: '10bit/s' is out of range; expected 100bit/s to 1000Gbit/s

        > link: {rate: 9999999Tbit/s}
        p.yaml:1:14: error: '9999999Tbit/s' is too large; the most is 1Tbit/s

        > link: {loss: 5}
        p.yaml:1:14: error: '5' has no unit; expected one of %, like 0.5%

        > link: {loss: 101%}
        p.yaml:1:14: error: '101%' is too large; the most is 100%

        > link: {loss: {}}
        p.yaml:1:14: error: expected loss like 1% or {bernoulli: 1%} (one of bernoulli, burst, list, gilbert-elliott or four-state); found 0 of them

        > link: {loss: {bernoulli: 1%, burst: {loss: 1%, mean: 2packets}}}
        p.yaml:1:14: error: expected loss like 1% or {bernoulli: 1%} (one of bernoulli, burst, list, gilbert-elliott or four-state); found 2 of them

        > link: {loss: {burst: {loss: 1%}}}
        p.yaml:1:22: error: 'mean' is missing

        > link: {loss: {burst: {loss: 1%, mean: 4}}}
        p.yaml:1:39: error: '4' is not a mean burst; expected 1packet to 1000000packets

        > link: {loss: {burst: {loss: 1%, mean: 0.5packets}}}
        p.yaml:1:39: error: '0.5packets' is not a mean burst; expected 1packet to 1000000packets

        > link: {loss: {burst: {loss: 1%, mean: 99999999packets}}}
        p.yaml:1:39: error: '99999999packets' is not a mean burst; expected 1packet to 1000000packets

        > link: {loss: {burst: {loss: 51%, mean: 1packet}}}
        p.yaml:1:22: error: 51% loss is too much for such short bursts; expected at most mean/(1 + mean)

        > link: {loss: {gilbert-elliott: {p: 1%}}}
        p.yaml:1:32: error: 'r' is missing

        > link: {loss: {gilbert-elliott: {p: 0%, r: 0%}}}
        p.yaml:1:32: error: p and r are both 0%: the chain would never move

        > link: {loss: {four-state: {p13: 60%, p31: 1%, p32: 1%, p23: 1%, p14: 50%}}}
        p.yaml:1:27: error: the chances to leave state 1 add up to over 100%

        > link: {loss: {four-state: {p13: 60%}}}
        p.yaml:1:27: error: 'p31' is missing
        p.yaml:1:27: error: 'p32' is missing
        p.yaml:1:27: error: 'p23' is missing
        p.yaml:1:27: error: 'p14' is missing

        > link: {loss: {list: [3, 3]}}
        p.yaml:1:25: error: packet indexes ascend; 3 follows 3

        > link: {loss: {list: [x]}}
        p.yaml:1:22: error: 'x' is not a whole number below 2^64

        > link: {queue: 50}
        p.yaml:1:15: error: expected auto, packets like 50packets, or bytes like 64KiB; found '50'

        > link: {queue: 0packets}
        p.yaml:1:15: error: '0packets' is not a queue; expected 1 to 1000000 whole packets

        > link: {queue: 2.5packets}
        p.yaml:1:15: error: '2.5packets' is not a queue; expected 1 to 1000000 whole packets

        > link: {queue: 9999999packets}
        p.yaml:1:15: error: '9999999packets' is not a queue; expected 1 to 1000000 whole packets

        > link: {queue: 100B}
        p.yaml:1:15: error: '100B' is out of range; expected 1500B to 4GiB

        > link: {queue: long}
        p.yaml:1:15: error: expected auto, packets like 50packets, or bytes like 64KiB; found 'long'

        > link: {jitter: 3ms}
        p.yaml:1:16: error: expected jitter like {normal: 3ms} (one of uniform, normal or pareto); found '3ms'

        > link: {jitter: {gauss: 3ms}}
        p.yaml:1:17: error: unknown key 'gauss'; expected uniform, normal or pareto

        > link: {tcp: {behaviour: bsd}}
        p.yaml:1:25: error: unknown word 'bsd'; expected linux or rfc

        > link: {tcp: {congestion: cubix}}
        p.yaml:1:26: error: unknown word 'cubix'; did you mean 'cubic'?

        > link: {tcp: {handshake: maybe}}
        p.yaml:1:25: error: expected yes or no; found 'maybe'

        > link: {rate: 1Mbit/s, cross-traffic: {direction: down}}
        p.yaml:1:38: error: cross-traffic needs a number of 'flows'

        > link: {up: {rate: 1Mbit/s}, cross-traffic: {flows: 1}}
        p.yaml:1:44: error: cross-traffic needs a rate or a trace for 'down'

        > link: {rate: 1Mbit/s, cross-traffic: {flows: 17}}
        p.yaml:1:46: error: '17' is more than 16

        > link: {rate: 1Mbit/s, cross-traffic: {flows: -1}}
        p.yaml:1:46: error: '-1' is not a whole number below 2^64

        > link: {rate: 1Mbit/s, cross-traffic: {flows: 1, direction: both}}
        p.yaml:1:60: error: unknown word 'both'; expected down or up

        > link: {rate: 1Mbit/s, cross-traffic: {connections: 1}}
        p.yaml:1:39: error: unknown key 'connections'; expected flows or direction

        > link: {rate: 1Mbit/s, cross-traffic: {flows: 1}}
        > handovers: [{at: 1s, for: 1s, link: {down: {rate: unlimited}}}]
        p.yaml:1:38: error: cross-traffic needs a rate or a trace for 'down'

        > link: {address: packets}
        p.yaml:1:17: error: unknown word 'packets'; did you mean 'packet'?

        > link: {outages: 3s}
        p.yaml:1:17: error: expected none, windows like [{at: 10s, for: 2s}], or a mapping of windows, period, random and treatment; found '3s'

        > link: {outages: []}
        p.yaml:1:17: error: an empty list of windows; write 'outages: none'

        > link: {outages: [{at: 1s}]}
        p.yaml:1:18: error: 'for' is missing

        > link: {outages: [{at: 1s, for: 2s}, {at: 2s, for: 1s}]}
        p.yaml:1:37: error: this window begins before the one above ends

        > link: {outages: {windows: [{at: 1s, for: 2s}], period: 2s}}
        p.yaml:1:17: error: the last window ends after the period

        > link: {outages: {period: 2s}}
        p.yaml:1:17: error: expected 'windows' (with or without 'period') or 'random'

        > link: {outages: {random: {up: 2s}}}
        p.yaml:1:26: error: 'down' is missing

        > link: {outages: {random: {up: 1ns, down: 1s}}}
        p.yaml:1:31: error: '1ns' is out of range; expected 1ms to 3600000s

        > link: {outages: {random: {up: 1s, down: 1s}, every: 3s}}
        p.yaml:1:46: error: unknown key 'every'; write 'period'

        > link: {outages: [{at: 5000h, for: 1s}]}
        p.yaml:1:23: error: '5000h' is out of range; expected 0s to 3600000s

        > path: {interface: lte}
        p.yaml:1:19: error: unknown word 'lte'; expected wifi, cellular, wired or other

        > budget: {}
        p.yaml:1:9: error: a budget has a 'soft' limit, a 'hard' one or both

        > budget: {soft: 5MB}
        p.yaml:1:9: error: 'soft' and 'then', the rate beyond it, go together

        > budget: {then: 5kbit/s, hard: 5MB}
        p.yaml:1:9: error: 'soft' and 'then', the rate beyond it, go together

        > budget: {soft: 5MB, then: 5kbit/s, at-hard: refuse}
        p.yaml:1:9: error: 'at-hard' without a 'hard' limit

        > budget: {soft: 5MB, then: 5kbit/s, hard: 4MB}
        p.yaml:1:9: error: the soft limit is above the hard one

        > budget: {hard: 5000000}
        p.yaml:1:16: error: '5000000' has no unit; expected one of B, kB, MB, GB, KiB, MiB, GiB, like 64KiB

        > budget: {hard: 1.5B}
        p.yaml:1:16: error: '1.5B' is too fine; the smallest step is 1 byte

        > dns: 3s
        p.yaml:1:6: error: expected name lookup as a mapping of delay; found '3s'

        > dns: {delay: 5000h}
        p.yaml:1:14: error: '5000h' is out of range; expected 0s to 3600s

        > faults: c1:down+1=rst
        p.yaml:1:9: error: expected a list of faults; found 'c1:down+1=rst'

        > faults: ['c1:down+1=rts', 'c1:dwn+1=rst']
        p.yaml:1:10: error: in 'c1:down+1=rts', column 11: unknown effect 'rts'; did you mean 'rst'?
        p.yaml:1:27: error: in 'c1:dwn+1=rst', column 4: unknown place 'dwn'; did you mean 'down'?

        > faults: ['PATCH(/u/*)#1:req.body~500=rts', 'c1/r1:resp.bdoy+1=fin']
        p.yaml:1:10: error: in 'PATCH(/u/*)#1:req.body~500=rts', column 28: unknown effect 'rts'; did you mean 'rst'?
        p.yaml:1:44: error: in 'c1/r1:resp.bdoy+1=fin', column 12: unknown part 'bdoy'; did you mean 'body'?

        > link: {rate: 1Mbit/s, trace: a.trace}
        p.yaml:1:23: error: 'rate' and 'trace' are mutually exclusive

        > link: {trace: missing.trace}
        p.yaml:1:15: error: cannot read 'missing.trace': no such file

        > link: {trace: {generate: uniform}}
        p.yaml:1:26: error: unknown word 'uniform'; expected poisson or markov

        > link: {trace: {generate: poisson}}
        p.yaml:1:15: error: 'length' is missing

        > link: {trace: {generate: poisson, length: 1s, seed: 1}}
        p.yaml:1:15: error: a Poisson trace has a 'rate' and no 'states'

        > link: {trace: {generate: markov, length: 1s, seed: 1, rate: 1Mbit/s}}
        p.yaml:1:15: error: a Markov trace has 'states' and no 'rate'

        > link: {trace: {generate: markov, length: 1s, seed: 1, states: [{stay: 1s}]}}
        p.yaml:1:63: error: expected at least two states

        > link: {trace: {generate: markov, length: 1s, seed: -1, states: [{stay: 1s}, {}]}}
        p.yaml:1:52: error: '-1' is not a whole number below 2^64
        p.yaml:1:65: error: 'rate' is missing
        p.yaml:1:77: error: 'stay' is missing

        > link: {trace: {generate: poisson, rate: 1Mbit/s, length: 1.5us, seed: 1}}
        p.yaml:1:58: error: '1.5us' is out of range; expected 1ms to 300s

        > link: {trace: {generate: poisson, rate: 1Mbit/s, length: 1.5ms, seed: 1}}
        p.yaml:1:58: error: a trace knows whole milliseconds only

        > link: {trace: {generate: poisson, rate: 1Gbit/s, length: 1s, seed: 1}}
        p.yaml:1:41: error: '1Gbit/s' is out of range; expected 100bit/s to 150Mbit/s

        > link: {trace: down.trace}
        down.trace:2:1: error: '3' is not a time; expected whole milliseconds, never less than in the line above

        > link: {trace: zero.trace}
        zero.trace: error: a trace ends above 0 ms

        > link: {trace: text.trace}
        text.trace:2:1: error: 'x' is not a time; expected whole milliseconds, never less than in the line above

        > link: {trace: ''}
        p.yaml:1:15: error: expected a file in mahimahi's format; found nothing

        > link: {loss: lots}
        p.yaml:1:14: error: 'lots' is not a percentage; expected a number with a unit, like 0.5%

        > link: {outages: soon}
        p.yaml:1:17: error: expected none, windows like [{at: 10s, for: 2s}], or a mapping of windows, period, random and treatment; found 'soon'
        """#

    static let references = #"""
        > extends: ltee
        p.yaml:1:10: error: unknown profile 'ltee'; did you mean 'lte'?

        > extends: zzzzzzzz
        p.yaml:1:10: error: unknown profile 'zzzzzzzz'

        > extends: [lte]
        p.yaml:1:10: error: expected the name of a profile; found a list

        > extends: ./missing.yaml
        p.yaml:1:10: error: cannot read './missing.yaml': no such file

        > extends: ./self.yaml
        ./self.yaml:1:10: error: profiles extend one another in a circle: p.yaml > ./self.yaml > ./self.yaml

        > extends: ./broken.yaml
        ./broken.yaml:2:2: error: unknown key 'rat'; did you mean 'rate'?

        > link: {rate: "${rate}"}
        p.yaml:1:14: error: unknown parameter 'rate'; the profile has none

        > parameters: {rate: {default: 1Mbit/s}}
        > link: {rate: "${rat}"}
        p.yaml:2:14: error: unknown parameter 'rat'; did you mean 'rate'?

        > parameters: {rate: {default: 1Mbit/s}}
        > link: {rate: "${zzzzz}"}
        p.yaml:2:14: error: unknown parameter 'zzzzz'; expected rate

        > parameters: {rate: {default: 1Mbit/s}}
        > link: {rate: "${rate"}
        p.yaml:2:14: error: '${' without '}' in '${rate'

        > parameters: {d: {default: 1ms}}
        > link: {rate: "${d}"}
        p.yaml:2:14: error: unknown unit 'ms' in '1ms'; expected one of bit/s, kbit/s, Mbit/s, Gbit/s, kB/s, MB/s, KiB/s, MiB/s

        > parameters: [a]
        p.yaml:1:13: error: expected parameters by name; found a list

        > parameters: {a: 1ms}
        p.yaml:1:17: error: expected a parameter as a mapping of default, min, max, help and one-of; found '1ms'

        > parameters: {A: {default: 1ms}}
        p.yaml:1:14: error: 'A' is not a name of letters a-z, digits and hyphens

        > parameters: {a: {min: 1ms}}
        p.yaml:1:17: error: 'default' is missing

        > parameters: {a: {defualt: 1ms}}
        p.yaml:1:18: error: unknown key 'defualt'; did you mean 'default'?

        > parameters: {a: {default: 1ms, min: 2ms, max: 3ms}}
        p.yaml:1:27: error: '1ms' is not for 'a'; expected 2ms to 3ms

        > parameters: {a: {default: 1ms, max: 3kbit/s}}
        p.yaml:1:37: error: unknown unit 'kbit/s' in '3kbit/s'; expected one of ns, us, ms, s, min, h

        > parameters: {a: {default: word}}
        p.yaml:1:17: error: 'one-of' is missing: a parameter that is a word lists them

        > parameters: {a: {default: on, one-of: [off, only]}}
        p.yaml:1:27: error: 'on' is not for 'a'; expected off or only

        > parameters: {a: {default: 1.5.5}}
        p.yaml:1:27: error: '1.5.5' is not a word of letters a-z, digits and hyphens
        """#
}
