internal import CLibuv
internal import CLibrary

/// A value that several threads use, one at a time.
///
/// By the mutex of the C library, which ThreadSanitizer understands; that of the Swift library it
/// does not on Linux, and it reports races that are none.
@safe
package final class Locked<Value: Sendable>: Sendable {
    private nonisolated(unsafe) let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private nonisolated(unsafe) var value: Value

    package init(_ value: Value) {
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe self.value = value
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Lends the value; other threads wait meanwhile.
    package func withLock<Answer>(_ body: (inout Value) -> Answer) -> Answer {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return unsafe body(&value)
    }
}
