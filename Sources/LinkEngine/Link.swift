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
    private struct Slot {
        var connection: UInt32 = 0
        var generation: UInt32 = 0
        var isOpen = false
    }

    package private(set) var settings: LinkSettings
    private let random: AddressedRandom
    private var now = Instant.start
    private var slots: [Slot] = []
    private var freeSlots: [Int32] = []
    private var slotOfConnection: [UInt32: Int32] = [:]
    /// By slot · 2 + direction: the end that sends in that direction, and the stream's path.
    private var endpoints: [Endpoint] = []
    private var paths: [PropagationPath] = []
    /// When the heap next wakes an endpoint; entries of other times are stale.
    private var wakes: [Instant] = []
    /// By direction.
    private var bottlenecks: [Bottleneck]
    private var outages: [OutageClock]
    private var heap = EventHeap()
    private var sacks = SACKPool()
    private var output = Endpoint.Output()
    private var events = Ring(filler: LinkEvent(at: .start, kind: .timedOut(connection: 0)))
    private var records: [PacketRecord] = []

    /// Whether each packet's fate is kept for `takeRecords`.
    package var keepsRecords = false
    /// Packets that entered the link so far.
    package private(set) var packetCount: UInt64 = 0
    /// Packets that were lost, dropped by a full queue or met an outage, by direction.
    package private(set) var lostCount = (down: UInt64(0), up: UInt64(0))

    /// Makes a link with nothing on it, at time zero.
    package init(settings: LinkSettings, seed: UInt64) {
        self.settings = settings
        random = AddressedRandom(seed: seed)
        bottlenecks = Direction.allCases.map { direction in
            Bottleneck(
                capacity: settings[direction].capacity,
                limit: settings[direction].queue,
                roundTrip: settings.roundTrip,
                origin: .start
            )
        }
        let random = random
        outages = Direction.allCases.map { direction in
            OutageClock(
                outages: settings[direction].outages,
                random: random,
                direction: direction,
                origin: .start
            )
        }
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
        let slot = takeSlot(for: connection)
        let client = index(slot, .up)
        let server = index(slot, .down)
        if settings.tcp.handshake {
            endpoints[client].connect(at: now, into: &output)
            route(from: client)
        } else {
            endpoints[client].openAtOnce(at: now)
            endpoints[server].openAtOnce(at: now)
        }
        wake(client)
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

    /// Resets the connection from the sending end of `stream`: what waits there is discarded, the
    /// reset crosses the link once, is never lost, and is reported as `aborted(stream)`.
    package mutating func abort(_ stream: Stream, at time: Instant) {
        advance(to: time)
        guard let end = endpoint(of: stream), !endpoints[end].isClosed else { return }
        endpoints[end].close()
        var packet = Packet(kind: .reset)
        packet.sentAt = now
        output.packets.append(Endpoint.Outgoing(packet: packet))
        route(from: end)
    }

    /// Says that the real receiver of `stream` has left `bytes` delivered bytes untaken.
    ///
    /// The receive window shrinks by so much; 0 until said otherwise.
    package mutating func setBacklog(_ bytes: Int, of stream: Stream, at time: Instant) {
        advance(to: time)
        guard let end = endpoint(of: stream) else { return }
        let receiver = end ^ 1
        endpoints[receiver].setBacklog(bytes, at: now, into: &output)
        route(from: receiver)
        wake(receiver)
    }

    /// Forgets a connection at once, with its packets; no event follows for it.
    package mutating func remove(_ connection: UInt32, at time: Instant) {
        advance(to: time)
        guard let slot = slotOfConnection.removeValue(forKey: connection) else { return }
        slots[Int(slot)].isOpen = false
        slots[Int(slot)].generation += 1
        for direction in Direction.allCases {
            let place = index(slot, direction)
            let packets = paths[place].packets
            for position in packets.first..<packets.end {
                _ = sacks.take(packets[position].acknowledgement.sackSlot)
            }
            paths[place].removeAll()
            endpoints[place].close()
            wakes[place] = .never
        }
        freeSlots.append(slot)
    }

    /// Changes the settings for all packets that enter the link from now on.
    ///
    /// Outages and traces of the new settings begin now. How TCP behaves changes for new
    /// connections only.
    package mutating func apply(_ settings: LinkSettings, at time: Instant) {
        advance(to: time)
        self.settings = settings
        for direction in Direction.allCases {
            let place = Int(direction.rawValue)
            bottlenecks[place].apply(
                capacity: settings[direction].capacity,
                limit: settings[direction].queue,
                roundTrip: settings.roundTrip,
                at: now
            )
            outages[place] = OutageClock(
                outages: settings[direction].outages,
                random: random,
                direction: direction,
                origin: now
            )
        }
        for slot in slots.indices where slots[slot].isOpen {
            for direction in Direction.allCases {
                let place = index(Int32(slot), direction)
                paths[place].apply(makePath(slots[slot].connection, direction))
            }
        }
    }
}

// What the driver asks.
extension Link {
    /// Lets everything happen that is due up to and at `time`.
    package mutating func advance(to time: Instant) {
        while true {
            let down = bottlenecks[0].nextDeparture
            let up = bottlenecks[1].nextDeparture
            let wake = heap.first?.time ?? .never
            let next = min(down, min(up, wake))
            guard next <= time, next != .never else { break }
            now = max(now, next)
            if down == next {
                depart(.down)
            } else if up == next {
                depart(.up)
            } else {
                takeWake()
            }
        }
        now = max(now, time)
    }

    /// Not later than the next thing that happens by itself; nil if nothing will.
    package var nextDeadline: Instant? {
        let departure = min(bottlenecks[0].nextDeparture, bottlenecks[1].nextDeparture)
        let next = min(departure, heap.first?.time ?? .never)
        return next == .never ? nil : next
    }

    /// The next event that happened, in order of time; nil when all were taken.
    package mutating func nextEvent() -> LinkEvent? {
        events.isEmpty ? nil : events.removeFirst()
    }

    /// Bytes and packets that wait in the queue of `direction` at the latest time seen.
    package mutating func queued(_ direction: Direction) -> (packets: Int, bytes: Int) {
        bottlenecks[Int(direction.rawValue)].waiting(at: now)
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

// Connections.
extension Link {
    private func index(_ slot: Int32, _ direction: Direction) -> Int {
        Int(slot) * 2 + Int(direction.rawValue)
    }

    private func endpoint(of stream: Stream) -> Int? {
        slotOfConnection[stream.connection].map { index($0, stream.direction) }
    }

    private func makePath(_ connection: UInt32, _ direction: Direction) -> PropagationPath {
        PropagationPath(
            path: settings[direction],
            indexing: settings.indexing,
            random: random,
            key: UInt64(connection),
            direction: direction
        )
    }

    private mutating func takeSlot(for connection: UInt32) -> Int32 {
        let slot: Int32
        if let free = freeSlots.popLast() {
            slot = free
        } else {
            slot = Int32(slots.count)
            slots.append(Slot())
        }
        let generation = slots[Int(slot)].generation
        slots[Int(slot)] = Slot(connection: connection, generation: generation, isOpen: true)
        slotOfConnection[connection] = slot
        for direction in Direction.allCases {
            let end = Endpoint(settings: settings.tcp, state: .listening)
            let path = makePath(connection, direction)
            let place = index(slot, direction)
            if place < endpoints.count {
                endpoints[place] = end
                paths[place] = path
                wakes[place] = .never
            } else {
                endpoints.append(end)
                paths.append(path)
                wakes.append(.never)
            }
        }
        return slot
    }

    private func stream(sentBy end: Int) -> Stream {
        Stream(
            connection: slots[end / 2].connection,
            direction: end & 1 == 0 ? .down : .up
        )
    }

    private mutating func pump(_ end: Int) {
        endpoints[end].pump(at: now, into: &output)
        route(from: end)
        wake(end)
    }

    private mutating func reportRoom(_ end: Int) {
        guard endpoints[end].sender.wakeWriter() else { return }
        events.append(LinkEvent(at: now, kind: .writable(stream(sentBy: end))))
    }
}

// Packets.
extension Link {
    /// Puts what endpoint `end` sent onto the link.
    private mutating func route(from end: Int) {
        let slot = Int32(end / 2)
        for var outgoing in output.packets {
            outgoing.packet.slot = slot
            outgoing.packet.generation = slots[end / 2].generation
            outgoing.packet.acknowledgement.sackSlot = sacks.store(outgoing.sacks)
            enter(outgoing.packet, path: end)
        }
        output.packets.removeAll(keepingCapacity: true)
    }

    private mutating func enter(_ packet: Packet, path: Int) {
        packetCount += 1
        var packet = packet
        var start = now
        if let end = outages[path & 1].outageEnd(at: now), packet.kind != .reset {
            if settings[path & 1 == 0 ? .down : .up].outages.treatment == .drop {
                paths[path].skip(&packet)
                seal(packet, path: path, fate: .outage)
                return
            }
            start = end
        }
        let wasIdle = paths[path].packets.isEmpty
        guard paths[path].enter(&packet, at: start) == .travels else {
            seal(packet, path: path, fate: .lost)
            return
        }
        if wasIdle { heap.push(arrival(of: path)) }
    }

    private func arrival(of path: Int) -> EventHeap.Entry {
        EventHeap.Entry(
            time: paths[path].nextArrival,
            order: order(path, isTimer: false),
            target: Int32(path),
            generation: slots[path / 2].generation
        )
    }

    /// Ties: by connection, then direction, packets before timers.
    private func order(_ place: Int, isTimer: Bool) -> UInt64 {
        UInt64(slots[place / 2].connection) << 2 | UInt64(place & 1) << 1 | (isTimer ? 1 : 0)
    }

    /// The packet's story ends: it is recorded and its SACK blocks are given back.
    @discardableResult
    private mutating func seal(
        _ packet: Packet,
        path: Int,
        fate: PacketRecord.Fate
    ) -> SACKBlocks {
        if fate != .delivered {
            if path & 1 == 0 { lostCount.down += 1 } else { lostCount.up += 1 }
        }
        if keepsRecords {
            records.append(
                PacketRecord(
                    stream: stream(sentBy: path),
                    index: packet.index,
                    kind: PacketRecord.Kind(packet.kind),
                    offset: packet.offset,
                    length: Int(packet.payload),
                    fate: fate,
                    enter: packet.sentAt,
                    leave: fate == .delivered ? now : nil
                )
            )
        }
        return sacks.take(packet.acknowledgement.sackSlot)
    }

    private mutating func takeWake() {
        guard let entry = heap.first else { return }
        let place = Int(entry.target)
        guard entry.generation == slots[place / 2].generation else {
            _ = heap.popFirst()
            return
        }
        if entry.order & 1 == 1 {
            _ = heap.popFirst()
            takeTimer(place, entry.time)
        } else {
            takeArrival(place)
        }
    }

    private mutating func takeTimer(_ end: Int, _ time: Instant) {
        guard wakes[end] == time else { return }
        wakes[end] = .never
        if endpoints[end].deadline <= now {
            if endpoints[end].expire(at: now, into: &output) {
                route(from: end)
            } else {
                output.packets.removeAll(keepingCapacity: true)
                giveUp(end)
            }
        }
        wake(end)
    }

    private mutating func giveUp(_ end: Int) {
        endpoints[end].close()
        endpoints[end ^ 1].close()
        let connection = slots[end / 2].connection
        events.append(LinkEvent(at: now, kind: .timedOut(connection: connection)))
    }

    /// The first packet of a path reaches the shared queue.
    private mutating func takeArrival(_ path: Int) {
        let packet = paths[path].arrive()
        if paths[path].packets.isEmpty {
            _ = heap.popFirst()
        } else {
            heap.replaceFirst(with: arrival(of: path))
        }
        let direction = path & 1
        if bottlenecks[direction].isBypassed(at: now) {
            deliver(packet, path: path)
        } else if !bottlenecks[direction].accept(
            packet,
            at: now,
            mayDrop: packet.kind != .reset
        ) {
            seal(packet, path: path, fate: .full)
        }
    }

    private mutating func depart(_ direction: Direction) {
        let packet = bottlenecks[Int(direction.rawValue)].depart()
        let slot = Int(packet.slot)
        guard packet.generation == slots[slot].generation else {
            _ = sacks.take(packet.acknowledgement.sackSlot)
            return
        }
        deliver(packet, path: index(packet.slot, direction))
    }

    private mutating func deliver(_ packet: Packet, path: Int) {
        let blocks = seal(packet, path: path, fate: .delivered)
        let receiver = path ^ 1
        if packet.kind == .reset {
            deliverReset(path)
            return
        }
        let arrival = endpoints[receiver].receive(packet, sacks: blocks, at: now, into: &output)
        if !output.packets.isEmpty { route(from: receiver) }
        if arrival.delivered > 0 {
            let kind = LinkEvent.Kind.deliver(stream(sentBy: path), count: arrival.delivered)
            events.append(LinkEvent(at: now, kind: kind))
        }
        if arrival.finished {
            events.append(LinkEvent(at: now, kind: .finished(stream(sentBy: path))))
        }
        reportRoom(receiver)
        wake(receiver)
    }

    private mutating func deliverReset(_ path: Int) {
        guard !endpoints[path ^ 1].isClosed else { return }
        endpoints[path ^ 1].close()
        events.append(LinkEvent(at: now, kind: .aborted(stream(sentBy: path))))
    }

    /// Makes sure that the heap wakes endpoint `end` in time.
    private mutating func wake(_ end: Int) {
        let deadline = endpoints[end].deadline
        guard deadline < wakes[end] else { return }
        wakes[end] = deadline
        heap.push(
            EventHeap.Entry(
                time: deadline,
                order: order(end, isTimer: true),
                target: Int32(end),
                generation: slots[end / 2].generation
            )
        )
    }
}
