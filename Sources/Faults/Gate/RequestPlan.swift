internal import Basics

/// The request-addressed faults of a run, and the places that other faults wait for.
///
/// One value serves a whole run. What changes while it lasts is in `RequestRun`.
package struct RequestPlan: Sendable {
    /// A fault with its identity.
    struct Entry: Sendable {
        let id: String
        let fault: Fault
        /// Place among the patterns, if the fault is addressed by one.
        let pattern: Int?
        let stream: UInt64
    }

    /// A place that `until` names.
    struct Event: Sendable {
        let address: FaultAddress
        let pattern: Int?
    }

    private(set) var entries: [Entry] = []
    private(set) var events: [Event] = []
    /// Each different pattern, whose requests are counted by themselves.
    private(set) var patterns: [RequestPattern] = []
    /// Whether an answer of some fault has a date in it.
    package private(set) var needsTime = false
    private let random: AddressedRandom

    /// - Parameter seed: of the run.
    init(seed: UInt64) { random = AddressedRandom(seed: seed) }

    /// Adds a fault, or of one that acts elsewhere what it waits for; numbers of patterns and events
    /// stay what they are.
    mutating func add(_ id: String, _ fault: Fault) {
        if fault.address.isOfTraffic {
            needsTime = needsTime || fault.effect.hasDate
            entries.append(
                Entry(
                    id: id,
                    fault: fault,
                    pattern: place(fault.address),
                    stream: FaultPlan.hash(id)
                )
            )
        }
        if let address = fault.effect.event, !events.contains(where: { $0.address == address }) {
            events.append(Event(address: address, pattern: place(address)))
        }
    }

    /// Removes a fault; numbers of patterns and events stay what they are.
    mutating func remove(_ id: String) { entries.removeAll { $0.id == id } }

    /// The number of the pattern that an address has, if it has one.
    private mutating func place(_ address: FaultAddress) -> Int? {
        guard case .matching(let pattern, _) = address.target else { return nil }
        if let place = patterns.firstIndex(of: pattern) { return place }
        patterns.append(pattern)
        return patterns.count - 1
    }

    /// Whether something may come twice that is inside a stream, so that it has to be kept.
    var copiesMessages: Bool {
        entries.contains { entry in
            if case .inside = entry.fault.anchor { entry.fault.effect == .duplicate } else { false }
        }
    }

    /// Whether no connection needs a gate for messages.
    package var isEmpty: Bool { entries.isEmpty && events.isEmpty }

    /// The number of an event, by which `RequestRun` knows it; nil if no fault waits for it.
    package func event(at address: FaultAddress) -> Int? {
        events.firstIndex { $0.address == address }
    }

    /// Events that this connection's acceptance is, from 1.
    package func events(
        atConnect connection: UInt32,
        hosts: HostOrdinals = [:]
    ) -> [Int] {
        events.indices.filter { index in
            let address = events[index].address
            guard case .connections(let selector) = address.target, address.anchor == .connect,
                let ordinal = address.ordinal(of: connection, hosts)
            else { return false }
            return selector.names(ordinal)
        }
    }

    /// Whether something could act on this connection.
    package func concerns(connection: UInt32, hosts: HostOrdinals = [:]) -> Bool {
        let faults = entries.contains { names($0.fault.address, connection, hosts, $0.fault) }
        return faults || events.contains { names($0.address, connection, hosts, nil) }
    }

    private func names(
        _ address: FaultAddress,
        _ connection: UInt32,
        _ hosts: HostOrdinals,
        _ fault: Fault?
    ) -> Bool {
        guard let connection = address.ordinal(of: connection, hosts) else { return false }
        return switch address.target {
        case .connections(let selector):
            selector.names(connection, times: fault?.options.times)
        case .requests(let selector, _): selector.names(connection)
        case .matching: true
        case .object, .flows, .queries: false
        }
    }

    /// Whether chance lets a fault act.
    ///
    /// - Parameters:
    ///   - entry: of this plan.
    ///   - chance: nil for always.
    ///   - key: addresses the draw, from 0.
    /// - Returns: the same each time.
    func draws(_ entry: Entry, _ chance: Probability?, key: UInt64) -> Bool {
        guard let chance else { return true }
        return random.happens(
            chance,
            key: key,
            direction: .down,
            stage: .faultChance,
            index: entry.stream
        )
    }

    /// A number of the range.
    func draw(_ range: ClosedRange<UInt64>, of entry: Entry, key: UInt64) -> UInt64 {
        range.lowerBound
            + random.integer(
                below: range.upperBound - range.lowerBound + 1,
                key: key,
                direction: .down,
                stage: .faultOffset,
                index: entry.stream
            )
    }

    /// A byte with one bit.
    func drawBit(of entry: Entry, key: UInt64) -> UInt8 {
        let bit = random.integer(
            below: 8,
            key: key,
            direction: .down,
            stage: .faultBit,
            index: entry.stream
        )
        return 1 << UInt8(bit)
    }
}

extension FaultAddress {
    /// Whether a gate for messages looks after this fault.
    package var isOfTraffic: Bool {
        if case .object = target { return false }
        return isOfRequests
    }
}
