package import Basics

/// A network path as a value: packets, queues and a virtual TCP connection for each real one.
///
/// The link counts bytes and never sees them. It knows no clock: time is an argument of each
/// call and never runs backwards (an earlier time is taken as the latest one seen). Whatever is
/// due up to a call's time happens before the call itself. So calling `advance` early, late, in
/// small steps or again changes no event and no event's time.
///
/// Who drives it: call `open` for each connection; `send`, `finish`, `abort` as the real peers do
/// so; then `advance(to: now)`, take every event with `nextEvent()`, and come back at
/// `nextDeadline`.
package struct Link: ~Copyable {
    /// What one place in the tables belongs to.
    struct Slot {
        var connection: UInt32 = 0
        var generation: UInt32 = 0
        var isOpen = false
    }

    package private(set) var settings: LinkSettings
    let random: AddressedRandom
    var now = Instant.start
    var slots: [Slot] = []
    var freeSlots: [Int32] = []
    var slotOfConnection: [UInt32: Int32] = [:]
    /// By slot · 2 + direction: the end that sends in that direction, and the stream's path.
    var endpoints: [Endpoint] = []
    var paths: [PropagationPath] = []
    /// When the heap next wakes an endpoint; entries of other times are stale.
    var wakes: [Instant] = []
    // Not in an array: each packet comes here often, and there is no bound to check.
    var down: Lane
    var up: Lane
    /// Connections of cross traffic that are open.
    var crossFlows: UInt32 = 0
    /// Until when nothing enters, whatever the settings say.
    var blackoutEnd = Instant.start
    var handovers: HandoverClock
    var heap = EventHeap()
    var output = Endpoint.Output()
    var events = Ring<LinkEvent>()
    var records: [PacketRecord] = []

    /// Payload that a real sender's own kernel buffers before the link does, of each stream that is
    /// opened from now on: the model's send buffer is so much smaller.
    package var keptBySenders = 0
    /// Whether each packet's fate is kept for `takeRecords`.
    package var keepsRecords = false
    /// Packets that entered the link so far.
    package internal(set) var packetCount: UInt64 = 0
    /// Packets that were lost, dropped by a full queue or met an outage, by direction.
    package internal(set) var lostCount = (down: UInt64(0), up: UInt64(0))

    /// Makes a link with nothing on it, at time zero.
    package init(settings: LinkSettings, seed: UInt64) {
        self.settings = settings
        handovers = HandoverClock(settings.handovers, from: .start)
        random = AddressedRandom(seed: seed)
        down = Lane(.down, settings: settings, random: random)
        up = Lane(.up, settings: settings, random: random)
    }
}

// What the driver says.
extension Link {
    /// Opens both streams of connection `connection`, an ordinal from 0 that is used once.
    ///
    /// The SYN enters the link now, unless the settings say that there is no handshake.
    package mutating func open(_ connection: UInt32, at time: Instant) {
        advance(to: time)
        precondition(slotOfConnection[connection] == nil, "a connection is opened once")
        let slot = connect(connection)
        for direction in Direction.allCases {
            endpoints[index(slot, direction)].sender.keptElsewhere = Int64(keptBySenders)
        }
        adjustCrossTraffic()
    }

    /// Appends `count` bytes to the send buffer of `stream`; ignored after `finish`.
    ///
    /// Whoever stands for a real socket gives no more than `room(on:)`; the link itself takes any
    /// count and buffers it.
    package mutating func send(_ count: Int, on stream: Stream, at time: Instant) {
        advance(to: time)
        guard let end = endpoint(of: stream) else { return }
        endpoints[end].sender.write(count)
        pump(end)
    }

    /// How many bytes the send buffer of `stream` takes now.
    ///
    /// At 0 stop reading the real socket: `writable` is reported once an eighth is free again.
    package mutating func room(on stream: Stream) -> Int {
        guard let end = endpoint(of: stream) else { return 0 }
        return endpoints[end].sender.room()
    }

    /// Ends `stream` after its last byte (FIN), while the other direction stays open.
    package mutating func finish(_ stream: Stream, at time: Instant) {
        advance(to: time)
        guard let end = endpoint(of: stream) else { return }
        endpoints[end].sender.finish()
        pump(end)
    }

    /// Resets the connection from the sending end of `stream`: what waits there is discarded.
    ///
    /// The reset is a packet: it has the link's delay, can be lost and meets outages. It is reported
    /// as `aborted(stream)` once it has crossed. TCP does not repeat a lost one, but each packet that
    /// the other end still sends is answered with another (RFC 9293 §3.10.7.1); an end that sends
    /// nothing never learns. A reset does not stand in the queue, and bytes of its connection that
    /// do are not delivered after it: whoever looks at a peer that died learns so after the
    /// link's delay, however slow the link. A server end whose client's SYN has not come
    /// resets in answer to that SYN.
    package mutating func abort(_ stream: Stream, at time: Instant) {
        advance(to: time)
        guard let end = endpoint(of: stream), !endpoints[end].isClosed else { return }
        endpoints[end].abort(at: now, into: &output)
        route(from: end)
    }

    /// Says that the real receiver of `stream` has left `bytes` untaken of what was delivered so far.
    ///
    /// The receive window shrinks by so much, and by what is delivered before it is said again. A
    /// receiver with 0, as all have until said otherwise, is taken to keep up.
    package mutating func setBacklog(_ bytes: Int, of stream: Stream, at time: Instant) {
        if let end = endpoint(of: stream) { endpoints[end ^ 1].noteBacklog(bytes) }
        advance(to: time)
        guard let end = endpoint(of: stream) else { return }
        let receiver = end ^ 1
        endpoints[receiver].openWindow(at: now, into: &output)
        route(from: receiver)
        wake(receiver)
    }

    /// Forgets a connection at once, with its packets; no event follows for it.
    package mutating func remove(_ connection: UInt32, at time: Instant) {
        advance(to: time)
        forget(connection)
        adjustCrossTraffic()
    }

    mutating func forget(_ connection: UInt32) {
        guard let slot = slotOfConnection.removeValue(forKey: connection) else { return }
        slots[Int(slot)].isOpen = false
        slots[Int(slot)].generation += 1
        for direction in Direction.allCases {
            let place = index(slot, direction)
            let packets = paths[place].packets
            for position in packets.first..<packets.end {
                output.sacks.release(packets[position].acknowledgement.sackSlot)
            }
            // New ones are without memory; what was grown would be kept for the next connection.
            paths[place] = makePath(connection, direction)
            endpoints[place] = Endpoint(settings: settings.tcp, state: .listening)
            endpoints[place].close()
            wakes[place] = .never
        }
        freeSlots.append(slot)
    }

    /// Changes the settings for all packets that enter the link from now on.
    ///
    /// Traces of the new settings begin now, and so do outages of a direction, unless it had the
    /// same ones before. How TCP behaves changes for new connections only. Handovers at the same times as
    /// before go on, others count from now.
    package mutating func apply(_ settings: LinkSettings, at time: Instant) {
        advance(to: time)
        handovers.follow(settings.handovers, from: now)
        change(to: settings, handovers.current)
    }

    /// Nothing enters for a time, and what comes then meets another path.
    private mutating func handOver() {
        change(to: settings, handovers.begin())
    }

    private mutating func change(to wanted: LinkSettings, _ handover: Handover?) {
        var settings = wanted
        if let handover { (settings.down, settings.up) = (handover.down, handover.up) }
        let before = self.settings
        self.settings = settings
        down.apply(settings, before: before, random: random, at: now)
        up.apply(settings, before: before, random: random, at: now)
        for slot in slots.indices where slots[slot].isOpen {
            for direction in Direction.allCases {
                let place = index(Int32(slot), direction)
                paths[place].apply(makePath(slots[slot].connection, direction))
            }
        }
        if settings.crossTraffic != before.crossTraffic { endCrossTraffic() }
        adjustCrossTraffic()
    }
}

// What the driver asks.
extension Link {
    /// Lets everything happen that is due up to and at `time`.
    package mutating func advance(to time: Instant) {
        while true {
            let departure = min(down.queue.nextDeparture, up.queue.nextDeparture)
            let next = min(min(departure, nextWake), handovers.next)
            guard next <= time, next != .never else { break }
            now = max(now, next)
            if handovers.next == next {
                handOver()
            } else if down.queue.nextDeparture == next {
                depart(down.queue.depart(), .down)
            } else if up.queue.nextDeparture == next {
                depart(up.queue.depart(), .up)
            } else {
                takeWake(at: next)
            }
        }
        now = max(now, time)
    }

    /// Not later than the next thing that happens by itself; nil if nothing will.
    package var nextDeadline: Instant? {
        // A getter that only borrows would be handed a copy of the whole link.
        mutating get {
            let departure = min(down.queue.nextDeparture, up.queue.nextDeparture)
            let next = min(min(departure, nextWake), handovers.next)
            return next == .never ? nil : next
        }
    }

    /// How many handovers have begun so far.
    package var handoverCount: UInt64 { handovers.count }

    /// How many of the handovers of the settings in force have begun.
    package var begunHandovers: Int { handovers.begun }

    /// When the next packet arrives or the next timer is due.
    private var nextWake: Instant { min(min(down.line.next, up.line.next), heap.next) }

    /// When the next of the packets that wait for a rate, or are being sent, leaves; nil if there is
    /// none.
    package var nextDeparture: Instant? {
        mutating get {
            let next = min(down.queue.nextDeparture, up.queue.nextDeparture)
            return next == .never ? nil : next
        }
    }

    /// The next event that happened, in order of time; nil when all were taken.
    package mutating func nextEvent() -> LinkEvent? {
        events.isEmpty ? nil : events.removeFirst()
    }

    /// Bytes and packets that wait in the queue of `direction` at the latest time seen.
    package mutating func queued(_ direction: Direction) -> (packets: Int, bytes: Int) {
        direction == .down ? down.queue.waiting(at: now) : up.queue.waiting(at: now)
    }

    /// The fates kept since the last call, in the order in which they were sealed.
    package mutating func takeRecords() -> [PacketRecord] {
        defer { records.removeAll(keepingCapacity: true) }
        return records
    }

    /// The sender of `stream` as numbers, for displays and logs; nil if it is not open.
    package func state(of stream: Stream) -> StreamState? {
        guard let end = endpoint(of: stream) else { return nil }
        return StreamState(endpoints[end].sender)
    }
}
