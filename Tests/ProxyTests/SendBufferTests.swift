import Basics
import LinkEngine
import Testing

@testable import Proxy

/// How far a sender may be ahead of what the link has carried, as an application sees it that shows
/// the progress of an upload.
@Suite struct SendBufferTests {
    /// Linux, over a bottleneck of 2 Mbit/s: 0.3 MB with CUBIC, 0.4 MB with BBR.
    ///
    /// With us the sender's own kernel buffers first, for loopback; under BBR that is 0.9 MB alone.
    @Test(arguments: Basics.Direction.allCases)
    func `a sender is not far ahead of a slow link`(direction: Basics.Direction) throws {
        let rig = try Rig(link: .slow(bitsPerSecond: 2_000_000))
        defer { rig.tearDown() }
        let pair = try rig.connectThrough()
        let (from, to) =
            direction == .up ? (pair.client, pair.server) : (pair.server, pair.client)
        from.send(8_000_000)
        try rig.run("half a second has passed on the link") { to.receivedCount > 120_000 }
        #expect(from.sentCount - to.receivedCount < 1_800_000)
    }

    @Test func `with a delay kernels keep little before a stream is fast`() {
        var settings = LinkSettings()
        #expect(SocketBounds(settings).first(.up) == 262_144)
        settings.down.delay = .milliseconds(9)
        #expect(SocketBounds(settings).first(.up) == 262_144)
        settings.up.delay = .milliseconds(1)
        #expect(SocketBounds(settings).first(.up) == 8_192)
        #expect(SocketBounds(settings).received(.up) == 262_144)
    }

    @Test func `kernels may keep a millisecond of the rate`() {
        func received(_ bitsPerSecond: UInt64?) -> Int {
            var settings = LinkSettings()
            if let rate = bitsPerSecond.flatMap(BitRate.init(bitsPerSecond:)) {
                settings.up.capacity = .rate(rate)
            }
            let bounds = SocketBounds(settings)
            #expect(bounds.received(.down) == 262_144)
            return bounds.received(.up)
        }
        #expect(received(2_000_000) == 8_192)
        #expect(received(65_536_000) == 8_192)
        #expect(received(800_000_000) == 100_000)
        #expect(received(2_097_152_000) == 262_144)
        #expect(received(10_000_000_000) == 262_144)
        #expect(received(nil) == 262_144)
    }
}
