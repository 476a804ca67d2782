internal import SystemIO

/// Who gets what comes to a port.
protocol DatagramPortOwner: AnyObject {
    /// Datagrams came; the batch holds them until this returns.
    func received(_ batch: DatagramBatch, count: Int, on port: DatagramPort)
    /// The network told of an error, such as that nobody listens there.
    func failed(_ error: SystemError, on port: DatagramPort)
}

/// A UDP socket on the loop.
final class DatagramPort: ReadinessHandler {
    private unowned let owner: any DatagramPortOwner
    private unowned let tools: DatagramTools
    private var socket: DatagramSocket
    private var token = WatchToken.none
    /// Ours.
    let address: SocketAddress
    private var droppedByKernel: UInt32 = 0

    /// Calls of `receive` in one turn of the loop; then others have theirs.
    private static let batchesPerTurn = 4

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
        socket.unwatch(token, on: tools.loop)
        token = .none
    }

    func close() {
        mute()
        socket.close()
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        let batch = tools.batch
        for _ in 0..<Self.batchesPerTurn where token != .none {
            let count: Int
            do throws(SystemError) {
                count = try batch.receive(from: socket)
            } catch {
                owner.failed(error, on: self)
                continue
            }
            guard count > 0 else { return }
            noteDrops(batch)
            owner.received(batch, count: count, on: self)
            if count < DatagramBatch.capacity { return }
        }
    }

    private func noteDrops(_ batch: DatagramBatch) {
        guard let dropped = batch.takeDropped(), dropped != droppedByKernel else { return }
        tools.lostByKernel(UInt64(dropped &- droppedByKernel))
        droppedByKernel = dropped
    }

    /// Sends on what is in the batch, as it is.
    func relay(_ places: Range<Int>, to peer: DatagramPeer? = nil) {
        let lost = tools.batch.relay(places, through: socket, to: peer)
        if lost > 0 { tools.lostByKernel(UInt64(lost)) }
    }

    func send(_ bytes: [UInt8], ecn: UInt8, to peer: DatagramPeer? = nil) {
        if !tools.sending.send(bytes, ecn: ecn, through: socket, to: peer) {
            tools.lostByKernel(1)
        }
    }
}
