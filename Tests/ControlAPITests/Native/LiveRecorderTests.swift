import ControlAPI
import FaultInjection
import Journal
import LinkEngine
import Proxy
import Testing

@Suite struct LiveRecorderTests {
    private static let place = LivePlace(
        connection: ConnectionID(ordinal: 3),
        up: 7,
        down: 900,
        heldNanoseconds: 1_999_999_999
    )

    @Test(arguments: [
        (LiveCut.rst, "c3:down+900=rst"), (.fin, "c3:down+900=fin"),
        (.hole, "c3:down+900=hole(both)"),
    ])
    func `a cut becomes a fault at its byte`(kind: LiveCut, text: String) throws {
        var recorder = LiveRecorder()
        #expect(recorder.cut([Self.place], kind) == [text])
        #expect(recorder.faults == [try Fault(parsing: text)])
    }

    @Test func `a pause becomes a stall of both directions for as long as it was`() {
        var recorder = LiveRecorder()
        #expect(
            recorder.resume([Self.place]) == ["c3:down+900=stall(1999ms)", "c3:up+7=stall(1999ms)"]
        )
        #expect(recorder.remarks.isEmpty)
        recorder.clear()
        #expect(recorder.faults.isEmpty)
    }

    @Test func `faults are kept once, as many as a schedule has`() throws {
        var recorder = LiveRecorder()
        let fault = try Fault(parsing: "c1:down+1=rst")
        recorder.add(fault)
        recorder.add(fault)
        #expect(recorder.faults.count == 1)
        for ordinal in 0..<2_000 {
            _ = recorder.cut(
                [LivePlace(connection: ConnectionID(ordinal: UInt32(ordinal + 1)), up: 0, down: 5)],
                .rst
            )
        }
        #expect(recorder.faults.count == ScheduleLimits.faults)
        #expect(recorder.remarks.count == 1)
        recorder.remove(fault)
        #expect(!recorder.faults.contains(fault))
    }

    @Test func `what a schedule cannot say is remarked once`() {
        var recorder = LiveRecorder()
        let place = LivePlace(connection: ConnectionID(listener: 2, ordinal: 1), up: 0, down: 0)
        _ = recorder.cut([place, place], .rst)
        recorder.remark("x")
        recorder.remark("x")
        #expect(recorder.remarks.count == 2)
    }
}
