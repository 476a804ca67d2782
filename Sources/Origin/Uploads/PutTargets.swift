/// Where the files of earlier PUTs are: a PUT replaces what one to the same target made, so that a client
/// may repeat it (RFC 9110 §9.2.2, §9.3.4).
///
/// Of those that end at the same time, one is kept after the other. Targets that were not used for long are
/// forgotten.
final class PutTargets {
    /// Called with the name of the file to replace; nil for none.
    typealias Turn = (_ earlier: String?) -> Void

    private let limit: Int
    /// Names of files by target, fewer than the limit.
    private var latest: [String: String] = [:]
    /// The ones before, of which those that are not in `latest` are forgotten next.
    private var former: [String: String] = [:]
    /// Those who wait for their turn; a target is here as long as somebody has it.
    private var waiting: [String: [Turn]] = [:]

    /// - Parameter limit: how many targets are remembered at least; it is twice as many at most.
    init(limit: Int) { self.limit = limit }

    private func file(at target: String) -> String? { latest[target] ?? former[target] }

    private func remember(_ name: String, at target: String) {
        latest[target] = name
        guard latest.count >= limit else { return }
        former = latest
        latest = [:]
    }

    /// Begins a turn at a target, at once or when those before have ended.
    func begin(_ target: String, _ turn: @escaping Turn) {
        guard waiting[target] == nil else {
            waiting[target]?.append(turn)
            return
        }
        waiting[target] = []
        turn(file(at: target))
    }

    /// Ends a turn; the next one begins.
    ///
    /// - Parameters:
    ///   - target: whose turn it is.
    ///   - name: of the file that is there now; nil if nothing has changed.
    func end(_ target: String, name: String?) {
        if let name { remember(name, at: target) }
        guard waiting[target]?.isEmpty == false, let turn = waiting[target]?.removeFirst() else {
            waiting[target] = nil
            return
        }
        turn(file(at: target))
    }
}
