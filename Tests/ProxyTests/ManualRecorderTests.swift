import LinkEngine
import Basics
import Faults
import Testing

@testable import Proxy

@Suite struct ManualRecorderTests {
    private static func fault(_ text: String) throws -> Fault { try Fault(parsing: text) }

    @Test func `what was done is kept as often, as many faults as a schedule has`() throws {
        var recorder = ManualRecorder()
        for text in ["c1:down+5=rst", "c1:down+5=rst", "c1:up+0=stall(3ms)"] {
            recorder.acted(try Self.fault(text), listeners: 1)
        }
        #expect(
            recorder.faults.map(\.canonicalText)
                == ["c1:down+5=rst", "c1:down+5=rst", "c1:up+0=stall(3ms)"]
        )
        #expect(recorder.differences.isEmpty)
        for ordinal in 2...2_000 {
            recorder.acted(try Self.fault("c\(ordinal):connect=refuse"), listeners: 1)
        }
        #expect(recorder.faults.count == ScheduleLimits.faults)
        #expect(recorder.differences.count == 1)
    }

    @Test func `several listeners are a difference, told once`() throws {
        var recorder = ManualRecorder()
        recorder.acted(try Self.fault("c1:down+5=rst"), listeners: 2)
        recorder.acted(try Self.fault("c1:down+6=rst"), listeners: 2)
        #expect(recorder.differences.count == 1)
    }

    @Test func `changes are handed over once, and what came and went is none`() throws {
        var recorder = ManualRecorder()
        let (one, two) = (try Self.fault("c1:down+1=rst"), try Self.fault("c2:down+2=rst"))
        recorder.added(one, isLate: false)
        recorder.added(two, isLate: false)
        recorder.removed(two, hasActed: false)
        var changes = recorder.takeChanges()
        #expect(changes.adds == ["c1:down+1=rst"] && changes.removes.isEmpty)
        changes = recorder.takeChanges()
        #expect(changes.adds.isEmpty && changes.removes.isEmpty)
        recorder.removed(one, hasActed: false)
        recorder.added(one, isLate: false)
        changes = recorder.takeChanges()
        #expect(changes.adds.isEmpty && changes.removes.isEmpty)
        recorder.removed(one, hasActed: false)
        recorder.added(one, isLate: false)
        recorder.added(one, isLate: false)
        #expect(recorder.takeChanges().adds == ["c1:down+1=rst"])
        #expect(recorder.differences.isEmpty && recorder.faults.isEmpty)
    }

    @Test func `what acted and was taken back stays, and that is a difference`() throws {
        var recorder = ManualRecorder()
        let fault = try Self.fault("c1:down+1=rst")
        recorder.removed(fault, hasActed: true)
        #expect(recorder.faults == [fault])
        #expect(recorder.takeChanges().removes.isEmpty)
        #expect(recorder.differences.count == 1)
        recorder.added(fault, isLate: true)
        #expect(recorder.differences.count == 2)
    }

    @Test func `outages are windows that do not overlap`() {
        var recorder = ManualRecorder()
        recorder.outageEnded(at: .seconds(1))
        recorder.outageBegan(at: .seconds(2))
        recorder.outageBegan(at: .seconds(3), for: .seconds(2))
        #expect(recorder.remarks.last == "no network from 3s on")
        recorder.outageEnded(at: .milliseconds(5_001))
        recorder.outageEnded(at: .seconds(6))
        #expect(
            recorder.outages == [
                .init(at: .seconds(2), length: .seconds(1)),
                .init(at: .seconds(3), length: .seconds(2)),
            ]
        )
        #expect(recorder.remarks.count == 2)
    }

    @Test func `an outage that ends before its time is over is as long as it was`() {
        var recorder = ManualRecorder()
        recorder.outageBegan(at: .seconds(2), for: .seconds(30))
        recorder.outageEnded(at: .seconds(5))
        #expect(recorder.outages == [.init(at: .seconds(2), length: .seconds(3))])
        #expect(recorder.remarks == ["no network from 2s on, for 3s"])
    }

    @Test func `clearing forgets all but that it was cleared, and an outage that goes on`() throws {
        var recorder = ManualRecorder()
        recorder.acted(try Self.fault("c1:down+5=rst"), listeners: 1)
        recorder.remark("x")
        recorder.remark("x")
        #expect(recorder.remarks.count == 1)
        recorder.outageBegan(at: .seconds(2))
        recorder.clear()
        #expect(recorder.faults.isEmpty && recorder.remarks == ["no network from 2s on"])
        #expect(recorder.differences.count == 1)
        recorder.outageEnded(at: .seconds(5))
        #expect(recorder.outages == [.init(at: .seconds(2), length: .seconds(3))])
    }
}
