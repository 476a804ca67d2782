internal import CLibuv

/// The one way for another thread to speak to a loop.
@safe
package final class LoopWakeup: Sendable {
    /// Where the handle is; `uv_async_send` is the one libuv call that any thread may make.
    private nonisolated(unsafe) let async: UnsafeMutablePointer<uv_async_t>
    private nonisolated(unsafe) let handle: Handle
    private nonisolated(unsafe) let loop: EventLoop

    /// Lets `onWake` run on the loop, once or more often after each `wake()`.
    package init(loop: EventLoop, onWake: @escaping () -> Void) throws(SystemError) {
        unsafe self.loop = loop
        let handle = try unsafe loop.makeHandle(UV_ASYNC) { uv, memory in
            unsafe uv_async_init(
                uv,
                memory.assumingMemoryBound(to: uv_async_t.self),
                { unsafe Handle.event($0) }
            )
        }
        handle.setEvent(onWake)
        unsafe self.handle = handle
        unsafe async = handle.memory.assumingMemoryBound(to: uv_async_t.self)
    }

    /// From any thread, but not after `close()`.
    package func wake() { unsafe uv_async_send(async) }

    /// On the loop's thread.
    package func close() {
        unsafe handle.close()
        unsafe loop.noteChange()
    }
}
