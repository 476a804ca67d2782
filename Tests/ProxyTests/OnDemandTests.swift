import Basics
import LinkProfile
import SystemIO
import Testing

@testable import Proxy

/// A path that is not there until a connection asks for it.
@Suite struct OnDemandTests {
    private static func profile(_ delay: Duration) -> Profile {
        var profile = Profile(name: "on demand")
        profile.path.onDemand = delay
        return profile
    }

    @Test func `the first connection brings the path up, and later ones find it there`() throws {
        let rig = try Rig { $0.profile = Self.profile(.milliseconds(200)) }
        defer { rig.tearDown() }
        var served: [Instant] = []
        rig.onServe = { [unowned rig] _ in served.append(rig.loop.now) }
        var changes = 0
        rig.proxy.paths.onChange = { changes += 1 }
        #expect(rig.proxy.link.outage == LinkOutage(isPresent: true))
        try rig.run(milliseconds: 20)
        #expect(rig.proxy.link.outage == LinkOutage(isPresent: true), "nothing has asked for it")
        let begin = rig.loop.now
        let first = try rig.connect()
        first.send(10)
        try rig.run("it was asked for") { rig.proxy.link.outage.changesAt != nil }
        let up = try #require(rig.proxy.link.outage.changesAt)
        #expect(up >= begin + .milliseconds(200) && changes == 1)
        try rig.connect()
        try rig.run("both are known") { rig.proxy.openConnections == 2 }
        // A second one does not begin the wait anew.
        try rig.run("the server has both") { served.count == 2 }
        #expect(served.allSatisfy { $0 >= up } && !rig.proxy.link.outage.isPresent)
        try rig.run("what was sent arrives") { rig.served.contains { $0.receivedCount == 10 } }
        _ = try rig.connectThrough()
        #expect(rig.proxy.link.waitForPath() == .zero && changes == 2)
    }

    @Test func `a path that is there from the start keeps no connection waiting`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        #expect(rig.proxy.link.outage == .none && rig.proxy.link.waitForPath() == .zero)
    }
}
