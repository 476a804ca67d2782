import Basics
import HTTPWire
import ResumableClient
import SystemIO
import TestSupport
import Testing

@testable import Transfers

/// Discretionary background transfers that take turns, the workers of all in this process.
@Suite(.onLinux("when a process started")) final class TransferTurnTests {
    private let folder: TemporaryFolder
    private let registry: TransferRegistry
    private let loop: EventLoop
    private var turns: [String: TransferTurn] = [:]
    private var busy: Set<String> = []
    private var path = PathStatus()
    /// How often one has looked whether its turn has come or is over.
    private var looks = 0
    /// Who got the turn or gave it back, in order.
    private var changes: [String] = []

    init() throws {
        folder = try TemporaryFolder()
        registry = TransferRegistry(root: folder.path)
        loop = try EventLoop()
    }

    deinit {
        for turn in turns.values { turn.close() }
        loop.stop()
    }

    /// A transfer with a worker that runs, or one that was killed.
    private func add(
        _ name: String,
        receive: UInt64? = nil,
        send: UInt64? = nil,
        isAlive: Bool = true
    ) throws {
        let transfer = try registry.make(name)
        var description = TransferDescription(
            send == nil ? .download : .upload(UploadChoices()),
            try HTTPURL("http://127.0.0.1:1/\(name)"),
            file: "\(folder.path)/\(name).bin"
        )
        description.path = .background
        description.path.isDiscretionary = true
        description.path.expectedBytesToReceive = receive
        description.path.expectedBytesToSend = send
        description.pathSource = "/path"
        try transfer.save(description)
        let current = try #require(ProcessIdentity.current)
        try transfer.saveWorker(
            ProcessIdentity(
                number: current.number,
                startTicks: isAlive ? current.startTicks : current.startTicks &- 1,
                boot: current.boot
            )
        )
        try work(on: transfer)
    }

    private func work(on transfer: TransferFolder) throws {
        let name = transfer.identifier
        turns[name] = try TransferTurn(
            of: transfer,
            following: "/path",
            in: registry,
            on: loop,
            path: { [unowned self] in
                looks += 1
                return path
            },
            isBusy: { [unowned self] in
                looks += 1
                return busy.contains(name)
            }
        ) { [unowned self] in
            changes.append(turns[name]?.isHeld == true ? "+\(name)" : "-\(name)")
        }
    }

    private func expect(_ wanted: String...) throws {
        try loop.run("\(changes)") { changes.count >= wanted.count }
        #expect(changes == wanted)
    }

    @Test func `S16: one at a time, the smallest first, downloads and uploads alike`() throws {
        try add("a", receive: 900)
        try add("b", send: 90)
        try add("c", receive: 9)
        for turn in turns.values { turn.begin(.turn) }
        try expect("+c")
        turns["c"]?.close()
        try expect("+c", "+b")
        turns["b"]?.begin(.discretionary)
        // That one is smaller, but waits for a path again.
        path.hasPower = false
        try expect("+c", "+b", "-b", "+a")
    }

    @Test func `those of equal size go in the order in which they were asked for`() throws {
        try add("z", receive: 9)
        try add("a", receive: 9)
        let first = try File("\(folder.path)/z/description.json", for: .writing)
        try first.setModificationTime(.seconds(1))
        for turn in turns.values { turn.begin(.turn) }
        try expect("+z")
    }

    @Test
    func `one that was killed while it waited is passed over, one that is about to begin not`()
        throws
    {
        try add("dead", receive: 1, isAlive: false)
        try add("small", receive: 2)
        try add("large", receive: 3)
        registry.transfer("dead")?.wait = .turn
        turns["small"]?.begin(.discretionary)
        turns["large"]?.begin(.turn)
        try loop.run("a look") { looks > 0 }
        #expect(changes.isEmpty)
        turns["small"]?.begin(.turn)
        try expect("+small")
        turns["small"]?.close()
        try expect("+small", "+large")
    }

    @Test func `a turn is kept until the open request has ended`() throws {
        try add("a", receive: 1)
        turns["a"]?.begin(.turn)
        try expect("+a")
        busy = ["a"]
        turns["a"]?.begin(.unsatisfied)
        try loop.run("a look") { looks > 1 }
        #expect(turns["a"]?.isHeld == true)
        busy = []
        try expect("+a", "-a")
        #expect(try registry.turn.lock() != nil)
    }

    @Test func `a worker that takes over a transfer does not wait because the last one did`() throws
    {
        try add("a", receive: 1)
        let transfer = try #require(registry.transfer("a"))
        transfer.wait = .turn
        try work(on: transfer)
        #expect(transfer.wait == nil)
        turns["a"]?.begin(.turn)
        try expect("+a")
        #expect(transfer.wait == nil && registry.all() == [transfer], "the lock is no transfer")
    }
}
