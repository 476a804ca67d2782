import Basics
import Foundation
import SystemIO
import TestSupport
import Testing

@Suite struct ProcessUsageTests {
    @Test func `use of the machine is told in its units`() throws {
        let usage = ProcessUsage()
        #expect(usage.residentBytes > 1 << 20)
        let open = try #require(usage.openDescriptors)
        #expect(open >= 3 && UInt64(open) < usage.descriptorLimit ?? 0)
        #expect(usage.processorTime > .zero)
    }

    @Test(.onLinux("the size of a process and when it started"))
    func `its size in addresses and its start are told`() throws {
        let usage = ProcessUsage()
        #expect(try #require(usage.virtualBytes) >= usage.residentBytes)
        let start = Double(try #require(usage.startMilliseconds)) / 1_000
        let now = Date().timeIntervalSince1970
        // The process of tests is some minutes old at most; the kernel's clock ticks in 10 ms.
        #expect(start < now + 2 && start > now - 86_400)
    }

    @Test func `time on the processor grows with work`() {
        // Other tests of the process may do the work just as well.
        let before = ProcessUsage().processorTime
        var last = before
        while last < before + .milliseconds(5) {
            let now = ProcessUsage().processorTime
            guard now >= last else {
                Issue.record("it went back from \(last) to \(now)")
                return
            }
            last = now
        }
    }
}
