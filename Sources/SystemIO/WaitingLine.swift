/// Handlers that wait for their turn, first come, first served.
struct WaitingLine {
    private var arriving: [any ReadinessHandler] = []
    /// Those who came before, the first one last.
    private var leaving: [any ReadinessHandler] = []

    var isEmpty: Bool { leaving.isEmpty && arriving.isEmpty }
    var count: Int { leaving.count + arriving.count }

    mutating func append(_ handler: any ReadinessHandler) { arriving.append(handler) }

    mutating func popFirst() -> (any ReadinessHandler)? {
        if leaving.isEmpty {
            swap(&leaving, &arriving)
            leaving.reverse()
        }
        return leaving.popLast()
    }
}
