internal import CLibuv
internal import CLibrary

/// A thread that nobody waits for.
enum DetachedThread {
    /// Starts one that hears no signal.
    ///
    /// - Throws: what the system says when it has no thread left.
    static func start(_ run: @escaping () -> Void) throws(SystemError) {
        let body = unsafe Unmanaged.passRetained(ThreadBody(run))
        var all = sigset_t()
        var before = sigset_t()
        unsafe sigfillset(&all)
        // A new thread has the mask of the one that makes it.
        unsafe pthread_sigmask(SIG_SETMASK, &all, &before)
        let status = unsafe linkcond_start_thread(ThreadBody.start, body.toOpaque())
        unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
        guard status == 0 else {
            unsafe body.release()
            throw SystemError(code: status)
        }
    }
}

/// What a new thread does, in the form that C can carry.
@safe
private final class ThreadBody {
    private let run: () -> Void

    init(_ run: @escaping () -> Void) { self.run = run }

    static let start: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
        data in
        guard let data = unsafe data else { return nil }
        unsafe Unmanaged<ThreadBody>.fromOpaque(data).takeRetainedValue().run()
        return nil
    }
}
