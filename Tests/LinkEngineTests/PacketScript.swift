import Basics
import LinkEngine

/// One stream over a link, packet by packet: what is lost is given, what was sent is a table.
///
/// The round trip is 100 ms and there is no handshake, so each time in the table is made by the
/// sender's timers, by acknowledgements and, where one is given, by the rate.
struct PacketScript: ~Copyable {
    static let segmentBytes = 1_448
    static let stream = Stream(connection: 0, direction: .down)

    private(set) var link: Link
    private(set) var events: [LinkEvent] = []
    private var packets: [PacketRecord] = []
    private var settings = LinkSettings.symmetric(delay: .milliseconds(50))

    /// Loses data, each by its place in the stream and the sends before it, and acknowledgements,
    /// each by its number.
    ///
    /// At `packetsPerSecond` full segments the sender's clock shows; without, a window leaves at
    /// once.
    init(
        losing lost: [(segment: UInt64, resends: UInt64)] = [],
        acknowledgements: [UInt64] = [],
        congestion: TCPSettings.CongestionControl = .reno,
        behaviour: TCPSettings.Behaviour = .linux,
        packetsPerSecond: UInt64? = nil
    ) {
        settings.tcp.handshake = false
        settings.tcp.congestionControl = congestion
        settings.tcp.behaviour = behaviour
        settings.down.loss = .list(lost.map { $0.resends << 32 + $0.segment }.sorted())
        settings.up.loss = .list(acknowledgements.map { 2 << 60 + $0 })
        if let rate = packetsPerSecond.flatMap({ BitRate(bitsPerSecond: $0 * 12_000) }) {
            settings.down.capacity = .rate(rate)
            settings.down.queue = .packets(1_000)
        }
        link = Link(settings: settings, seed: 1)
        link.keepsRecords = true
        link.open(0, at: .start)
    }

    private static func at(_ milliseconds: Int64) -> Instant {
        .start + .milliseconds(milliseconds)
    }

    mutating func send(segments: Int, at milliseconds: Int64) {
        link.send(segments * Self.segmentBytes, on: Self.stream, at: Self.at(milliseconds))
    }

    /// Says how much the receiving application has not read.
    mutating func setBacklog(_ bytes: Int, at milliseconds: Int64) {
        link.setBacklog(bytes, of: Self.stream, at: Self.at(milliseconds))
    }

    /// The way of the data takes this long from now on.
    mutating func delay(milliseconds: Int64, at time: Int64) {
        settings.down.delay = .milliseconds(milliseconds)
        link.apply(settings, at: Self.at(time))
    }

    mutating func blackOut(from begin: Int64, until end: Int64) {
        link.blackOut(until: Self.at(end), at: Self.at(begin))
    }

    mutating func run(until milliseconds: Int64) {
        link.advance(to: Self.at(milliseconds))
        while let event = link.nextEvent() { events.append(event) }
        packets += link.takeRecords()
    }

    /// Segments that may be in flight.
    var window: Int { link.state(of: Self.stream)?.windowSegments ?? 0 }
    var timeoutMilliseconds: Int64 {
        link.state(of: Self.stream)?.timeout.wholeMilliseconds ?? 0
    }

    var deliveredSegments: Int {
        let bytes = events.reduce(0) { sum, event in
            if case .deliver(_, let count) = event.kind { sum + count } else { sum }
        }
        return bytes / Self.segmentBytes
    }

    /// When packets of a kind were sent, in milliseconds, rounded up.
    func times(_ kind: PacketRecord.Kind) -> [Int64] {
        packets.filter { $0.kind == kind }.map(Self.milliseconds).sorted()
    }

    /// When one segment was sent each time, in milliseconds.
    func times(ofSegment number: UInt64) -> [Int64] {
        packets.filter { $0.kind == .data && $0.place.number == number }
            .map(Self.milliseconds).sorted()
    }

    private static func milliseconds(_ packet: PacketRecord) -> Int64 {
        (packet.enter.nanoseconds + 999_999) / 1_000_000
    }

    /// The data sent from `begin` on, a line for each time: `200: 30-69 24'` is segments 30 to 69
    /// and the first resend of 24, sent at 200 ms.
    func table(from begin: Int64 = 0) -> [String] {
        let data = packets.filter { $0.kind == .data && Self.milliseconds($0) >= begin }
        let times = Dictionary(grouping: data, by: Self.milliseconds)
        return times.keys.sorted().map { time in
            let places = (times[time] ?? []).map(\.place)
            let resends = Dictionary(grouping: places, by: \.resends)
            let runs = resends.keys.sorted().flatMap { count in
                Self.runs((resends[count] ?? []).map(\.number).sorted())
                    .map { $0 + String(repeating: "'", count: Int(count)) }
            }
            return "\(time): \(runs.joined(separator: " "))"
        }
    }

    private static func runs(_ numbers: [UInt64]) -> [String] {
        var ranges: [ClosedRange<UInt64>] = []
        for number in numbers {
            if let last = ranges.last, last.upperBound + 1 == number {
                ranges[ranges.count - 1] = last.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        return ranges.map {
            $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
        }
    }
}
