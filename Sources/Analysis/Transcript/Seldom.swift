/// Parts of a value that few of its kind have, and which take no room in the others.
struct Seldom<Parts: SeldomParts>: Hashable, Sendable {
    /// None, or one.
    private var stored: [Parts] = []

    /// Nil if all of them are missing.
    var parts: Parts? { stored.first }

    mutating func change(_ change: (inout Parts) -> Void) {
        if stored.isEmpty { stored.append(Parts()) }
        change(&stored[0])
        if stored[0] == Parts() { stored = [] }
    }
}

protocol SeldomParts: Hashable, Sendable {
    /// All of them missing.
    init()
}
