internal import Faults

/// The cells of the table in which some statuses came to something else than others, with their names.
struct StatusCells {
    private struct Place: Hashable {
        let address: FaultAddress
        let options: String

        var text: String { address.canonicalText + options }
    }

    /// What each status came to, as a schedule line writes it: `503,retry-after=1`.
    private typealias Cell = [String: Character]

    private var cells: [Place: Cell] = [:]

    /// The most lines, and the most names in one.
    private static let mostLines = 6
    private static let mostPlaces = 3
    private static let mostStatuses = 8

    /// Worst first.
    private static let letters: [Character] = ["X", "?", "-", "h", "."]

    init(_ records: [PointRecord]) {
        for record in records where record.isCounted && record.isSingle {
            guard let fault = record.point.faults.first, case .status = fault.effect else {
                continue
            }
            let place = Place(address: fault.address, options: fault.options.canonicalText)
            let status = fault.effect.canonicalText.drop { $0 != "(" }.dropFirst().dropLast()
            cells[place, default: [:]][String(status)] = record.judgement.letter
        }
    }

    /// As in `status at c1/r1:req.head: h 400, 401; . 429, 503`; places where it is the same share a line.
    var lines: [String] {
        let mixed = cells.filter { Set($0.value.values).count > 1 }
        var order: [String] = []
        var places: [String: [String]] = [:]
        let sorted = mixed.sorted {
            ($0.key.address, $0.key.options) < ($1.key.address, $1.key.options)
        }
        for (place, cell) in sorted {
            let words = Self.words(cell)
            if places[words] == nil { order.append(words) }
            places[words, default: []].append(place.text)
        }
        let lines = order.prefix(Self.mostLines).map { words in
            let names = (places[words] ?? []).shortList(atMost: Self.mostPlaces, separator: ", ")
            return "status at \(names): \(words)"
        }
        let rest = order.count - lines.count
        return lines + (rest > 0 ? ["status: \(rest) more places with differences"] : [])
    }

    private static func words(_ cell: Cell) -> String {
        letters.compactMap { letter in
            let names = Set(cell.filter { $0.value == letter }.keys.map { name($0, in: cell) })
            guard !names.isEmpty else { return nil }
            return "\(letter) \(names.sorted().shortList(atMost: mostStatuses, separator: ", "))"
        }.joined(separator: "; ")
    }

    /// The number alone, if every form of that status came to the same.
    private static func name(_ status: String, in cell: Cell) -> String {
        let number = { (text: String) in text.prefix { $0 != "," } }
        let alike = cell.filter { number($0.key) == number(status) }.map(\.value)
        return Set(alike).count == 1 ? String(number(status)) : status
    }
}

extension [String] {
    /// The first ones, and how many there are besides.
    func shortList(atMost limit: Int, separator: String) -> String {
        let rest = count > limit ? " and \(count - limit) more" : ""
        return prefix(limit).joined(separator: separator) + rest
    }
}
