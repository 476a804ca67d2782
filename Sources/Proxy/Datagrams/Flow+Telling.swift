internal import Basics
internal import Faults
internal import Journal

// What became of single datagrams, where that is asked for.
extension Flow {
    /// Whether a datagram is recorded.
    func isTold(_ number: UInt64) -> Bool { number <= context.tools.settings.recorded }

    func tell(
        _ datagram: PassingDatagram,
        _ direction: Direction,
        _ fate: DatagramReport.Fate
    ) {
        guard isTold(datagram.number) else { return }
        var report = DatagramReport(
            flow: id,
            direction: direction,
            number: datagram.number,
            bytes: UInt64(datagram.bytes.count),
            packets: datagram.types,
            fate: fate,
            cameAt: datagram.came
        )
        // The last fault to act is the one that dropped it.
        if fate == .fault { report.fault = datagram.verdict.fired.last?.id }
        // Which of the others arrive before the end is a matter of moments.
        report.isDigested =
            context.tools.settings.isDigested && (fate == .fault || fate == .link)
        context.reporter.report(.datagram(report))
    }

    /// Tells of those that have not arrived, as the flow ends.
    func tellWaiting() {
        guard isTold(1) else { return }
        for direction in Direction.allCases {
            for datagram in ways[direction].waiting.sorted(by: { $0.number < $1.number }) {
                tell(datagram, direction, .pending)
            }
        }
    }
}
