import HTTPWire
import Basics
import SystemIO
import TestSupport
import Testing

@testable import Transfers

/// What a background transfer leaves on the disk, and what is read from it.
@Suite struct BackgroundStateTests {
    private static func object(_ text: String) throws -> JSONObject {
        guard case .object(let object) = try JSONParser.parse(Array(text.utf8)[...]) else {
            throw RecordError("no object")
        }
        return object
    }

    private static let progress =
        #"{"t":"progress","step":1,"received":40,"expected":100}"#

    @Test(arguments: [
        ([], false, BackgroundState.Condition.interrupted), ([], true, .running),
        ([#"{"t":"started"}"#], true, .running), ([#"{"t":"started"}"#], false, .interrupted),
        ([#"{"t":"waiting","reason":"expensive"}"#], true, .waiting),
        ([#"{"t":"waiting","reason":"expensive"}"#, #"{"t":"resumed"}"#], true, .running),
        ([#"{"t":"waiting","reason":"unsatisfied"}"#, #"{"t":"request"}"#], true, .waiting),
        ([#"{"t":"finished","size":100}"#], false, .finished),
        ([#"{"t":"failed","error":"x","resumeData":null}"#], false, .failed),
        ([#"{"t":"failed","error":"x","resumeData":{"stored":4}}"#], false, .resumable),
        ([#"{"t":"paused","resumeData":{"stored":4}}"#], false, .paused),
        ([#"{"t":"paused","resumeData":{"stored":4}}"#], true, .running),
        (
            [#"{"t":"paused","resumeData":{"stored":4}}"#, #"{"t":"started"}"#], false,
            .interrupted
        ),
    ])
    func `events and the worker tell how a transfer is`(
        events: [String],
        isAlive: Bool,
        condition: BackgroundState.Condition
    ) throws {
        let state = BackgroundState(try events.map(Self.object), isWorkerAlive: isAlive)
        #expect(state.condition == condition)
    }

    @Test func `resume data say how far it was`() throws {
        let events = [Self.progress, #"{"t":"paused","resumeData":{"stored":44}}"#]
        let state = BackgroundState(try events.map(Self.object), isWorkerAlive: false)
        #expect(state.position == 44 && state.expected == 100 && state.canResume)
    }

    @Test func `an upload is as far as the server has told, not as far as bytes were sent`() throws
    {
        let event = #"{"t":"progress","step":1,"sent":90,"acked":40,"expected":100}"#
        let state = BackgroundState([try Self.object(event)], isWorkerAlive: true)
        #expect(state.position == 40 && state.expected == 100)
    }

    @Test(arguments: ["a", "A.b_c-1", String(repeating: "x", count: 64)])
    func `names are plain`(name: String) { #expect(TransferRegistry.isIdentifier(name)) }

    @Test(arguments: [
        "", ".", "..", ".a", "-a", "a/b", "ä", "a b", String(repeating: "x", count: 65),
    ])
    func `other names are refused`(name: String) {
        #expect(!TransferRegistry.isIdentifier(name))
    }

    @Test func `a torn line at the end is cut off and the others stay`() throws {
        let folder = try TemporaryFolder()
        let place = FilePlace(folder: folder.path, name: "events.jsonl")
        let first = try EventWriter(place)
        try first.write(["t": .string("started")])
        let file = try File(place.path, for: .writing)
        // Longer than the line that follows.
        let torn = #"{"t":"finished","url":"\#(String(repeating: "x", count: 300))"#
        try file.write(Array(torn.utf8), at: try file.size())
        let second = try EventWriter(place)
        try second.write(["t": .string("finished")])
        let reader = EventReader(place, from: 0)
        #expect(reader.next().map { $0["t"] } == [.string("started"), .string("finished")])
        #expect(reader.offset == (try file.size()))
        #expect(reader.next().isEmpty)
        try second.write(["t": .string("all-events-delivered")])
        #expect(reader.next().count == 1)
    }

    @Test(arguments: [4_095, 4_096, 4_097, 20_000])
    func `only a torn line is cut off, however long the file or the line`(count: Int) throws {
        let folder = try TemporaryFolder()
        let place = FilePlace(folder: folder.path, name: "events.jsonl")
        let line = [UInt8](repeating: 0x20, count: 99) + [0x0A]
        for torn in [0, 1, 5_000] {
            let whole = (0..<(count - 1) / 100).flatMap { _ in line }
            let rest = [UInt8](repeating: 0x20, count: count - whole.count - 1) + [0x0A]
            try FileSystem.replace(
                place.path,
                with: whole + rest + [UInt8](repeating: 0x7B, count: torn)
            )
            withExtendedLifetime(try EventWriter(place)) {}
            #expect(try File(place.path, for: .reading).size() == UInt64(count))
        }
    }

    @Test func `what is read ends at the last whole line`() throws {
        let folder = try TemporaryFolder()
        let place = FilePlace(folder: folder.path, name: "events.jsonl")
        let writer = try EventWriter(place)
        try writer.write(["t": .string("started")])
        let file = try File(place.path, for: .writing)
        let whole = try file.size()
        try file.write(Array(#"{"t":"fin"#.utf8), at: whole)
        let reader = EventReader(place, from: 0)
        #expect(reader.next().count == 1 && reader.offset == whole)
    }

    @Test func `S12 a transfer is found again by its name, with all that was asked for`() throws {
        let folder = try TemporaryFolder()
        let registry = TransferRegistry(root: "\(folder.path)/state/transfers")
        #expect(registry.all().isEmpty && registry.transfer("one") == nil)
        let transfer = try registry.make("one")
        let description = try DescriptionTextTests.full()
        try transfer.save(description)
        #expect(registry.all() == [transfer] && registry.transfer("one") == transfer)
        #expect(try transfer.description() == description)
        transfer.attachedOffset = 77
        #expect(transfer.attachedOffset == 77)
        try registry.remove(transfer)
        #expect(registry.all().isEmpty)
    }

    @Test(.onLinux("when a process started"))
    func `a worker that is another process by now is none`() throws {
        let folder = try TemporaryFolder()
        let transfer = try TransferRegistry(root: folder.path).make("one")
        let current = try #require(ProcessIdentity.current)
        try transfer.saveWorker(current)
        #expect(transfer.worker() == current)
        try transfer.saveWorker(
            ProcessIdentity(
                number: current.number,
                startTicks: current.startTicks - 1,
                boot: current.boot
            )
        )
        #expect(transfer.worker() == nil)
    }

    @Test func `at most one worker takes a transfer`() throws {
        let folder = try TemporaryFolder()
        let transfer = try TransferRegistry(root: folder.path).make("one")
        let lock = try transfer.lock()
        #expect(lock != nil)
        #expect(try transfer.lock() == nil)
        withExtendedLifetime(lock) {}
    }
}
