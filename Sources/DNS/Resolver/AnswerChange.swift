internal import Basics
internal import DNSWire
internal import Faults

/// An answer that faults may change.
struct AnswerChange {
    /// Of the family that is asked for.
    var addresses: [NetworkAddress]
    /// In seconds.
    var lifetime: UInt32
    var setsLifetime = false
    /// Whether there is any record, whose lifetime counts.
    var hasRecords = true
    /// The faults that changed something.
    var places: [Int] = []

    init(addresses: [NetworkAddress], lifetime: UInt32, hasRecords: Bool = true) {
        self.addresses = addresses
        self.lifetime = lifetime
        self.hasRecords = hasRecords
    }
}

extension Resolver {
    /// How much later an answer comes, and by which faults.
    struct Delay {
        var time = Duration.zero
        var places: [Int] = []
    }

    /// Adds up what faults delay a query's answer, and notes that they did.
    mutating func delay(of query: WaitingQuery) -> Delay {
        var delay = Delay()
        for place in query.faults {
            guard case .delay(let time) = accounts[place].fault.effect else { continue }
            delay.time += max(.zero, time)
            delay.places.append(place)
            accounts[place].fired &+= 1
        }
        return delay
    }

    /// Lets the faults of a query change its answer, in the order in which they were given.
    mutating func apply(_ query: WaitingQuery, to change: inout AnswerChange) {
        for place in query.faults where changes(query, place, &change) {
            change.places.append(place)
            accounts[place].fired &+= 1
        }
    }

    private func changes(_ query: WaitingQuery, _ place: Int, _ change: inout AnswerChange) -> Bool
    {
        let effect = accounts[place].fault.effect
        if case .lifetime(let seconds) = effect {
            guard change.hasRecords else { return false }
            change.lifetime = seconds
            change.setsLifetime = true
            return true
        }
        guard query.asksForAddresses else { return false }
        let isMeant = { (address: NetworkAddress) in address.type == query.question.type }
        let unused = { self.accounts[place].unusedAddress(query.question, query.ordinal) }
        switch effect {
        case .wrong(let addresses):
            let new = addresses.isEmpty ? [unused()].compactMap(\.self) : addresses.filter(isMeant)
            guard !new.isEmpty else { return false }
            change.addresses = new
        case .rotate(let addresses):
            let pool = addresses.isEmpty ? change.addresses : addresses.filter(isMeant)
            guard pool.count > (addresses.isEmpty ? 1 : 0) else { return false }
            change.addresses = [pool[Int(query.ordinal &- 1) % pool.count]]
        case .deadFirst(let address):
            guard !change.addresses.isEmpty, let dead = address ?? unused(), isMeant(dead) else {
                return false
            }
            change.addresses.insert(dead, at: 0)
        case .code, .noData, .timeout, .truncate, .cnameLoop, .delay, .lifetime: return false
        }
        change.hasRecords = true
        return true
    }
}
