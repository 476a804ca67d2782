import ControlAPI
import Testing

@Suite struct PathMeterTests {
    @Test func `bytes count for the path on which they came`() {
        var meter = PathMeter()
        meter.change(to: .expensive, up: 10, down: 100)
        meter.settle(up: 20, down: 300)
        meter.settle(up: 20, down: 300)
        meter.change(to: .both, up: 21, down: 400)
        meter.change(to: .constrained, up: 30, down: 1_000)
        meter.settle(up: 31, down: 1_001)
        #expect(meter[.free] == PathMeter.Bytes(up: 10, down: 100))
        #expect(meter[.expensive] == PathMeter.Bytes(up: 11, down: 300))
        #expect(meter[.both] == PathMeter.Bytes(up: 9, down: 600))
        #expect(meter[.constrained] == PathMeter.Bytes(up: 1, down: 1))
    }
}
