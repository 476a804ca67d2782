internal import CLibuv
internal import CLibrary

/// A pipe to a child's standard input; the child sees its end when this process ends, however.
package final class ChildInput {
    /// For `ChildProcess.Stream.descriptor`.
    package let readEnd: Int32
    private let writeEnd: Int32
    private var isReadEndOpen = true

    package init() throws(SystemError) {
        guard let ends = SocketCalls.makePipe(waits: true) else { throw .last }
        (readEnd, writeEnd) = ends
        _ = fcntl(writeEnd, F_SETFL, O_NONBLOCK)
    }

    deinit {
        childHasStarted()
        close(writeEnd)
    }

    /// Closes our copy of the child's end.
    package func childHasStarted() {
        guard isReadEndOpen else { return }
        isReadEndOpen = false
        close(readEnd)
    }

    /// Writes at most 4,096 bytes, all of them or none: pipe(7).
    ///
    /// - Returns: false if the child is gone or far behind.
    package func write(_ bytes: [UInt8]) -> Bool {
        precondition(bytes.count <= 4_096)
        return unsafe CLibrary.write(writeEnd, bytes, bytes.count) == bytes.count
    }
}
