internal import HTTPWire

extension ServerExchange {
    /// Reads the whole content, for requests that are small.
    ///
    /// - Parameters:
    ///   - limit: the most bytes to take.
    ///   - done: called on the loop, not before this returns; never after `onAbort`.
    package func collect(limit: Int, then done: @escaping (CollectedBody) -> Void) {
        if let length = try? head.fields.contentLength(), length > limit {
            // Reading would invite the client to send what nobody takes.
            return runLater { done(.tooLarge) }
        }
        let collector = ContentCollector(limit: limit) { buffer, limit, done in
            self.read(into: buffer, limit: limit, then: done)
        } done: { body in
            done(body)
        }
        collector.goOn()
    }
}
