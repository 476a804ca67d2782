internal import Basics
internal import Journal

/// Finds the requests that came after another one for the same had ended.
struct LaterRequests {
    private let exchanges: [Exchange]
    private let names: SocketNames
    /// Places of the exchanges of each name, in the order of their requests.
    private var places: [String: [Int]] = [:]

    init(_ transcript: Transcript) {
        exchanges = transcript.exchanges
        names = SocketNames(transcript)
        for (place, exchange) in exchanges.enumerated() {
            places[name(of: exchange), default: []].append(place)
        }
    }

    /// What an exchange is for.
    func name(of exchange: Exchange) -> String { names.name(of: exchange, exchange.target) }

    /// The first request for the same that came at a time or later, and that `matches`.
    func first(
        for exchange: Exchange,
        from time: Instant,
        where matches: (Exchange) -> Bool = { _ in true }
    ) -> Exchange? {
        let places = places[name(of: exchange)] ?? []
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if exchanges[places[middle]].beganAt < time {
                low = middle + 1
            } else {
                high = middle
            }
        }
        let found = places[low...].first { place in
            exchanges[place].id != exchange.id && matches(exchanges[place])
        }
        return found.map { exchanges[$0] }
    }
}
