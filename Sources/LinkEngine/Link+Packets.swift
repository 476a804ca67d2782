internal import Basics

// The walk of a packet: out of an end, over its path, through the shared queue, into the other end.
extension Link {
    /// Puts what endpoint `end` sent onto the link.
    mutating func route(from end: Int) {
        guard !output.packets.isEmpty else { return }
        let slot = slots[end / 2]
        for index in 0..<output.packets.count {
            var outgoing = output.packets[index]
            outgoing.packet.slot = Int32(end / 2)
            outgoing.packet.generation = slot.generation
            enter(&outgoing, path: end, connection: slot.connection)
        }
        output.removeAll()
    }

    /// A packet of the stream that `path` is of enters the link.
    mutating func enter(_ outgoing: inout Outgoing, path: Int, connection: UInt32) {
        packetCount += 1
        var start = now
        if now < max(blackoutEnd, handovers.silenceEnd) {
            paths[path].skip(&outgoing)
            drop(outgoing.packet, path: path, fate: .outage)
            return
        }
        let isDown = path & 1 == 0
        let outageEnd =
            isDown ? down.outages.outageEnd(at: now) : up.outages.outageEnd(at: now)
        if let end = outageEnd {
            if settings[direction(of: path)].outages.treatment == .drop {
                paths[path].skip(&outgoing)
                drop(outgoing.packet, path: path, fate: .outage)
                return
            }
            start = end
        }
        switch paths[path].enter(&outgoing, at: start) {
        case .lost: drop(outgoing.packet, path: path, fate: .lost)
        case .follows: break
        case .travels:
            let packet = outgoing.packet
            let fitsIn =
                isDown
                ? down.line.append(packet, of: connection) : up.line.append(packet, of: connection)
            if fitsIn { break }
            paths[path].append(packet)
            heap.push(arrival(of: path))
        }
    }

    private func arrival(of path: Int) -> EventHeap.Entry {
        EventHeap.Entry(
            time: paths[path].nextArrival,
            order: order(slots[path / 2].connection, path & 1, isTimer: false),
            target: Int32(path),
            generation: slots[path / 2].generation
        )
    }

    /// Ties: by connection, then direction, packets before timers.
    private func order(_ connection: UInt32, _ direction: Int, isTimer: Bool) -> UInt64 {
        UInt64(connection) << 2 | UInt64(direction) << 1 | (isTimer ? 1 : 0)
    }

    /// The packet's story ends without delivery: its SACK blocks are given back.
    private mutating func drop(_ packet: Packet, path: Int, fate: PacketRecord.Fate) {
        seal(packet, path: path, fate: fate)
        output.sacks.release(packet.acknowledgement.sackSlot)
        guard packet.kind == .datagram else { return }
        let number = UInt64(packet.offset)
        let kind = LinkEvent.Kind.lost(stream(sentBy: path), number: number, fate)
        events.append(LinkEvent(at: now, kind: kind))
    }

    private mutating func seal(_ packet: Packet, path: Int, fate: PacketRecord.Fate) {
        if fate != .delivered {
            if path & 1 == 0 { lostCount.down += 1 } else { lostCount.up += 1 }
        }
        if keepsRecords, !isCross(path) {
            records.append(
                PacketRecord(
                    stream: stream(sentBy: path),
                    index: packet.index,
                    kind: PacketRecord.Kind(packet.kind),
                    offset: packet.offset,
                    length: packet.payload,
                    fate: fate,
                    enter: packet.sentAt,
                    leave: fate == .delivered ? now : nil
                )
            )
        }
    }

    /// What is due at `time`: the first of the heap and of the two lines, equal times by `order`.
    mutating func takeWake(at time: Instant) {
        let downOrder = down.line.next == time ? order(down.line.nextOwner, 0) : .max
        let upOrder = up.line.next == time ? order(up.line.nextOwner, 1) : .max
        let entryOrder = heap.next == time ? heap.first?.order ?? .max : .max
        if min(downOrder, upOrder) > entryOrder {
            takeEntry()
        } else if downOrder < upOrder {
            leaveLine(down.line.arrive(), .down)
        } else {
            leaveLine(up.line.arrive(), .up)
        }
    }

    /// A packet of a connection that is no more goes first: nothing happens with it.
    private func order(_ owner: (slot: Int, generation: UInt32), _ direction: Int) -> UInt64 {
        guard slots[owner.slot].generation == owner.generation else { return 0 }
        return order(slots[owner.slot].connection, direction, isTimer: false)
    }

    private mutating func leaveLine(_ packet: Packet, _ direction: Direction) {
        if packet.generation == slots[Int(packet.slot)].generation {
            arrive(packet, path: index(packet.slot, direction))
        } else {
            output.sacks.release(packet.acknowledgement.sackSlot)
        }
    }

    private mutating func takeEntry() {
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
                output.removeAll()
                giveUp(end)
            }
        }
        wake(end)
    }

    private mutating func giveUp(_ end: Int) {
        endpoints[end].close()
        endpoints[end ^ 1].close()
        guard !isCross(end) else { return }
        let connection = slots[end / 2].connection
        events.append(LinkEvent(at: now, kind: .timedOut(connection: connection)))
    }

    /// The first packet that waits in a path arrives.
    private mutating func takeArrival(_ path: Int) {
        let packet = paths[path].arrive()
        if paths[path].packets.isEmpty {
            _ = heap.popFirst()
        } else {
            heap.replaceFirst(with: arrival(of: path))
        }
        arrive(packet, path: path)
    }

    /// A packet reaches the shared queue.
    private mutating func arrive(_ packet: Packet, path: Int) {
        let isDown = path & 1 == 0
        let isBypassed =
            isDown ? down.queue.isBypassed(at: now) : up.queue.isBypassed(at: now)
        if isBypassed || packet.kind == .reset {
            deliver(packet, path: path)
        } else if !(isDown
            ? down.queue.accept(packet, at: now) : up.queue.accept(packet, at: now))
        {
            drop(packet, path: path, fate: .full)
        }
    }

    /// A packet has left the shared queue.
    mutating func depart(_ packet: Packet, _ direction: Direction) {
        let slot = Int(packet.slot)
        guard packet.generation == slots[slot].generation else {
            output.sacks.release(packet.acknowledgement.sackSlot)
            return
        }
        deliver(packet, path: index(packet.slot, direction))
    }

    private mutating func deliver(_ packet: Packet, path: Int) {
        seal(packet, path: path, fate: .delivered)
        let receiver = path ^ 1
        if packet.kind == .reset {
            deliverReset(path)
            return
        }
        if packet.kind == .datagram {
            let number = UInt64(packet.offset)
            let kind = LinkEvent.Kind.arrived(stream(sentBy: path), number: number)
            events.append(LinkEvent(at: now, kind: kind))
            return
        }
        let arrival = endpoints[receiver].receive(packet, at: now, into: &output)
        output.sacks.release(packet.acknowledgement.sackSlot)
        route(from: receiver)
        if arrival.delivered > 0, !isCross(path) {
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
    mutating func wake(_ end: Int) {
        let deadline = endpoints[end].deadline
        guard deadline < wakes[end] else { return }
        wakes[end] = deadline
        heap.push(
            EventHeap.Entry(
                time: deadline,
                order: order(slots[end / 2].connection, end & 1, isTimer: true),
                target: Int32(end),
                generation: slots[end / 2].generation
            )
        )
    }
}
