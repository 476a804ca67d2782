internal import Basics
package import Faults
internal import LinkEngine

/// Schedules of several faults, drawn by a seed: the i-th is the same whatever else is run.
package struct RandomSchedules: Hashable, Sendable {
    /// The most faults of a schedule.
    package static let mostFaults: UInt64 = 4

    private let exchanges: [BoundaryMap.Exchange]
    private let effects: [Effect]
    private let random: AddressedRandom

    /// - Parameters:
    ///   - map: what the baseline did; each fault is somewhere in one of its exchanges.
    ///   - effects: those that cut or stall are drawn from.
    ///   - seed: of the exploration.
    package init(of map: BoundaryMap, effects: [Effect.Kind], seed: UInt64) {
        exchanges = map.exchanges
        self.effects = effects.filter { $0 != .hole }.compactMap(\.byteEffect)
        random = AddressedRandom(seed: seed)
    }

    /// Whether there is nothing to draw from.
    package var isEmpty: Bool { exchanges.isEmpty || effects.isEmpty }

    /// The schedule of this number: faults on the first connections, one on each, so that each
    /// has a try of its own to disturb.
    package func schedule(_ number: UInt64) -> Point {
        precondition(!isEmpty, "something to draw from")
        var dice = Dice(random: random, number: number)
        let count = 1 + dice.roll(Self.mostFaults)
        return Point((1...count).map { fault(onConnection: UInt32($0), &dice) })
    }

    private func fault(onConnection connection: UInt32, _ dice: inout Dice) -> Fault {
        let exchange = exchanges[Int(dice.roll(UInt64(exchanges.count)))]
        let target = FaultTarget.requests(on: .one(connection), .one(exchange.request))
        let effect = effects[Int(dice.roll(UInt64(effects.count)))]
        let isRequest = dice.roll(4) == 0
        let axis =
            exchange.received.flatMap { isRequest ? nil : Axis(target, .response, $0) }
            ?? Axis(target, .request, exchange.sent)
        return Fault(axis.place(at: position(on: axis, &dice)), effect)
    }

    /// A boundary, any byte, or one near the start, each as likely.
    private func position(on axis: Axis, _ dice: inout Dice) -> UInt64 {
        switch dice.roll(3) {
        case 0:
            let boundaries = axis.boundaries()
            return boundaries[Int(dice.roll(UInt64(boundaries.count)))]
        case 1: return dice.roll(axis.end + 1)
        default:
            let bits = UInt64(UInt64.bitWidth - axis.end.leadingZeroBitCount)
            return min(axis.end, axis.head + dice.roll(UInt64(1) << dice.roll(max(1, bits))))
        }
    }

    /// The draws of one schedule, in order.
    private struct Dice {
        let random: AddressedRandom
        let number: UInt64
        private var index: UInt64 = 0

        init(random: AddressedRandom, number: UInt64) {
            self.random = random
            self.number = number
        }

        /// A number below `bound`.
        mutating func roll(_ bound: UInt64) -> UInt64 {
            defer { index += 1 }
            return random.integer(
                below: bound,
                key: number,
                direction: .down,
                stage: .exploration,
                index: index
            )
        }
    }
}
