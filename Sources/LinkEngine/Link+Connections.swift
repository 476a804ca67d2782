internal import Basics

// The tables: connections, their two ends and their two paths.
extension Link {
    func index(_ slot: Int32, _ direction: Direction) -> Int {
        Int(slot) * 2 + Int(direction.rawValue)
    }

    func direction(of path: Int) -> Direction { path & 1 == 0 ? .down : .up }

    func endpoint(of stream: Stream) -> Int? {
        slotOfConnection[stream.connection].map { index($0, stream.direction) }
    }

    func makePath(_ connection: UInt32, _ direction: Direction) -> PropagationPath {
        PropagationPath(
            path: settings[direction],
            indexing: settings.indexing,
            random: random,
            key: UInt64(connection),
            direction: direction
        )
    }

    mutating func takeSlot(for connection: UInt32) -> Int32 {
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

    /// Lets a connection begin, with the handshake that the settings want; returns its place.
    mutating func connect(_ connection: UInt32) -> Int32 {
        let slot = takeSlot(for: connection)
        let client = index(slot, .up)
        if settings.tcp.handshake {
            endpoints[client].connect(at: now, into: &output)
            route(from: client)
        } else {
            endpoints[client].openAtOnce(at: now)
            endpoints[index(slot, .down)].openAtOnce(at: now)
        }
        wake(client)
        return slot
    }

    func stream(sentBy end: Int) -> Stream {
        Stream(
            connection: slots[end / 2].connection,
            direction: direction(of: end)
        )
    }

    mutating func pump(_ end: Int) {
        endpoints[end].pump(at: now, into: &output)
        route(from: end)
        wake(end)
    }

    mutating func reportRoom(_ end: Int) {
        // Most packets meet no waiting writer, and looking is cheaper than changing.
        guard endpoints[end].sender.isWriterWaiting, endpoints[end].sender.wakeWriter() else {
            return
        }
        events.append(LinkEvent(at: now, kind: .writable(stream(sentBy: end))))
    }
}
