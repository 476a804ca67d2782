// The walk of a packet: out of an end, over its path, through the shared queue, into the other end.
extension Link {
    /// Puts what endpoint `end` sent onto the link.
    mutating func route(from end: Int) {
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
        if now < blackoutEnd {
            paths[path].skip(&packet)
            seal(packet, path: path, fate: .outage)
            return
        }
        if let end = outages[path & 1].outageEnd(at: now) {
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

    mutating func takeWake() {
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
        if packet.kind == .reset || bottlenecks[direction].isBypassed(at: now) {
            deliver(packet, path: path)
        } else if !bottlenecks[direction].accept(packet, at: now) {
            seal(packet, path: path, fate: .full)
        }
    }

    mutating func depart(_ direction: Direction) {
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
    mutating func wake(_ end: Int) {
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
