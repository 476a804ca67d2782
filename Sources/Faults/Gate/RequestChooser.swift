internal import Basics
internal import HTTPWire

/// Decides which faults act on one request.
struct RequestChooser {
    let plan: RequestPlan
    let connection: UInt32
    let hosts: HostOrdinals
    let request: UInt32
    /// The request's ordinal among those that fit the fault's pattern; nil if it does not fit.
    let match: UInt32?

    /// The fault as it acts on this request, if it does, and the draws that decided it.
    func choose(_ entry: RequestPlan.Entry) -> (fault: WaitingFault?, draws: [FaultDraw]) {
        guard let (key, chances) = selection(entry.fault) else { return (nil, []) }
        var draws: [FaultDraw] = []
        for (chance, key) in chances {
            let happens = plan.draws(entry, chance, key: key)
            draws.append(draw(entry, .chance, key, happens ? 1 : 0))
            guard happens else { return (nil, draws) }
        }
        var bits: UInt8 = 0
        if entry.fault.effect.changesByte {
            bits = plan.drawBit(of: entry, key: key)
            draws.append(draw(entry, .bit, key, UInt64(bits.trailingZeroBitCount)))
        }
        let anchor = drawn(entry, key, &draws)
        var fault = ArmedFault(
            id: entry.id,
            place: .exchange(request, anchor),
            effect: entry.fault.effect,
            options: entry.fault.options
        )
        fault.flippedBits = bits
        return (WaitingFault(fault, at: anchor, pattern: entry.pattern), draws)
    }

    /// Whether a place is on this request.
    func names(_ address: FaultAddress) -> Bool {
        guard let connection = address.ordinal(of: connection, hosts) else { return false }
        return switch address.target {
        case .connections(let selector): selector.names(connection)
        case .requests(let selector, let requests):
            selector.names(connection) && requests.names(request)
        case .matching(_, let selector): match.map { selector.names($0) } ?? false
        case .object, .flows, .queries: false
        }
    }

    /// What addresses the draws of a fault on this request; nil if it is not for it.
    private func selection(_ fault: Fault) -> (key: UInt64, chances: [(Probability, UInt64)])? {
        guard let connection = fault.address.ordinal(of: connection, hosts) else { return nil }
        let ofConnection = UInt64(connection - 1)
        let ofRequest = ofConnection | UInt64(request) << 32
        switch fault.address.target {
        case .connections(let selector):
            guard selector.names(connection, times: fault.options.times) else { return nil }
            return (ofRequest, selector.chance.map { [($0, ofConnection)] } ?? [])
        case .requests(let selector, let requests):
            guard selector.names(connection),
                requests.names(request, times: fault.options.times)
            else { return nil }
            let first = selector.chance.map { [($0, ofConnection)] } ?? []
            return (ofRequest, first + (requests.chance.map { [($0, ofRequest)] } ?? []))
        case .matching(_, let selector):
            guard let match, selector.names(match, times: fault.options.times) else { return nil }
            return (UInt64(match - 1), selector.chance.map { [($0, UInt64(match - 1))] } ?? [])
        case .object, .flows, .queries: return nil
        }
    }

    private func drawn(
        _ entry: RequestPlan.Entry,
        _ key: UInt64,
        _ draws: inout [FaultDraw]
    ) -> Anchor {
        switch entry.fault.anchor {
        case .message(let direction, let part, let offset):
            .message(direction, part, drawn(offset, entry, key, &draws))
        case .interim(let status, let ordinal, let offset):
            .interim(status: status, ordinal: ordinal, drawn(offset, entry, key, &draws))
        case .inside(let message, let offset):
            .inside(message, drawn(offset, entry, key, &draws))
        case .idle, .whole, .connect, .byte, .datagrams, .silence, .tls: entry.fault.anchor
        }
    }

    private func drawn(
        _ offset: Anchor.PartOffset,
        _ entry: RequestPlan.Entry,
        _ key: UInt64,
        _ draws: inout [FaultDraw]
    ) -> Anchor.PartOffset {
        guard case .fromStart(.drawn(let range)) = offset else { return offset }
        let place = plan.draw(range, of: entry, key: key)
        draws.append(draw(entry, .offset, key, place))
        return .fromStart(.at(place))
    }

    private func draw(
        _ entry: RequestPlan.Entry,
        _ stage: FaultDraw.Stage,
        _ key: UInt64,
        _ value: UInt64
    ) -> FaultDraw {
        FaultDraw(fault: entry.id, stage: stage, index: key + 1, value: value)
    }
}
