internal import CLibuv
internal import CLibrary

/// What systemd and its relatives give a service and want to hear from it: the protocols of
/// sd_notify(3) and sd_listen_fds(3), without their library.
@safe
package enum ServiceManager {
    /// Where descriptors from the service manager begin (`SD_LISTEN_FDS_START`).
    private static let firstDescriptor: Int32 = 3
    /// More sockets than a unit has.
    private static let descriptorLimit = 256

    /// The descriptors that were passed to this very process, made close-on-exec; none if it was
    /// another one that LISTEN_PID names.
    package static func takeListeners(environment: (String) -> String?) -> [Int32] {
        guard environment("LISTEN_PID").flatMap({ Int32($0) }) == getpid(),
            let count = environment("LISTEN_FDS").flatMap({ Int32($0) }),
            (1...Int32(descriptorLimit)).contains(count)
        else { return [] }
        let descriptors = Array(firstDescriptor..<firstDescriptor + count)
        for descriptor in descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        return descriptors
    }

    /// Takes the variables of both protocols away from processes that this one starts.
    package static func forgetEnvironment() {
        for name in ["NOTIFY_SOCKET", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] {
            _ = unsafe unsetenv(name)
        }
    }

    /// Sends a state such as `READY=1`, one datagram.
    ///
    /// - Parameters:
    ///   - state: lines of `NAME=VALUE`.
    ///   - path: of the manager's socket; one that begins with `@` is an abstract name.
    /// - Throws: what the system says, such as "no such file or directory".
    package static func notify(_ state: String, at path: String) throws(SystemError) {
        let name = Array(path.utf8)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard name.count > 1, name.count < room, !name.contains(0) else { throw .invalidArgument }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { field in
            unsafe field.copyBytes(from: name)
            if name[0] == UInt8(ascii: "@") { unsafe field[0] = 0 }
        }
        let descriptor = SocketCalls.make(AF_UNIX, LINKCOND_DATAGRAM, waits: true)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        // An abstract name ends with its length, not with a zero.
        let length = Int(LINKCOND_PATH_PLACE) + name.count
        let bytes = Array(state.utf8)
        let sent = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { system in
                unsafe sendto(
                    descriptor,
                    bytes,
                    bytes.count,
                    SocketCalls.sending,
                    system,
                    socklen_t(length)
                )
            }
        }
        guard sent == bytes.count else { throw .last }
    }
}
