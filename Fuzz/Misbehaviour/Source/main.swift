// Invariant: any text is refused at a place in it and in one plain line, or is rules that can be asked
// about every request; an answer in place of another one is an error, and asks for no past time.

import FuzzSupport
import HTTPWire
import ResumableServer

fuzz { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    let rules: Misbehaviour
    do throws(MisbehaviourError) {
        rules = try Misbehaviour(parsing: text)
    } catch {
        require(error.column >= 1, "a mistake has a place")
        require(error.column <= text.unicodeScalars.count + 1, "the place is in the text")
        require(!error.description.utf8.contains { $0 < 0x20 }, "a message is one plain line")
        return
    }
    require(rules.rules.count <= Misbehaviour.maximumRules, "rules are bounded")
    var tally = RequestTally()
    for kind in RequestTally.Kind.allCases + RequestTally.Kind.allCases {
        let ordinals = tally.count(kind)
        for effect in rules.effects(for: ordinals) {
            if case .mutate = effect { require(false, "mutations are asked for apart") }
            let now = HTTPDate(secondsSince1970: 1_782_864_000)
            guard case .status(_, let retryAfter) = effect else { continue }
            if case .date(let seconds)? = retryAfter, seconds > 1 << 33 { continue }
            require((400..<600) ~= effect.answer(now: now)?.head.status ?? 0, "an error")
        }
        require(rules.mutations(upTo: ordinals).allSatisfy { $0.count > 0 }, "changes are counted")
    }
}
