internal import CLibuv

/// The memory of one libuv handle and the one rule for its life.
///
/// The memory is on the heap; libuv holds one reference to this object from `init` until the close
/// callback, which is the only place where it is given back. `close()` may be called twice.
@safe
final class Handle {
    private enum State { case initialized, closing }

    let memory: UnsafeMutableRawPointer
    private var state = State.initialized
    private var onEvent: (() -> Void)?
    /// How the process of a process handle ended, once its event has come.
    var exit: (status: Int64, signal: CInt) = (0, 0)

    /// Lets `initialize` make a handle of `type` in fresh memory.
    ///
    /// - Parameters:
    ///   - type: decides how much memory the handle gets.
    ///   - initialize: the libuv call that makes the handle, such as `uv_timer_init`.
    /// - Throws: what `initialize` answered.
    init(
        _ type: uv_handle_type,
        initialize: (UnsafeMutableRawPointer) -> CInt
    ) throws(SystemError) {
        unsafe memory = .allocate(byteCount: uv_handle_size(type), alignment: 16)
        let status = unsafe initialize(memory)
        guard status >= 0 else {
            unsafe memory.deallocate()
            throw .libuv(status)
        }
        let owner = unsafe Unmanaged.passRetained(self).toOpaque()
        unsafe uv_handle_set_data(base, owner)
    }

    deinit { unsafe memory.deallocate() }

    private var base: UnsafeMutablePointer<uv_handle_t> {
        unsafe memory.assumingMemoryBound(to: uv_handle_t.self)
    }

    var isClosing: Bool { state == .closing }

    /// What a callback of libuv runs for this handle.
    func setEvent(_ action: @escaping () -> Void) { onEvent = action }

    func close() {
        guard state == .initialized else { return }
        state = .closing
        onEvent = nil
        unsafe uv_close(base) { handle in
            let owner = unsafe uv_handle_get_data(handle)
            if let owner = unsafe owner { unsafe Unmanaged<Handle>.fromOpaque(owner).release() }
        }
    }

    /// Runs the action of the handle that libuv reports.
    static func event(_ handle: UnsafeMutableRawPointer?) {
        unsafe owner(of: handle)?.onEvent?()
    }

    /// The object of a handle that libuv reports.
    static func owner(of handle: UnsafeMutableRawPointer?) -> Handle? {
        guard let handle = unsafe handle else { return nil }
        let data = unsafe uv_handle_get_data(handle.assumingMemoryBound(to: uv_handle_t.self))
        guard let owner = unsafe data else { return nil }
        return unsafe Unmanaged<Handle>.fromOpaque(owner).takeUnretainedValue()
    }
}
