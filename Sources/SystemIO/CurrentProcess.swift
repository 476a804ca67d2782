internal import CLibuv
internal import CLibrary

/// Facts about this process, and what it does to itself.
@safe
package enum CurrentProcess {
    package static var identifier: Int { Int(getpid()) }

    /// How many threads of this process can run at once.
    package static var processors: Int { Int(uv_available_parallelism()) }

    /// Whether the process has this descriptor open.
    package static func hasOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }

    /// An environment variable; nil if it is not set.
    package static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
    }

    /// The whole environment, `NAME=VALUE` each.
    package static var wholeEnvironment: [String] {
        var entries: [String] = []
        var place = unsafe linkcond_environment()
        while let entry = unsafe place?.pointee {
            entries.append(unsafe String(cString: entry))
            unsafe place = place?.advanced(by: 1)
        }
        return entries
    }

    /// Bytes of memory in use (resident set); 0 where the system does not tell.
    package static var residentBytes: Int {
        var bytes = 0
        return unsafe uv_resident_set_memory(&bytes) == 0 ? bytes : 0
    }

    /// Makes what a parent process may have left in disorder as a program expects it.
    ///
    /// - A standard descriptor that is closed would be taken by the first socket, and output would
    ///   go to a client. It is filled so that writing to it fails.
    /// - A signal mask is inherited; programs started from a thread that takes no signals could not
    ///   be ended.
    /// - A write to a closed pipe answers with an error and does not end the process.
    package static func prepare() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
            _ = unsafe open("/dev/null", O_RDONLY)
        }
        var none = sigset_t()
        _ = unsafe sigemptyset(&none)
        _ = unsafe sigprocmask(SIG_SETMASK, &none, nil)
        _ = signal(SIGPIPE, SIG_IGN)
    }

    /// Does nothing for a time.
    package static func sleep(milliseconds: Int32) { _ = poll(nil, 0, milliseconds) }

    /// Stops like a process that does not handle Control-Z; returns when it is continued.
    package static func stop() {
        kill(getpid(), SIGSTOP)
    }
}
