/// Which of the proxies of a run a live view shows.
struct ShownProxy: Hashable, Sendable {
    var name: String
    /// Among all, from 1.
    var place: Int
    /// Of all, in their order.
    var names: [String]
    /// Whether it listens.
    var isEnabled: Bool

    /// Nil if there is no choice, so that nothing need be said of it.
    ///
    /// - Parameters:
    ///   - name: of the proxy that is shown.
    ///   - names: of all, in their order.
    ///   - isEnabled: whether it listens.
    init?(_ name: String, among names: [String], isEnabled: Bool = true) {
        guard names.count > 1, let index = names.firstIndex(of: name) else { return nil }
        self.name = name
        place = index + 1
        self.names = names
        self.isEnabled = isEnabled
    }

    /// The name behind another, and behind the last the first; nil if there is no other.
    static func name(after name: String, among names: [String]) -> String? {
        guard let index = names.firstIndex(of: name) else { return names.first }
        let next = names[(index + 1) % names.count]
        return next == name ? nil : next
    }
}
