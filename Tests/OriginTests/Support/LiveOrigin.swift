import SystemIO
import TestSupport
import Testing

@testable import Origin

/// An origin on a loop of its own, which the test steps.
final class LiveOrigin {
    let loop: EventLoop
    let folder: OriginFolder
    let server: OriginServer
    let clock: Clock
    private(set) var records: [AccessRecord] = []
    private let tick: Timer

    /// Seconds since 1970 as the test wants them.
    final class Clock {
        var now = 1_800_000_000
    }

    /// - Parameters:
    ///   - folder: to serve; by default an empty one of its own.
    ///   - change: what is not as usual.
    /// - Throws: why it cannot start.
    init(
        folder: OriginFolder? = nil,
        _ change: (inout OriginConfiguration) -> Void = { _ in }
    ) throws {
        let folder = try folder ?? OriginFolder()
        var configuration = OriginConfiguration()
        configuration.folder = folder.path
        configuration.commit = .write
        change(&configuration)
        let loop = try EventLoop()
        let clock = Clock()
        self.loop = loop
        self.folder = folder
        self.clock = clock
        server = try OriginServer(loop: loop, configuration: configuration, now: { clock.now })
        // A loop without events would wait for ever.
        tick = try Timer(loop: loop) {}
        tick.start(afterMilliseconds: 1, repeatMilliseconds: 1)
        server.onAccess = { [unowned self] in records.append($0) }
    }

    deinit {
        server.onAccess = nil
        server.stop()
        tick.close()
        loop.stop()
        for _ in 0..<4 { loop.runOnce() }
    }

    /// Runs the loop until something is so; false if that takes too long.
    func run(seconds: UInt64 = 20, until isSo: () -> Bool) -> Bool {
        loop.run(seconds: Double(seconds), until: isSo)
    }

    func client() throws -> RawClient { try RawClient(self) }

    /// Sends one request on a connection of its own.
    func ask(
        _ method: String,
        _ target: String,
        _ fields: [(String, String)] = [],
        _ body: [UInt8]? = nil
    ) throws -> RawResponse {
        let client = try client()
        try client.send(method, target, fields, body)
        return try client.response()
    }

    func state() throws -> OriginState {
        var state: OriginState?
        server.state { state = $0 }
        #expect(run { state != nil })
        return try #require(state)
    }

    /// Runs until a connection's end has been seen by the server.
    func settle() {
        for _ in 0..<20 { loop.runOnce() }
    }
}
