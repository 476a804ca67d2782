internal import Basics

/// The shared end of one direction: a drop-tail queue in front of a rate or a trace.
///
/// Departure times are known when a packet arrives, because nothing overtakes: what waits is a
/// ring in order of departure.
struct Bottleneck {
    private struct Waiting {
        var start: Instant
        var wireBytes: Int
    }

    private var capacity: Capacity
    private var limit: QueueLimit
    /// Packets that have not left yet, in order of `due`.
    private(set) var packets = Ring<Packet>()
    /// The same packets' starts of service, from `waitingFrom` on not yet begun.
    private var services = Ring<Waiting>()
    private var waitingBytes = 0
    /// When the first packet leaves.
    private(set) var nextDeparture = Instant.never
    private var busyUntil = Instant.start
    private var opportunity: TraceCursor?
    /// The serialization time last computed: most packets of a direction are of one size, and a
    /// division is slow.
    private var lastSize = 0
    private var lastSerialization = Duration.zero

    init(capacity: Capacity, limit: QueueLimit, roundTrip: Duration, origin: Instant) {
        self.capacity = capacity
        self.limit = Self.resolve(limit, capacity: capacity, roundTrip: roundTrip)
        opportunity = Self.cursor(capacity, origin: origin)
    }

    /// Changes rate and limit for packets that arrive from now on.
    mutating func apply(
        capacity: Capacity,
        limit: QueueLimit,
        roundTrip: Duration,
        at now: Instant
    ) {
        if capacity != self.capacity { opportunity = Self.cursor(capacity, origin: now) }
        self.capacity = capacity
        self.limit = Self.resolve(limit, capacity: capacity, roundTrip: roundTrip)
        lastSize = 0
    }

    /// Nothing waits and nothing is limited, so that a packet need not enter.
    func isBypassed(at now: Instant) -> Bool {
        busyUntil <= now && packets.isEmpty && capacity == .unlimited
    }

    mutating func depart() -> Packet {
        let packet = packets.removeFirst()
        nextDeparture = packets.isEmpty ? .never : packets[packets.first].due
        return packet
    }

    /// What waits at `now`, the packet being sent left out.
    mutating func waiting(at now: Instant) -> (packets: Int, bytes: Int) {
        while !services.isEmpty, services[services.first].start <= now {
            waitingBytes -= services.removeFirst().wireBytes
        }
        return (services.count, waitingBytes)
    }

    /// Takes a packet that arrives at `now`; false if the queue is full and it is dropped.
    mutating func accept(_ packet: Packet, at now: Instant) -> Bool {
        let size = Int(packet.wireBytes)
        let queue = waiting(at: now)
        let isBusy = now < busyUntil
        if isBusy {
            switch limit {
            case .packets(let most) where queue.packets >= most: return false
            case .bytes(let most) where queue.bytes + size > most: return false
            default: break
            }
        }
        let service = serve(size, arriving: now)
        if service.start > now {
            services.append(Waiting(start: service.start, wireBytes: size))
            waitingBytes += size
        }
        busyUntil = service.end
        if packets.isEmpty { nextDeparture = service.end }
        packets.append(packet)
        packets[packets.end - 1].due = service.end
        return true
    }

    private mutating func serve(_ size: Int, arriving now: Instant) -> (
        start: Instant, end: Instant
    ) {
        switch capacity {
        case .unlimited:
            let time = max(now, busyUntil)
            return (time, time)
        case .rate(let rate):
            if size != lastSize {
                lastSize = size
                lastSerialization = rate.serializationTime(bytes: size)
            }
            let start = max(now, busyUntil)
            return (start, start + lastSerialization)
        case .trace(let trace):
            return opportunity?.serve(size, arriving: now, trace: trace) ?? (now, now)
        }
    }

    private static func cursor(_ capacity: Capacity, origin: Instant) -> TraceCursor? {
        guard case .trace = capacity else { return nil }
        return TraceCursor(origin: origin)
    }

    /// `automatic` is 50 packets, or one bandwidth-delay product if that is more.
    static func resolve(
        _ limit: QueueLimit,
        capacity: Capacity,
        roundTrip: Duration
    ) -> QueueLimit {
        guard case .automatic = limit else { return limit }
        let bitsPerSecond: UInt64
        switch capacity {
        case .unlimited: return .packets(.max)
        case .rate(let rate): bitsPerSecond = rate.bitsPerSecond
        case .trace(let trace): bitsPerSecond = trace.meanBitsPerSecond
        }
        let microseconds = UInt64(max(roundTrip.nanoseconds, 0)) / 1_000
        let bits = bitsPerSecond.multipliedFullWidth(by: microseconds)
        let product = 1_000_000 > bits.high ? (1_000_000 as UInt64).dividingFullWidth(bits) : nil
        return .packets(max(50, Int((product?.quotient ?? .max / 2) / 12_000)))
    }
}

/// The place of the next unused byte in an endlessly repeated trace.
struct TraceCursor {
    private let origin: Instant
    private var period: Int64 = 0
    private var index = 0
    private var usedBytes = 0

    static let opportunityBytes = 1_500

    init(origin: Instant) { self.origin = origin }

    private func time(_ trace: DeliveryTrace) -> Instant {
        let list = trace.opportunitiesMilliseconds
        let milliseconds = Int64(list[list.count - 1]) * period + Int64(list[index])
        return origin + .milliseconds(milliseconds)
    }

    private mutating func next(_ trace: DeliveryTrace) {
        usedBytes = 0
        index += 1
        if index == trace.opportunitiesMilliseconds.count {
            index = 0
            period += 1
        }
    }

    /// Skips what was not used before `now`; opportunities missed are lost.
    private mutating func skip(to now: Instant, _ trace: DeliveryTrace) {
        guard time(trace) < now else { return }
        let list = trace.opportunitiesMilliseconds
        let length = Duration.milliseconds(Int64(list[list.count - 1]))
        let elapsed = now - origin
        let whole = elapsed.nanoseconds / length.nanoseconds
        if whole > period {
            period = whole - 1
            index = 0
        }
        usedBytes = 0
        let wanted = elapsed - length * period
        index = Self.first(list, atOrAfter: wanted)
        if index == list.count {
            period += 1
            index = Self.first(list, atOrAfter: wanted - length)
        }
    }

    private static func first(_ list: [UInt32], atOrAfter time: Duration) -> Int {
        var low = 0
        var high = list.count
        while low < high {
            let middle = (low + high) / 2
            if Duration.milliseconds(Int64(list[middle])) < time {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// Takes `size` bytes from the opportunities at or after `now`.
    mutating func serve(_ size: Int, arriving now: Instant, trace: DeliveryTrace) -> (
        start: Instant, end: Instant
    ) {
        skip(to: now, trace)
        let start = time(trace)
        var left = size
        while true {
            let free = Self.opportunityBytes - usedBytes
            if left < free {
                usedBytes += left
                return (start, time(trace))
            }
            left -= free
            let end = time(trace)
            next(trace)
            if left == 0 { return (start, end) }
        }
    }
}
