/// A value that takes long to make: it is made once, on a thread of its own if that begins early enough.
package final class Prepared<Value: Sendable>: Sendable {
    private let make: @Sendable () -> Value
    private let made = Locked<Value?>(nil)

    /// - Parameter make: makes the value; the thread that first needs it runs this.
    package init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    /// Begins to make the value on another thread, without blocking the caller.
    ///
    /// Without a thread it is made when it is needed.
    package func prepare() { try? DetachedThread.start { [self] in _ = value } }

    /// The value; blocks while it is being made.
    package var value: Value {
        made.withLock { made in
            if let made { return made }
            let new = make()
            made = new
            return new
        }
    }
}
