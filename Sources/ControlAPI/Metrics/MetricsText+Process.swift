internal import Basics
package import SystemIO

// What any process tells, under the names that Prometheus' own clients use.
extension MetricsText {
    /// Adds what this process uses of the machine.
    package mutating func add(_ usage: ProcessUsage) {
        add(
            "process_cpu_seconds_total",
            .counter,
            "Time on processors, in user and kernel.",
            Self.seconds(usage.processorTime)
        )
        add(
            "process_resident_memory_bytes",
            .gauge,
            "Memory in use.",
            "\(usage.residentBytes)"
        )
        let others: [(String, String, String?)] = [
            (
                "process_virtual_memory_bytes", "Memory in addresses.",
                usage.virtualBytes.map { "\($0)" }
            ),
            (
                "process_virtual_memory_max_bytes", "Memory in addresses at most.",
                usage.virtualLimit.map { "\($0)" }
            ),
            ("process_open_fds", "Open descriptors.", usage.openDescriptors.map { "\($0)" }),
            ("process_max_fds", "Descriptors at most.", usage.descriptorLimit.map { "\($0)" }),
            (
                "process_start_time_seconds", "When the process began, since 1970.",
                usage.startMilliseconds.map { Self.seconds(.milliseconds(Int64($0))) }
            ),
        ]
        for (name, help, value) in others {
            if let value { add(name, .gauge, help, value) }
        }
    }
}
