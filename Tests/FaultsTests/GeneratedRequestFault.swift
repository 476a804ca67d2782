import Basics
import DNSWire
import Faults
import TestSupport

extension Fault {
    /// Any fault in a request, a response or at the origin that the grammar has.
    static func randomInRequest(using numbers: inout SeededRandom) -> Fault {
        while true {
            if Int.random(in: 0..<8, using: &numbers) == 0 {
                return randomInLookup(using: &numbers)
            }
            let target = FaultTarget.random(using: &numbers)
            let host: HostPattern? =
                switch target {
                case .connections, .requests: .some(using: &numbers)
                case .matching, .object, .flows, .queries: nil
                }
            let address = FaultAddress(target, .random(using: &numbers), host: host)
            let effect = Effect.randomInRequest(using: &numbers)
            if case .byte = address.anchor, case .connections = address.target {
            } else {
                if case .byte = address.anchor { continue }
                if case .connect = address.anchor {
                    guard case .connections = address.target else { continue }
                }
            }
            guard FaultRules.objection(to: effect.kind, at: address) == nil else { continue }
            return Fault(address, effect, .random(using: &numbers))
        }
    }
}

extension Fault {
    /// Any fault of name lookups.
    private static func randomInLookup(using numbers: inout SeededRandom) -> Fault {
        let names = ["api.test", "*.test", "*", "a_b.test"].compactMap { HostPattern($0) }
        let types = [RecordType.a, .aaaa, .any, RecordType(number: 65_280), nil]
        let addresses = ["127.0.0.1", "::1"].compactMap { NetworkAddress($0) }
        let effects: [QueryEffect] = [
            .code(.nameError), .code(.serverFailure), .code(.refused), .noData, .timeout,
            .truncate(.answer), .truncate(.rst), .cnameLoop, .delay(.milliseconds(1_500)),
            .wrong([]), .wrong(addresses), .rotate(addresses), .deadFirst(nil),
            .deadFirst(addresses.first), .lifetime(7),
        ]
        let target = FaultTarget.queries(
            types.randomElement(using: &numbers) ?? nil,
            names.randomElement(using: &numbers) ?? names[0],
            .few(using: &numbers)
        )
        let effect = effects.randomElement(using: &numbers) ?? .timeout
        return Fault(
            FaultAddress(target, .whole),
            .query(effect),
            .random(using: &numbers)
        )
    }
}

extension HostPattern {
    /// Mostly none.
    fileprivate static func some(using numbers: inout SeededRandom) -> HostPattern? {
        let texts = ["api.example.com", "*.cdn:8443", "[::1]", "", "", "", ""]
        return texts.randomElement(using: &numbers).flatMap { HostPattern($0) }
    }
}

extension FaultTarget {
    fileprivate static func random(using numbers: inout SeededRandom) -> FaultTarget {
        let selector = OrdinalSelector.few(using: &numbers)
        let globs = ["/u/*", "*", "/a%20b?", "/%2A%25%3F", "/x%3D(%29"].compactMap { PathGlob($0) }
        guard let glob = globs.randomElement(using: &numbers) else { return .connections(.every) }
        switch Int.random(in: 0..<4, using: &numbers) {
        case 0: return .connections(selector)
        case 1: return .requests(on: .few(using: &numbers), selector)
        case 2:
            let method = ["GET", "PATCH", "M-SEARCH", nil].randomElement(using: &numbers) ?? nil
            // A host is followed by a slash.
            let paths = globs.dropFirst(glob.canonicalText.hasPrefix("/") ? 0 : globs.count)
            let host = paths.isEmpty ? nil : HostPattern.some(using: &numbers)
            return .matching(RequestPattern(method: method, host: host, path: glob), selector)
        default: return .object(glob, selector)
        }
    }
}

extension OrdinalSelector {
    fileprivate static func few(using numbers: inout SeededRandom) -> OrdinalSelector {
        let period = UInt32.random(in: 1...4, using: &numbers)
        let chance = Probability(.random(in: 0...1_000, using: &numbers), outOf: 1_000)
        return OrdinalSelector(
            Bool.random(using: &numbers)
                ? .one(.random(in: 1...4, using: &numbers))
                : .periodic(first: .random(in: 1...period, using: &numbers), period: period),
            chance: Int.random(in: 0..<4, using: &numbers) == 0 ? chance : nil
        )
    }
}

extension Anchor {
    fileprivate static func random(using numbers: inout SeededRandom) -> Anchor {
        let direction: Direction = Bool.random(using: &numbers) ? .up : .down
        let offset = PartOffset.random(using: &numbers)
        switch Int.random(in: 0..<9, using: &numbers) {
        case 0: return .connect
        case 1: return .idle
        case 2: return .whole
        case 3:
            let ordinal = UInt32?.some(.random(in: 1...3, using: &numbers))
            return .interim(
                status: [100, 102, 104, 199].randomElement(using: &numbers) ?? 104,
                ordinal: Bool.random(using: &numbers) ? ordinal : nil,
                offset
            )
        case 4: return .message(direction, .end, .end)
        case 5: return .message(direction, .chunk(.random(in: 1...9, using: &numbers)), offset)
        case 6: return .message(direction, .size(.random(in: 1...9, using: &numbers)), offset)
        case 7: return .message(direction, .last, offset)
        default:
            return .message(direction, Bool.random(using: &numbers) ? .head : .body, offset)
        }
    }
}

extension Anchor.PartOffset {
    fileprivate static func random(using numbers: inout SeededRandom) -> Anchor.PartOffset {
        let count = numbers.next() >> UInt64.random(in: 1...63, using: &numbers)
        switch Int.random(in: 0..<5, using: &numbers) {
        case 0: return .end
        case 1: return .fromStart(.at(count))
        case 2: return count > 5 ? .fromStart(.drawn(5...count)) : .end
        case 3: return .fromEnd(max(count, 1))
        default: return .perMille(.random(in: 0...1_000, using: &numbers))
        }
    }
}

extension FaultOptions {
    fileprivate static func random(using numbers: inout SeededRandom) -> FaultOptions {
        FaultOptions(
            far: FarEnding.allCases.randomElement(using: &numbers) ?? .same,
            see: [.none, .open, .interim(104)].randomElement(using: &numbers) ?? .none,
            gate: [.automatic, .open, .at(.body, .fromStart(.at(7))), .at(.head, .end)]
                .randomElement(using: &numbers) ?? .automatic,
            times: [nil, .all, .count(1), .count(4)].randomElement(using: &numbers) ?? nil,
            drain: [nil, .seconds(2), .milliseconds(1_500)].randomElement(using: &numbers) ?? nil
        )
    }
}

extension Effect {
    fileprivate static func randomInRequest(using numbers: inout SeededRandom) -> Effect {
        let count = numbers.next() >> UInt64.random(in: 1...63, using: &numbers)
        let fields = [
            InjectedField("retry-after", .date(after: Int.random(in: -9...9, using: &numbers))),
            InjectedField("x", .text("a b,c=(d)%\u{FF}")), InjectedField("location", .text("")),
        ]
        .prefix(.random(in: 0...3, using: &numbers))
        let event = FaultAddress(
            .requests(on: OrdinalSelector(.one(2)), OrdinalSelector(.one(1))),
            .message(.up, .end, .end)
        )
        let closes = Bool.random(using: &numbers)
        let message = InjectedMessage(
            .random(in: 200...999, using: &numbers),
            fields: Array(fields),
            closes: closes
        )
        let effects: [Effect] = [
            .reset, .finish, .hole(both: closes, for: closes ? .seconds(3) : nil), .truncate,
            .stall(.time(.seconds(1))), .stall(.until(event)), .corrupt(within: nil), .refuse(3),
            .silent(2),
            .down(.until(event)), .down(.time(.seconds(1))),
            .swallow(
                keep: KeptAnswer.allCases.randomElement(using: &numbers) ?? .none,
                ending: closes ? .fin : .rst
            ), .late(count % ScheduleLimits.lateBytes + 1, until: event), .status(message),
            .early(message), .inject(InjectedMessage(103, fields: Array(fields))), .withhold,
            .duplicate, .edit([InjectedField("version", .text("8"))]), .resetOnNext,
            .buffer(closes ? .up : .down), .strip, .crash(.tail(max(count, 1))), .crash(.none),
            .crash(.meta),
            .mutate(ObjectMutation.allCases.randomElement(using: &numbers) ?? .grow),
            .range(.short(max(count, 1))), .range(.shift(-Int64(count) - 1)), .range(.gzip),
            .expire,
            .limit(
                UploadLimit.allCases.randomElement(using: &numbers) ?? .maximumSize,
                max(count, 1)
            ),
            .purge(PathGlob("a?/*.p%25rt-\(count)") ?? .every),
        ]
        return effects.randomElement(using: &numbers) ?? .reset
    }
}
