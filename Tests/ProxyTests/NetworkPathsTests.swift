import Basics
import Journal
import LinkEngine
import LinkProfile
import SystemIO
import TestSupport
import Testing

@testable import Proxy

/// A proxy with a second path, as a phone has mobile data beside its Wi-Fi.
@Suite struct NetworkPathsTests {
    private static func profile(
        _ interface: PathAttributes.Interface,
        _ link: LinkSettings = LinkSettings()
    ) -> Profile {
        var profile = Profile(name: interface.rawValue)
        profile.link = link
        profile.path.interface = interface
        profile.path.isExpensive = interface == .cellular
        return profile
    }

    private static func rig(
        second: LinkSettings = LinkSettings(),
        change: @escaping (inout ProxyConfiguration) -> Void = { _ in }
    ) throws -> Rig {
        try Rig { configuration in
            configuration.profile = profile(.wifi)
            configuration.secondPath = profile(.cellular, second)
            change(&configuration)
        }
    }

    private static func paths(_ rig: Rig) -> [String] {
        rig.proxy.connections.inOrder.map { $0.context.link.profile.name }
    }

    private static func connect(_ rig: Rig) throws -> TestPeer {
        let count = rig.served.count
        let client = try rig.connect()
        try rig.run("it is there") { rig.served.count == count + 1 }
        return client
    }

    @Test func `connections take the second path while the first is down, and stay there`() throws {
        let rig = try Self.rig()
        defer { rig.tearDown() }
        let first = try Self.connect(rig)
        try rig.proxy.manual.beginOutage()
        let second = try Self.connect(rig)
        #expect(Self.paths(rig) == ["wifi", "cellular"])
        first.say("x")
        second.say("x")
        try rig.run("the second gets through") { rig.served[1].receivedCount == 1 }
        #expect(rig.served[0].receivedCount == 0)
        _ = try rig.proxy.manual.endOutage()
        try rig.run("so does the first") { rig.served[0].receivedCount == 1 }
        _ = try Self.connect(rig)
        #expect(Self.paths(rig) == ["wifi", "cellular", "wifi"])
        let rows = rig.proxy.page(after: nil, limit: 9).rows
        #expect(rows.map(\.isOnSecondPath) == [false, true, false])
    }

    @Test func `a connection is shaped by the link of its path`() throws {
        let rig = try Self.rig(second: .fast(delayMilliseconds: 60))
        defer { rig.tearDown() }
        try rig.proxy.manual.beginOutage()
        let begin = rig.loop.now
        let far = try Self.connect(rig)
        far.say("x")
        try rig.run("it arrives") { rig.served[0].receivedCount == 1 }
        #expect(rig.loop.now - begin >= .milliseconds(60))
    }

    @Test func `the condition is that of the best path, and tells of a better one`() throws {
        let rig = try Self.rig()
        defer { rig.tearDown() }
        var told: [PathCondition] = []
        rig.proxy.paths.onChange = { [unowned rig] in told.append(rig.proxy.paths.condition) }
        func condition(_ interface: PathAttributes.Interface, hasBetter: Bool = false)
            -> PathCondition
        {
            PathCondition(
                attributes: Self.profile(interface).path,
                isOut: false,
                hasBetter: hasBetter
            )
        }
        #expect(rig.proxy.paths.condition == condition(.wifi))
        try rig.proxy.manual.beginOutage()
        #expect(told.last == condition(.cellular))
        let client = try Self.connect(rig)
        _ = try rig.proxy.manual.endOutage()
        #expect(told.last == condition(.wifi, hasBetter: true))
        client.close()
        rig.served[0].close()
        try rig.run("none is left there") { told.last == condition(.wifi) }
    }

    @Test func `an outage of all paths leaves none`() throws {
        let rig = try Self.rig()
        defer { rig.tearDown() }
        try rig.proxy.manual.beginOutage(takesSecondPath: true)
        #expect(rig.proxy.paths.condition.isOut)
        #expect(rig.proxy.paths.condition.attributes.interface == .wifi)
        _ = try rig.connect()
        try rig.run("it is known") { rig.proxy.openConnections == 1 }
        #expect(Self.paths(rig) == ["wifi"])
        _ = try rig.proxy.manual.endOutage()
        #expect(!rig.proxy.paths.condition.isOut)
    }

    @Test func `no path is better while both are down`() throws {
        let rig = try Self.rig()
        defer { rig.tearDown() }
        try rig.proxy.manual.beginOutage()
        _ = try Self.connect(rig)
        try rig.proxy.manual.beginOutage(takesSecondPath: true)
        let condition = rig.proxy.paths.condition
        #expect(condition.isOut && !condition.hasBetter)
    }

    @Test func `flows take the second path, too`() throws {
        let rig = try FlowRig {
            $0.profile = Self.profile(.wifi)
            $0.secondPath = Self.profile(.cellular)
        }
        defer { rig.stop() }
        try rig.proxy.manual.beginOutage()
        let client = try rig.client()
        client.send("123")
        try rig.run("the answer comes") { client.texts.count == 1 }
        #expect(rig.proxy.page(after: nil, limit: 9).rows.map(\.isOnSecondPath) == [true])
        #expect(rig.proxy.deliveredOverSecondPath(.up) == 3)
        _ = try rig.proxy.manual.endOutage()
        #expect(rig.proxy.paths.condition.hasBetter)
        var isTold = false
        rig.proxy.paths.onChange = { isTold = true }
        for flow in rig.proxy.flows.routes { flow.table.endAll(.idle) }
        #expect(isTold && !rig.proxy.paths.condition.hasBetter)
        #expect(rig.proxy.deliveredOverSecondPath(.up) == 3)
    }

    @Test func `an outage of the profile is told at its beginning and its end`() throws {
        let window = Outages.Window(at: .milliseconds(30), length: .milliseconds(60))
        let rig = try Self.rig {
            $0.profile.link.up.outages = Outages(
                schedule: .windows([window], period: nil),
                treatment: .drop
            )
        }
        defer { rig.tearDown() }
        var told: [PathAttributes.Interface] = []
        rig.proxy.paths.onChange = { [unowned rig] in
            told.append(rig.proxy.paths.condition.attributes.interface)
        }
        try rig.run("it is over") { told.count >= 2 }
        #expect(told == [.cellular, .wifi])
    }

    @Test func `a path that comes up on demand is asked for although there is a second`() throws {
        let rig = try Self.rig { $0.profile.path.onDemand = .milliseconds(50) }
        defer { rig.tearDown() }
        _ = try Self.connect(rig)
        #expect(Self.paths(rig) == ["wifi"])
    }

    @Test func `the journal says which of two paths a connection takes`() throws {
        let rig = try Self.rig()
        defer { rig.tearDown() }
        _ = try Self.connect(rig)
        try rig.proxy.manual.beginOutage()
        _ = try Self.connect(rig)
        rig.proxy.flushRecords()
        let told = rig.records.compactMap { record -> String? in
            guard case .path(let id?, let path) = record else { return nil }
            return "\(id.ordinal) \(path.interface) \(path.isExpensive)"
        }
        #expect(told == ["1 wifi false", "2 cellular true"])
        let single = try Rig()
        defer { single.tearDown() }
        _ = try Self.connect(single)
        single.proxy.flushRecords()
        #expect(!single.records.contains { if case .path = $0 { true } else { false } })
    }

    @Test func `bytes are counted by path, also of connections that have ended`() throws {
        let rig = try Self.rig()
        defer { rig.tearDown() }
        let first = try Self.connect(rig)
        try rig.proxy.manual.beginOutage()
        let second = try Self.connect(rig)
        second.say("12345")
        try rig.run("it arrives") { rig.served[1].receivedCount == 5 }
        #expect(rig.proxy.deliveredOverSecondPath(.up) == 5)
        second.close()
        rig.served[1].close()
        try rig.run("it is over") { rig.proxy.openConnections == 1 }
        _ = try rig.proxy.manual.endOutage()
        first.say("123")
        try rig.run("it arrives") { rig.served[0].receivedCount == 3 }
        #expect(rig.proxy.deliveredOverSecondPath(.up) == 5)
        #expect(rig.proxy.deliveredBytes(.up) == 8)
    }
}
