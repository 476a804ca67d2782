extension ClientExchange {
    /// Reads the whole content, for responses that are small; call it from `onResponse`.
    ///
    /// - Parameters:
    ///   - limit: the most bytes to take; if there are more, the exchange is aborted.
    ///   - done: called on the loop, not before this returns; never after `onFailure`.
    package func collect(limit: Int, then done: @escaping (CollectedBody) -> Void) {
        let collector = ContentCollector(limit: limit) { buffer, limit, done in
            self.read(into: buffer, limit: limit, then: done)
        } done: { body in
            if body == .tooLarge { self.abort() }
            done(body)
        }
        collector.goOn()
    }
}
