internal import HTTPTransport

/// The place for an answer that is not known yet.
package final class PendingAnswer {
    /// Called once, on the loop, if the client goes away first.
    package var onGone: (() -> Void)?
    private var give: ((ControlAnswer) -> Void)?

    init(_ give: @escaping (ControlAnswer) -> Void) { self.give = give }

    /// Whether an answer is still waited for.
    package var isAwaited: Bool { give != nil }

    /// Gives the answer; a second one is passed over.
    package func answer(_ answer: ControlAnswer) {
        let give = take()
        give?(answer)
    }

    func gone() {
        let told = onGone
        _ = take()
        told?()
    }

    private func take() -> ((ControlAnswer) -> Void)? {
        defer {
            give = nil
            onGone = nil
        }
        return give
    }
}
