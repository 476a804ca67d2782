internal import SystemIO

/// Who gets what comes to a port.
protocol DatagramPortOwner: AnyObject {
    /// Datagrams came; the batch holds them until this returns.
    func received(_ batch: DatagramBatch, count: Int, on port: DatagramPort)
    /// The network told of an error, such as that nobody listens there.
    func failed(_ error: SystemError, on port: DatagramPort)
}

/// A UDP socket on the loop.
///
/// Datagrams that come in bulk wait in line for their turn, as connections do.
final class DatagramPort: ReadinessHandler {
    private unowned let owner: any DatagramPortOwner
    private unowned let tools: DatagramTools
    private var socket: DatagramSocket
    private var token = WatchToken.none
    /// Ours.
    let address: SocketAddress
    private var droppedByKernel: UInt32 = 0

    /// Whether so much came in the last turn that it waits in line for the next one.
    private var isBusy = false
    private var isQueued = false
    /// The cost of a place, estimated from the latest ones.
    private var placeCost = DatagramBatch.slotBytes

    /// A port that takes this many bytes in a turn has to wait in line for the next one.
    private static let smallShare = 16_384
    /// The least cost of a datagram, since a short one takes as much time.
    private static let leastCost = 1_024

    init(
        _ socket: consuming DatagramSocket,
        _ owner: any DatagramPortOwner,
        _ tools: DatagramTools
    ) throws(SystemError) {
        guard let address = socket.address else { throw .invalidArgument }
        self.address = address
        self.socket = socket
        self.owner = owner
        self.tools = tools
    }

    /// Begins to hand over what comes.
    func open() throws(SystemError) {
        token = try socket.watch(on: tools.loop, handler: self)
    }

    /// Takes what comes no more; until `close` it is lost without anybody being told.
    func mute() {
        guard token != .none else { return }
        // The kernel counts drops in the datagram after them, which may not have come.
        note(dropped: socket.dropped)
        socket.unwatch(token, on: tools.loop)
        token = .none
    }

    func close() {
        mute()
        socket.close()
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        let hasWaited = readiness.isEmpty
        if hasWaited { isQueued = false }
        guard token != .none else { return }
        // What is left is reported again in the next turn.
        if isBusy, !hasWaited {
            waitInLine()
        } else {
            take(hasWaited ? EventLoop.bytesPerTurn : Self.smallShare)
        }
    }

    private func waitInLine() {
        guard !isQueued else { return }
        isQueued = true
        tools.loop.waitInLine(self)
    }

    private func take(_ share: Int) {
        let batch = tools.batch
        var left = share
        while left > 0, token != .none {
            let asked = min(max(1, left / placeCost), DatagramBatch.capacity)
            let count: Int
            do throws(SystemError) {
                count = try batch.receive(from: socket, atMost: asked)
            } catch {
                left -= Self.leastCost
                owner.failed(error, on: self)
                continue
            }
            guard count > 0 else { break }
            note(dropped: batch.takeDropped())
            left -= cost(of: batch, count)
            owner.received(batch, count: count, on: self)
            if count < asked { break }
        }
        tools.loop.noteMoved(share - left)
        isBusy = share - left >= Self.smallShare
    }

    private func cost(of batch: DatagramBatch, _ count: Int) -> Int {
        var total = 0
        // Few datagrams that came alone do not mean that no more come put together.
        placeCost = max(placeCost / 2, Self.leastCost)
        for place in 0..<count {
            let arrival = batch[place]
            let cost = max(arrival.length, arrival.count * Self.leastCost)
            placeCost = max(placeCost, cost)
            total += cost
        }
        return total
    }

    private func note(dropped: UInt32?) {
        guard let dropped, dropped != droppedByKernel else { return }
        tools.lostByKernel(UInt64(dropped &- droppedByKernel))
        droppedByKernel = dropped
    }

    /// Whether what is longer than the path allows leaves in fragments from now on.
    func setFragmented(_ isFragmented: Bool) { socket.setFragmented(isFragmented) }

    /// Sends on what is in the batch, as it is.
    ///
    /// - Returns: what the kernel did not take; what it had no room for is told already.
    func relay(_ places: Range<Int>, to peer: DatagramPeer? = nil) -> DatagramBatch.Untaken {
        tell(tools.batch.relay(places, through: socket, to: peer))
    }

    /// Sends one datagram; what it returns is as of `relay`.
    func send(
        _ bytes: [UInt8],
        ecn: UInt8,
        to peer: DatagramPeer? = nil
    ) -> DatagramBatch.Untaken {
        tell(tools.sending.send(bytes, ecn: ecn, through: socket, to: peer))
    }

    private func tell(_ untaken: DatagramBatch.Untaken) -> DatagramBatch.Untaken {
        if untaken.forRoom > 0 { tools.lostByKernel(UInt64(untaken.forRoom)) }
        return untaken
    }
}
