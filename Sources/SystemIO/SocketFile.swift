internal import CLibuv
internal import CLibrary

/// The file that a Unix socket leaves in the file system.
package enum SocketFile {
    package enum State: Hashable, Sendable {
        case absent
        /// Nobody listens behind it: a process ended without removing it.
        case stale
        /// Somebody listens.
        case live
        case notSocket
    }

    /// What is at `path` now.
    package static func state(at path: String) throws(SystemError) -> State {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            if errno == ENOENT { return .absent }
            throw .last
        }
        guard status.st_mode & S_IFMT == S_IFSOCK else { return .notSocket }
        let probe = try Socket(like: .unix(path))
        do throws(SystemError) {
            _ = try probe.connect(to: .unix(path))
            return .live
        } catch {
            // EAGAIN: somebody listens whose backlog is full.
            return error.code == ECONNREFUSED ? .stale : .live
        }
    }

    /// Removes the file if there is one.
    package static func remove(_ path: String) { _ = unsafe unlink(path) }

    /// The file that binding a socket has made.
    package struct Made: Hashable, Sendable {
        private let path: String
        private let identity: FileIdentity

        init?(at path: String) {
            guard let identity = Self.identity(at: path) else { return nil }
            self.path = path
            self.identity = identity
        }

        /// Removes it, unless something else has taken its place.
        package func remove() {
            if Self.identity(at: path) == identity { SocketFile.remove(path) }
        }

        private static func identity(at path: String) -> FileIdentity? {
            var status = stat()
            guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
                return nil
            }
            return FileIdentity(status)
        }
    }
}
