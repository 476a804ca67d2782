internal import Basics

/// What the receiver of one stream makes of what arrives.
struct Arrivals: Hashable, Sendable {
    private let model: StreamModel
    private let flow: UInt32
    /// By number.
    private var hasArrived: [Bool]
    private var delays: [Duration] = []
    private var duplicates: UInt64 = 0
    private var late: UInt64 = 0
    private var highest: UInt64?
    private var latest: Instant?
    private var longestGap = Duration.zero
    private var transit: Duration?
    /// Sixteen times the jitter, as RFC 3550 §A.8 keeps it, in nanoseconds.
    private var jitter: Int64 = 0

    init(_ model: StreamModel, flow: UInt32) {
        self.model = model
        self.flow = flow
        hasArrived = Array(repeating: false, count: Int(model.count))
    }

    mutating func add(_ number: UInt64, at now: Instant) {
        if let latest { longestGap = max(longestGap, now - latest) }
        latest = now
        guard !hasArrived[Int(number)] else {
            duplicates += 1
            return
        }
        hasArrived[Int(number)] = true
        if let highest, number < highest { late += 1 }
        highest = max(highest ?? 0, number)
        let delay = now - model.moment(of: number, flow: flow)
        delays.append(delay)
        if let transit {
            let change = abs((delay - transit).nanoseconds)
            jitter += change - (jitter + 8) / 16
        }
        transit = delay
    }

    func write(to flow: inout StreamPrediction.Flow) {
        flow.arrived = UInt64(delays.count)
        flow.duplicates = duplicates
        flow.late = late
        flow.longestGap = longestGap
        flow.jitter = Duration(nanoseconds: jitter / 16)
        flow.delays = delays.sorted()
        var run: UInt64 = 0
        for has in hasArrived {
            run = has ? 0 : run + 1
            flow.longestLoss = max(flow.longestLoss, run)
        }
    }
}
