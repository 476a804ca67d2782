import Basics
import LinkEngine

/// One way of loading the engine.
struct Scenario {
    var name: String
    var connections: UInt32
    var bytesPerConnection: Int
    var settings: LinkSettings
}

func rate(_ megabits: UInt64) -> Capacity {
    BitRate(bitsPerSecond: megabits * 1_000_000).map { .rate($0) } ?? .unlimited
}

func path(rtt: Int64, megabits: UInt64?, lossPerMille: UInt64) -> LinkSettings {
    var settings = LinkSettings()
    settings.down.delay = .milliseconds(rtt / 2)
    settings.up.delay = .milliseconds(rtt / 2)
    if let megabits {
        settings.down.capacity = rate(megabits)
        settings.up.capacity = rate(megabits)
    }
    if lossPerMille > 0, let chance = Probability(lossPerMille, outOf: 1_000) {
        settings.down.loss = .bernoulli(chance)
    }
    return settings
}

let scenarios = [
    Scenario(
        name: "1 stream, 1 Gbit/s, 10 ms",
        connections: 1,
        bytesPerConnection: 4_000_000_000,
        settings: path(rtt: 10, megabits: 1_000, lossPerMille: 0)
    ),
    Scenario(
        name: "1 stream, unlimited rate, 40 ms, 0.1 % loss",
        connections: 1,
        bytesPerConnection: 1_000_000_000,
        settings: path(rtt: 40, megabits: nil, lossPerMille: 1)
    ),
    Scenario(
        name: "50 streams, 50 Mbit/s, 100 ms, 1 % loss",
        connections: 50,
        bytesPerConnection: 20_000_000,
        settings: path(rtt: 100, megabits: 50, lossPerMille: 10)
    ),
    Scenario(
        name: "1000 streams, 1 Gbit/s, 100 ms",
        connections: 1_000,
        bytesPerConnection: 2_000_000,
        settings: path(rtt: 100, megabits: 1_000, lossPerMille: 0)
    ),
]

/// Sends each connection's bytes down the link as room allows; returns the packets handled.
func run(_ scenario: Scenario) -> UInt64 {
    var link = Link(settings: scenario.settings, seed: 1)
    var left = [Int](
        repeating: scenario.bytesPerConnection,
        count: Int(scenario.connections)
    )
    func fill(_ link: inout Link, _ connection: UInt32, at now: Instant) {
        let stream = Stream(connection: connection, direction: .down)
        while left[Int(connection)] > 0 {
            let count = min(left[Int(connection)], link.room(on: stream))
            if count == 0 { return }
            link.send(count, on: stream, at: now)
            left[Int(connection)] -= count
        }
        link.finish(stream, at: now)
    }
    for connection in 0..<scenario.connections {
        link.open(connection, at: .start)
        fill(&link, connection, at: .start)
    }
    var finished: UInt32 = 0
    while finished < scenario.connections, let deadline = link.nextDeadline {
        link.advance(to: deadline)
        while let event = link.nextEvent() {
            switch event.kind {
            case .writable(let stream): fill(&link, stream.connection, at: event.at)
            case .finished: finished += 1
            case .deliver, .aborted, .timedOut: break
            }
        }
    }
    return link.packetCount
}

/// `EngineBench [DIVISOR [INDEX]]`: a part of the bytes only, or one scenario only, for tools that
/// count instructions.
let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let divisor = max(1, arguments.first ?? 1)
let chosen = arguments.count > 1 ? arguments[1] : nil

let clock = ContinuousClock()
for (index, full) in scenarios.enumerated() where chosen == nil || chosen == index {
    var scenario = full
    scenario.bytesPerConnection /= divisor
    var packets: UInt64 = 0
    let time = clock.measure { packets = run(scenario) }
    let nanoseconds = UInt64(time / .nanoseconds(1))
    let thousandsPerSecond = packets * 1_000_000 / max(nanoseconds, 1)
    print(
        "\(scenario.name): \(packets) packets, \(thousandsPerSecond) thousand packets/s, "
            + "\(nanoseconds / max(packets, 1)) ns each"
    )
}
