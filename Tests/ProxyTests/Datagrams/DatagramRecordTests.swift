import Basics
import Journal
import LinkEngine
import SystemIO
import TestSupport
import Testing

@testable import Proxy

struct DatagramRecordTests {
    private static func reports(_ rig: FlowRig) -> [DatagramReport] {
        rig.records.compactMap { if case .datagram(let report) = $0 { report } else { nil } }
    }

    private static func fates(_ rig: FlowRig, _ direction: Direction) -> [String] {
        reports(rig).filter { $0.direction == direction }.sorted { $0.number < $1.number }
            .map { "\($0.number) \($0.bytes) \($0.fate)\($0.fault.map { " \($0)" } ?? "")" }
    }

    @Test func `each datagram has its size and its fate, up to a number`() throws {
        let rig = try FlowRig(faults: ["u1:up#2=drop", "u1:down#3=dup"]) {
            $0.datagrams.recorded = 4
        }
        let client = try rig.client()
        for text in ["a", "bb", "ccc", "dddd", "eeeee"] {
            client.send(text)
            rig.patiently { false }
        }
        try rig.run("all are back") { client.received.count == 5 }
        rig.stop()
        #expect(
            Self.fates(rig, .up)
                == ["1 1 delivered", "2 2 fault u1:up#2=drop", "3 3 delivered", "4 4 delivered"]
        )
        #expect(
            Self.fates(rig, .down) == [
                "1 1 delivered", "2 3 delivered", "3 4 delivered", "3 4 delivered", "4 5 delivered",
            ]
        )
        #expect(Self.reports(rig).allSatisfy { !$0.isDigested && $0.packets.isEmpty })
    }

    @Test func `what the link loses is told, and what is on its way at the end`() throws {
        var link = LinkSettings()
        link.up.loss = .bernoulli(try #require(Probability(100, outOf: 100)))
        let rig = try FlowRig(link: link) {
            $0.datagrams.recorded = 4
            $0.datagrams.isDigested = true
        }
        let client = try rig.client()
        client.send("a")
        try rig.run("it is lost") { !Self.reports(rig).isEmpty }
        rig.stop()
        #expect(Self.fates(rig, .up) == ["1 1 link"])
        #expect(Self.reports(rig).allSatisfy { $0.isDigested })
        // When others arrive, and whether that is before the end, is a matter of moments.
        let whole = try FlowRig(faults: ["u1:up#2=drop"]) {
            $0.datagrams.recorded = 4
            $0.datagrams.isDigested = true
        }
        try whole.send(3, from: whole.client())
        whole.stop()
        #expect(Self.reports(whole).filter(\.isDigested).map(\.number) == [2])

        let slow = try FlowRig(faults: ["u1:up#1=delay(20s)", "u1:up#2=hole"]) {
            $0.datagrams.recorded = 4
        }
        let other = try slow.client()
        for text in ["a", "bb", "ccc"] { other.send(text) }
        try slow.run("two are lost") { Self.reports(slow).count == 2 }
        slow.stop()
        // A hole acts once; what it drops afterwards is recorded without the fault's id.
        #expect(
            Self.fates(slow, .up) == ["1 1 pending", "2 2 fault u1:up#2=hole", "3 3 fault"]
        )
    }

    @Test func `the end of a flow says when an outage last swallowed a datagram`() throws {
        func lastOutage(_ link: LinkSettings) throws -> Instant? {
            let rig = try FlowRig(link: link) { $0.datagrams.recorded = 1 }
            let client = try rig.client()
            client.send("a")
            try rig.run("it is lost") { !Self.reports(rig).isEmpty }
            rig.stop()
            return try #require(rig.flowEnds.first).lastOutageAt
        }
        var outage = LinkSettings()
        let window = Outages.Window(at: .zero, length: .seconds(60))
        outage.up.outages = Outages(schedule: .windows([window], period: nil))
        #expect(try lastOutage(outage) != nil)
        var loss = LinkSettings()
        loss.up.loss = .bernoulli(try #require(Probability(100, outOf: 100)))
        #expect(try lastOutage(loss) == nil)
    }

    @Test func `without being asked nothing is told`() throws {
        let rig = try FlowRig(faults: ["u1:up#2=drop"])
        let client = try rig.client()
        client.send("a")
        try rig.run("it is back") { client.received.count == 1 }
        rig.stop()
        #expect(Self.reports(rig).isEmpty)
    }
}
